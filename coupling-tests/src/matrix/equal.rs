//! Runs with equal rules at rigid joints, condensed, smooth or with impacts inside steps: their motion is kept in a table.

use cosimo::master::NoObserver;
use cosimo::model::read_model;

use super::axes::{Combination, Impacts, Kind, Law, Ports, Rule, Scheme};
use super::cover::is_possible;
use super::model::Model;
use super::report::describe;

/// Every seventh of them, in a fixed order: of each rule several kinds on each model.
#[must_use]
pub fn combinations(models: &[Box<dyn Model>]) -> Vec<Combination> {
    let mut found = Vec::new();
    for model in 0..models.len() {
        for rule in Rule::ALL {
            for a in Kind::ALL {
                for b in Kind::ALL {
                    for ports in Ports::ALL {
                        for impacts in [Impacts::None, Impacts::SubStep] {
                            let combination = Combination {
                                model,
                                kinds: [a, b],
                                rules: [rule; 2],
                                law: Law::Rigid,
                                ports,
                                scheme: Scheme::Condensed,
                                impacts,
                                micro_steps: 1,
                            };
                            if is_possible(models, &combination) {
                                found.push(combination);
                            }
                        }
                    }
                }
            }
        }
    }
    found.into_iter().step_by(7).collect()
}

/// What a run is called in the table.
#[must_use]
pub fn name(models: &[Box<dyn Model>], combination: &Combination) -> String {
    describe(models, combination).replace(',', "")
}

/// The observed quantities at the end of a run of so many steps; `None` where it is refused or ends.
#[must_use]
pub fn values(models: &[Box<dyn Model>], combination: &Combination, steps: u32) -> Option<Vec<f64>> {
    let setup = models[combination.model].setup(combination);
    let (spec, _) = read_model("model.toml", &setup.text, &[]).ok()?;
    let mut master = spec.build().ok()?;
    master.run(setup.end, setup.end / f64::from(steps), &mut NoObserver).ok()?;
    let mut values = vec![0.0; master.labels().len()];
    master.observe(&mut values).ok();
    let labels: Vec<String> =
        master.labels().iter().map(|label| format!("{}.{}", label.owner, label.name)).collect();
    let of = |label: &String| labels.iter().position(|known| known == label).map(|index| values[index]);
    setup.labels.iter().map(of).collect()
}

/// The whole table; what is refused or ends has no values.
#[must_use]
pub fn table(models: &[Box<dyn Model>]) -> String {
    let mut text = "run,steps,values at the end\n".to_owned();
    for combination in combinations(models) {
        let steps = models[combination.model].setup(&combination).steps;
        let values = values(models, &combination, steps).unwrap_or_default();
        let values: Vec<String> = values.iter().map(|x| format!("{x:e}")).collect();
        text += &format!("{},{steps},{}\n", name(models, &combination), values.join(" "));
    }
    text
}
