//! Multibody systems with their contacts inside.

use cosimo_dynamics::{Motion, StateChange};
use cosimo_impact::{
    ContactBlock, ContactLayout, ContactSink, ContactStep, Contacts, ImpactSettings, ImpactState, Scheme,
};
use cosimo_mechanics::{ContactLaw, TimeInput};
use cosimo_multibody::spatial::{PlacedContact, SpatialSystem};
use cosimo_subsystem::scene::{Appearance, Pose};
use cosimo_subsystem::{Quantity, SignalInput, SignalOutput};
use nalgebra::{Matrix3, Vector3};

use super::ports::{Ports, SpatialOuterRows};
use super::shown::{ShownContacts, ShownSystem};
use super::subsystem::{NonsmoothMechanism, NonsmoothMotion, Outside};
use crate::MechanismError;
use crate::multibody::{MultibodyPort, place_ports, quantities};

/// A contact of a multibody system, by its name there.
#[derive(Debug, Clone, PartialEq)]
pub struct SpatialMechanismContact {
    /// Its name in the system.
    pub name: String,
    /// Restitution and friction.
    pub law: ContactLaw,
}

/// A multibody system stepped by a [`Scheme`].
#[derive(Debug)]
pub struct SpatialMechanism {
    /// Name of the subsystem.
    pub name: String,
    /// Bodies, joints, forces.
    pub system: SpatialSystem,
    /// The law of every contact of the system.
    pub contacts: Vec<SpatialMechanismContact>,
    /// The rule.
    pub scheme: Scheme,
    /// Tolerances.
    pub settings: ImpactSettings,
    /// Time (s), positions and velocities at the start; as the system says where there are none.
    pub start: (f64, Option<[Vec<f64>; 2]>),
    /// Ports by their names.
    pub ports: Vec<(String, MultibodyPort)>,
    /// Signals that drive inputs over time of the system.
    pub inputs: Vec<(SignalInput, TimeInput)>,
}

impl SpatialMechanism {
    /// Builds the subsystem.
    ///
    /// # Errors
    /// A contact that the system does not have, or what the scheme refuses.
    pub fn build(mut self) -> Result<NonsmoothMechanism<SpatialSystem, SpatialContacts>, MechanismError> {
        self.system = self.system.with_seen_points(self.ports.iter().filter_map(|(_, port)| port.place()));
        let refuse = |reason| MechanismError::Parameter { subsystem: self.name.clone(), reason };
        let (time, start) = self.start;
        let [q, v] =
            start.unwrap_or_else(|| [self.system.initial_position(), self.system.initial_velocity()]);
        let mut placed = Vec::with_capacity(self.contacts.len());
        for own in &self.contacts {
            let contact = self.system.contact(&own.name);
            let contact = contact.ok_or_else(|| refuse(format!("there is no contact `{}`", own.name)))?;
            if own.law.friction > 0.0 && !contact.has_slips() {
                let reason = "has friction, but nothing slides there: its gap is one number";
                return Err(refuse(format!("contact `{}` {reason}", own.name)));
            }
            placed.push((self.system.without_turns(contact, &q), own.law));
        }
        let contacts =
            SpatialContacts::new(placed, self.contacts.iter().map(|own| own.name.clone()).collect());
        let placed_ports = place_ports(&self.system, &self.ports).map_err(refuse)?;
        let ports = (!placed_ports.0.is_empty()).then(|| {
            let (specs, rows) = placed_ports;
            Ports { specs, motions: Box::new(rows.clone()), rows: Box::new(SpatialOuterRows::new(rows)) }
        });
        let slips = |own: &SpatialMechanismContact| if own.law.friction > 0.0 { 2 } else { 0 };
        let names = self.contacts.iter().map(|own| (own.name.clone(), slips(own))).collect();
        let outside = Outside { contacts: names, inputs: self.inputs, ports };
        let rule = (self.scheme, self.settings);
        NonsmoothMotion::new(&self.name, (self.system, contacts), rule, (time, q, v), outside)
    }
}

/// Contacts of a multibody system.
#[derive(Debug)]
pub struct SpatialContacts {
    placed: Vec<PlacedContact>,
    names: Vec<String>,
    layout: ContactLayout,
    zeros: Vec<f64>,
}

