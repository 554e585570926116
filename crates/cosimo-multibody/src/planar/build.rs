//! Builds a planar system from its data.

use super::attachment::Attachment;
use super::checks::{NOT_NEGATIVE, POSITIVE, attach, check_all, check_finite, check_unique};
use super::spring::Spring;
use super::system::PinPair;
use super::{Body, PlanarError, PlanarModel, PlanarSystem, Point, SpringDamper};

/// Name that stands for the fixed world in model files; no body may bear it.
const GROUND: &str = "ground";

impl PlanarModel {
    /// Checks every rule stated on the fields and builds the equations of motion.
    ///
    /// Whether the initial state satisfies the pins is asked by [`PlanarSystem::initial_violations`].
    ///
    /// # Errors
    /// The first rule broken, naming the offender.
    pub fn build(self) -> Result<PlanarSystem, PlanarError> {
        if self.bodies.is_empty() {
            return Err(PlanarError::NoBodies);
        }
        check_finite("the model", "gravity", &self.gravity)?;
        self.bodies.iter().try_for_each(check_body)?;
        let names: Vec<&str> = self.bodies.iter().map(|body| body.name.as_str()).collect();
        check_unique("bodies", &names)?;
        check_unique("pins", &self.pins.iter().map(|pin| pin.name.as_str()).collect::<Vec<_>>())?;

        let mut pins = Vec::with_capacity(self.pins.len());
        for pin in &self.pins {
            let [first, second] = attach_pair(&format!("pin `{}`", pin.name), &pin.between, &names)?;
            pins.push(PinPair { name: pin.name.clone(), first, second });
        }
        let mut springs = Vec::with_capacity(self.springs.len());
        for (index, spring) in self.springs.iter().enumerate() {
            springs.push(build_spring(&format!("spring {index}"), spring, &names)?);
        }
        Ok(PlanarSystem::assemble(self.gravity, self.bodies, pins, springs))
    }
}

fn attach_pair(owner: &str, points: &[Point; 2], names: &[&str]) -> Result<[Attachment; 2], PlanarError> {
    let pair = [attach(owner, &points[0], names)?, attach(owner, &points[1], names)?];
    if pair[0].body == pair[1].body {
        return Err(PlanarError::SameOwner { owner: owner.to_owned() });
    }
    Ok(pair)
}

fn build_spring(owner: &str, spring: &SpringDamper, names: &[&str]) -> Result<Spring, PlanarError> {
    let ends = attach_pair(owner, &spring.between, names)?;
    check_all(owner, "stiffness", &[spring.stiffness], NOT_NEGATIVE)?;
    check_all(owner, "damping", &[spring.damping], NOT_NEGATIVE)?;
    check_all(owner, "length", &[spring.length], NOT_NEGATIVE)?;
    let SpringDamper { stiffness, damping, length, .. } = *spring;
    Ok(Spring { ends, stiffness, damping, length })
}

fn check_body(body: &Body) -> Result<(), PlanarError> {
    if body.name == GROUND {
        return Err(PlanarError::ReservedName { name: body.name.clone() });
    }
    let owner = format!("body `{}`", body.name);
    check_all(&owner, "mass", &[body.mass], POSITIVE)?;
    check_all(&owner, "inertia", &[body.inertia], POSITIVE)?;
    check_finite(&owner, "position", &body.position)?;
    check_finite(&owner, "angle", &[body.angle])?;
    check_finite(&owner, "velocity", &body.velocity)?;
    check_finite(&owner, "angular velocity", &[body.angular_velocity])
}
