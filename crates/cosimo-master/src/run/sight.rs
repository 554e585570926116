//! What is to be seen of a model.

use cosimo_subsystem::scene::{ContactForce, Pose, Scene, Sight};

use super::observer::{FrameRecord, Observer};
use crate::master::Master;

/// The frames of a run that an observer wants, with their storage.
#[derive(Debug, Default)]
pub(super) struct Frames {
    has_bodies: bool,
    loads: Vec<f64>,
    own: Sight,
    sight: Sight,
}

impl Frames {
    /// Of a model, whose scene the observer is shown.
    pub(super) fn of(master: &Master, observer: &mut dyn Observer) -> Self {
        let scene = master.scene();
        if !scene.is_empty() {
            observer.scene(&scene);
        }
        Self { has_bodies: !scene.is_empty(), ..Self::default() }
    }

    /// Shows the present communication point if it is wanted.
    #[inline]
    pub(super) fn show(
        &mut self,
        master: &Master,
        (step, is_last): (u64, bool),
        observer: &mut dyn Observer,
    ) {
        if self.has_bodies && observer.wants_frame(step, master.time(), is_last) {
            self.show_wanted(master, (step, is_last), observer);
        }
    }

    #[cold]
    fn show_wanted(&mut self, master: &Master, (step, is_last): (u64, bool), observer: &mut dyn Observer) {
        let Self { loads, own, sight, .. } = self;
        look(master, loads, own, sight);
        let energy = master.sim.energy.monitor.balance();
        observer.frame(&FrameRecord { step, time: master.time(), sight, energy, is_last });
    }
}

/// What the model looks like.
pub(super) fn scene(master: &Master) -> Scene {
    let mut scene = Scene::default();
    for subsystem in &master.sim.subsystems.all {
        let description = subsystem.description();
        scene.add(&description.name, &description.appearance);
    }
    scene
}

/// The forces of the contacts as loads on the rows of all subsystems.
fn write_contact_loads(master: &Master, loads: &mut Vec<f64>) {
    let topology = &master.sim.topology;
    loads.clear();
    loads.resize(topology.subsystems.last().map_or(0, |layout| layout.rows.end), 0.0);
    for (row, force) in topology.contact_rows.iter().zip(&master.sim.contacts.forces) {
        loads[row.global_row] = *force;
    }
}

/// Looks at all subsystems, one behind the other; the poses of one that has panicked or cannot be asked are unknown.
pub(super) fn look(master: &Master, loads: &mut Vec<f64>, own: &mut Sight, out: &mut Sight) {
    let topology = &master.sim.topology;
    write_contact_loads(master, loads);
    out.clear();
    let mut first = 0;
    for (i, (layout, subsystem)) in topology.subsystems.iter().zip(&master.sim.subsystems.all).enumerate() {
        let appearance = &subsystem.description().appearance;
        if appearance.is_empty() {
            continue;
        }
        let is_seen = !master.sim.subsystems.has_panicked(i)
            && subsystem.look(&loads[layout.rows.clone()], own).is_ok();
        if !is_seen || !own.fits(appearance) {
            own.clear();
            own.poses.resize(appearance.bodies.len(), Pose::unknown());
        }
        out.poses.extend_from_slice(&own.poses);
        let renumbered = |force: &ContactForce| ContactForce { contact: force.contact + first, ..*force };
        out.forces.extend(own.forces.iter().map(renumbered));
        first += appearance.contacts.len() as u32;
    }
}
