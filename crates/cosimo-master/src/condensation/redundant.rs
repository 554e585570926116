//! Joints that hold what others hold already.

use super::Condensation;
use crate::WarningPlace;
use crate::linearisation::LinearisedModel;
use crate::warnings::Warnings;

impl Condensation {
    /// Warns at a communication point (s), once, of joints that hold what others hold already.
    pub(crate) fn warn_of_redundant_joints(
        &mut self,
        model: LinearisedModel<'_>,
        warnings: &mut Warnings,
        time: f64,
    ) {
        for joints in self.take_redundant() {
            let names: Vec<&str> = joints.iter().map(|&j| model.topology.joints[j].name.as_str()).collect();
            let advice = advice(model, &joints);
            let text = format!(
                "the interfaces {} are redundant: they form a loop that holds something twice. They are relaxed a \
                 little and share the load; the motion does not depend on it, the force of each of them does{advice}",
                crate::error::list_names(&names)
            );
            if !warnings.contains(&text) {
                let names = names.into_iter().map(str::to_owned).collect();
                warnings.warn(time, WarningPlace::Interfaces(names), text);
            }
        }
    }
}

/// What else is to be said of redundant joints, where inverse masses may be too coarse.
fn advice(model: LinearisedModel<'_>, joints: &[usize]) -> &'static str {
    let is_coarse = |&j: &usize| {
        let sides = &model.topology.joints[j].sides;
        sides.iter().any(|side| model.models[side.subsystem].is_coarse)
    };
    if joints.iter().any(is_coarse) {
        ". The inverse mass of subsystems among them is differenced or learnt, which may be too coarse for that: \
         make one of these joints a Tikhonov joint if the iteration does not end"
    } else {
        ""
    }
}