impl SpatialContacts {
    fn new(contacts: Vec<(PlacedContact, ContactLaw)>, names: Vec<String>) -> Self {
        let has_friction = contacts.iter().any(|(_, own)| own.friction > 0.0);
        let block = |(contact, law): &(PlacedContact, ContactLaw)| {
            let mut touches: Vec<usize> = contact.bodies().into_iter().flatten().collect();
            touches.sort_unstable();
            ContactBlock { touches, law: *law }
        };
        let layout =
            ContactLayout::new(if has_friction { 3 } else { 1 }, contacts.iter().map(block).collect());
        let largest = contacts.iter().flat_map(|(contact, _)| contact.bodies()).flatten().max();
        let zeros = vec![0.0; 6 * largest.map_or(0, |body| body + 1)];
        Self { placed: contacts.into_iter().map(|(contact, _)| contact).collect(), names, layout, zeros }
    }
}

impl Contacts for SpatialContacts {
    fn layout(&self) -> &ContactLayout {
        &self.layout
    }

    fn name(&self, contact: usize) -> String {
        self.names.get(contact).cloned().unwrap_or_default()
    }

    fn gaps(&self, _t: f64, q: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(&self.placed).for_each(|(out, contact)| *out = contact.gap_near(q));
    }

    fn rates(&self, motion: Motion<'_>, out: &mut [f64]) {
        out.fill(0.0);
        for (out, contact) in out.chunks_exact_mut(self.layout.dimension()).zip(&self.placed) {
            contact.rates(motion.q, motion.v, out);
        }
    }

    fn jacobian(&self, _t: f64, q: &[f64], sink: &mut dyn ContactSink) {
        let rows = self.layout.dimension();
        for (k, contact) in self.placed.iter().enumerate() {
            contact.give_jacobian(q, rows, |body, block| sink.jacobian(k, body, block));
        }
    }

    fn curvature(&self, motion: Motion<'_>, out: &mut [f64]) {
        out.fill(0.0);
        for (out, contact) in out.chunks_exact_mut(self.layout.dimension()).zip(&self.placed) {
            contact.rate_changes(motion.state(), StateChange { dq: motion.v, dv: &self.zeros }, out);
        }
    }
}

impl ShownContacts for SpatialContacts {
    fn place(&self, contact: usize, q: &[f64]) -> Option<(Vector3<f64>, Matrix3<f64>)> {
        self.placed.get(contact)?.place(q)
    }
}

/// What the impulses of the constraints in a step do to the second body of a joint.
const IMPULSES: [(&str, &str); 6] =
    [("px", "N s"), ("py", "N s"), ("pz", "N s"), ("lx", "N m s"), ("ly", "N m s"), ("lz", "N m s")];

impl ShownSystem for SpatialSystem {
    /// What a multibody subsystem shows, then of every joint the impulses of the last step beside its smooth reactions.
    fn quantities(&self) -> Vec<Quantity> {
        let mut all = quantities::quantities(self);
        for joint in self.joint_names() {
            let of_joint =
                |(part, unit): (&str, &str)| Quantity { name: format!("{joint}.{part}"), unit: unit.into() };
            all.extend(IMPULSES.map(of_joint));
        }
        all
    }

    fn observe(&self, state: &ImpactState, step: &ContactStep, out: &mut [f64]) {
        let joints = self.joint_names().len();
        let (own, impulses) = out.split_at_mut(out.len().saturating_sub(IMPULSES.len() * joints));
        let smooth = quantities::Shown {
            motion: state.motion(),
            a: &state.a,
            reactions: (state.time, &state.q, &state.mu),
        };
        quantities::observe_shown(self, smooth, own);
        for (joint, out) in impulses.chunks_exact_mut(IMPULSES.len()).enumerate() {
            let found = self.reaction(joint, state.time, &state.q, &step.constraint_impulses);
            let parts = found.iter().flatten().flat_map(Vector3::iter);
            out.iter_mut().zip(parts).for_each(|(out, x)| *out = *x);
        }
    }

    fn appearance(&self) -> Appearance {
        SpatialSystem::appearance(self).clone()
    }

    fn add_poses(&self, q: &[f64], out: &mut Vec<Pose>) {
        SpatialSystem::add_poses(self, q, out);
    }

    fn outputs(&self) -> Vec<SignalOutput> {
        quantities::outputs(self)
    }

    fn observe_outputs(&self, state: &ImpactState, out: &mut [f64]) {
        self.observe_sensors(&state.q, &state.v, &state.a, out);
    }
}
