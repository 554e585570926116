//! The master: subsystems, interfaces, and the state of the coupling.

use cosimo_mechanics::EnergyBalance;
use cosimo_subsystem::{LoadWeights, Subsystem};

use crate::communication_point::jump::jump;
use crate::communication_point::read::warn_of_turned_bushings;
use crate::communication_point::read_communication_point;
use crate::energy::Energy;
use crate::energy::limit::check_energy_action;
use crate::execution::coupling_mode::{CouplingMode, CouplingModes};
use crate::execution::executor::among_threads;
use crate::loads::responses::limit_responses;
use crate::open_ports::{
    RowChanges, RowLoad, has_step_response, joint_impulses, prepare, project_positions, respond_to_impulses,
    respond_to_loads,
};
use crate::setup::initial::admit_initial_state;
use crate::simulation::StepContext;
use crate::step::instant_forces::{find_forces, needs_instant_forces};
use crate::step::macro_step;
use crate::step::split::collide;
use crate::step::stops::{PendingImpacts, can_stop};
use crate::step_control::check::check_subsystems;
use crate::topology::Topology;
use crate::{Assembly, Interface, MasterConfig, SetupError, StepError, StepSummary, Warning};

/// Couples subsystems at interfaces and steps them together.
///
/// ```
/// use cosimo_master::{Interface, InterfaceLaw, Master, MasterConfig};
/// # use cosimo_subsystem::{LoadWeights, Subsystem};
/// # fn couple(blade: Box<dyn Subsystem>, node: Box<dyn Subsystem>) -> Result<(), Box<dyn std::error::Error>> {
/// let joint = Interface::new("stop", "node.centre", "blade.arm", InterfaceLaw::Rigid);
/// let mut master = Master::new(vec![node, blade], vec![joint], MasterConfig::default(), 0.0)?;
/// for _ in 0..1000 {
///     master.step(1e-3)?;
/// }
/// # Ok(())
/// # }
/// ```
pub struct Master {
    pub(crate) sim: StepContext,
}

impl Master {
    /// Joins subsystems at interfaces, at time `time` (s), and checks or projects the initial state. The short form of
    /// [`assemble`](Self::assemble) for models without connections between signals.
    ///
    /// # Errors
    /// Everything that can be wrong with names, ports, laws, capabilities, settings and the initial state.
    pub fn new(
        subsystems: Vec<Box<dyn Subsystem>>,
        interfaces: Vec<Interface>,
        config: MasterConfig,
        time: f64,
    ) -> Result<Self, SetupError> {
        Self::assemble(Assembly { subsystems, interfaces, ..Assembly::default() }, config, time)
    }

    /// As [`new`](Self::new), with connections between signals: inputs start at the outputs of the initial state.
    ///
    /// # Errors
    /// As [`new`](Self::new), and what can be wrong with connections.
    pub fn assemble(assembly: Assembly, config: MasterConfig, time: f64) -> Result<Self, SetupError> {
        let Assembly { subsystems, interfaces, connections, open } = assembly;
        config.validate()?;
        if !time.is_finite() {
            return Err(SetupError::Time { found: time });
        }
        let (coupling, all) = CouplingModes::new(subsystems, &interfaces, &config)?;
        check_subsystems(&config, &all, &coupling.modes)?;
        let descriptions: Vec<_> = all.iter().map(|s| s.description()).collect();
        let topology = Topology::new(&descriptions, interfaces, (&connections, &open), config)?;
        let mut sim = StepContext::new(topology, coupling, all, time)?;
        limit_responses(&sim.topology, &mut sim.subsystems, &sim.loads.history);
        check_energy_action(&sim.topology.config, &sim.subsystems.all, &sim.coupling.modes)?;
        sim.signals.start(&sim.topology, &mut sim.subsystems, time)?;
        read_communication_point(
            &sim.topology,
            &sim.subsystems.all,
            &mut sim.rows,
            &mut sim.linearisation,
            &mut sim.condensation,
            &mut sim.joints,
        );
        warn_of_turned_bushings(sim.linearisation.of(&sim.topology), &mut sim.warnings, sim.clock.now);
        sim.subsystems.check_rows(&sim.topology, &sim.rows)?;
        admit_initial_state(&mut sim)?;
        sim.signals.start(&sim.topology, &mut sim.subsystems, time)?;
        let model = sim.linearisation.of(&sim.topology);
        sim.energy.monitor.start(model, &sim.rows, &sim.subsystems.all);
        let Energy { monitor, guard, .. } = &mut sim.energy;
        guard.watch.begin(monitor, &sim.subsystems.all);
        Ok(Self { sim })
    }

    /// Takes a macro step of size `h` (s).
    ///
    /// # Errors
    /// The step failed; the model stands at the last communication point reached.
    pub fn step(&mut self, h: f64) -> Result<StepSummary, StepError> {
        self.check_size(h)?;
        among_threads(self.sim.subsystems.sharing(), || macro_step(&mut self.sim, h))
    }

    fn check_size(&self, h: f64) -> Result<(), StepError> {
        let time = self.time();
        let is_size = h > 0.0 && h.is_finite() && time + h > time;
        if is_size { Ok(()) } else { Err(StepError::Size { time, size: h }) }
    }

    /// Whether steps can stop at impacts: the model has contacts whose impacts are resolved at their instants.
    #[must_use]
    pub fn can_stop_at_impacts(&self) -> bool {
        can_stop(&self.sim.topology)
    }

    /// Takes a macro step of size `h` (s), or what of it lies before the next impact; then the impacts are pending, and the step that
    /// follows begins with [`pass_impacts`](Self::pass_impacts). Clusters with contacts count as not affine from here on.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn step_until_impact(&mut self, h: f64) -> Result<(StepSummary, PendingImpacts), StepError> {
        self.check_size(h)?;
        let sim = &mut self.sim;
        sim.linearisation.split_all(&sim.topology);
        sim.progress.stops_at_impacts = true;
        let taken = among_threads(sim.subsystems.sharing(), || macro_step(sim, h));
        sim.progress.stops_at_impacts = false;
        let has_stopped = std::mem::take(&mut sim.progress.has_stopped);
        let hits = if has_stopped { &sim.contacts.hits[..] } else { &[] };
        Ok((taken?, PendingImpacts::of(hits)))
    }

    /// Lets the velocities jump at impacts that are pending, for a model that goes on with steps of this size (s).
    ///
    /// # Errors
    /// The impacts have no solution.
    pub fn pass_impacts(&mut self, pending: &PendingImpacts, size: f64) -> Result<(), StepError> {
        let sim = &mut self.sim;
        pending.write(sim.topology.contacts.len(), &mut sim.contacts.hits);
        if sim.contacts.hits.is_empty() {
            return Ok(());
        }
        let part = sim.progress.begin_anew(sim.clock.now, size);
        among_threads(sim.subsystems.sharing(), || collide(sim, part))
    }

    /// Whether steps that are taken as a whole have one linear answer to loads on [open](crate::Assembly::open) ports: without contacts, without
    /// moves that close the gaps between unlike rules or of Tikhonov joints, and without subsystems that are coupled by extrapolation.
    #[must_use]
    pub fn has_step_response(&self) -> bool {
        has_step_response(&self.sim.topology, &self.sim.coupling.modes)
    }

    /// Whether all rules begin anew in the next step: it is the first, or the first after [`act`](Self::act) or
    /// [`pass_impacts`](Self::pass_impacts).
    #[must_use]
    pub fn begins_anew(&self) -> bool {
        self.sim.progress.begins_anew
    }

    /// How the ends of the step just taken answer to constant loads (N) on [open](crate::Assembly::open) ports over that step. `None`
    /// where [no linear answer tells](Self::has_step_response), of a step that was taken in several parts or [begins anew](Self::begins_anew) by rules
    /// that remember loads, and where no step was taken since the
    /// model was built or restored.
    pub fn step_response(&mut self, loads: &[RowLoad]) -> Option<RowChanges> {
        let sim = &mut self.sim;
        let size =
            sim.progress.whole_step.filter(|_| has_step_response(&sim.topology, &sim.coupling.modes))?;
        let model = sim.linearisation.of(&sim.topology);
        respond_to_loads(model, &mut sim.condensation, loads, (size, sim.progress.began_anew))
    }

    /// How a subsystem, by its index, has weighed loads in the step just taken; `None` where it was taken in several parts, and where no step was
    /// taken since the model was built or restored.
    #[must_use]
    pub fn load_weights(&self, subsystem: usize) -> Option<LoadWeights> {
        let model = self.sim.linearisation.models.get(subsystem)?;
        self.sim.progress.whole_step.map(|_| model.weights)
    }

    /// How velocities answer at the present communication point to impulses (N s) on open ports, for a model that goes on with steps of this
    /// size (s).
    ///
    /// # Errors
    /// A subsystem takes no impulses between steps, or contacts carry loads, which impulses from outside do not reach.
    pub fn impulse_response(&mut self, impulses: &[RowLoad], size: f64) -> Result<RowChanges, StepError> {
        let sim = &mut self.sim;
        let (time, topology) = (sim.clock.now, &sim.topology);
        let (linearisation, condensation) = (&mut sim.linearisation, &mut sim.condensation);
        sim.progress.whole_step = None;
        prepare(topology, &mut sim.subsystems, linearisation, condensation, &sim.contacts, (time, size))?;
        Ok(respond_to_impulses(linearisation.of(topology), condensation, impulses))
    }

    /// Changes the velocities at the present communication point by impulses (N s) on open ports, for a model that goes on with steps of this
    /// size (s). The energy that they put in is external work.
    ///
    /// # Errors
    /// As [`impulse_response`](Self::impulse_response).
    pub fn act(&mut self, impulses: &[RowLoad], size: f64) -> Result<(), StepError> {
        let loads = self.loads_through_joints(impulses, size)?;
        let sim = &mut self.sim;
        jump(&sim.topology, &mut sim.subsystems, &loads, sim.clock.now)?;
        self.take_up_changes(size)
    }

    /// Moves the positions at the present communication point by what impulses of these weights (kg m) on open ports would change the velocities
    /// by, for a model that goes on with steps of this size (s). The energy that it puts in is external work.
    ///
    /// # Errors
    /// As [`act`](Self::act), or a subsystem cannot be moved.
    pub fn project_positions(&mut self, weights: &[RowLoad], size: f64) -> Result<(), StepError> {
        let loads = self.loads_through_joints(weights, size)?;
        let sim = &mut self.sim;
        project_positions(&sim.topology, &mut sim.subsystems, &loads, sim.clock.now)?;
        self.take_up_changes(size)
    }

    /// Loads on all rows at the present instant: those given, and those that the joints pass on.
    fn loads_through_joints(&mut self, given: &[RowLoad], size: f64) -> Result<Vec<f64>, StepError> {
        let sim = &mut self.sim;
        let (time, topology) = (sim.clock.now, &sim.topology);
        let (linearisation, condensation) = (&mut sim.linearisation, &mut sim.condensation);
        sim.progress.whole_step = None;
        prepare(topology, &mut sim.subsystems, linearisation, condensation, &sim.contacts, (time, size))?;
        Ok(joint_impulses(linearisation.of(topology), condensation, given))
    }

    /// What was changed from outside is the present state, from which all rules begin anew.
    fn take_up_changes(&mut self, size: f64) -> Result<(), StepError> {
        let sim = &mut self.sim;
        let (time, topology) = (sim.clock.now, &sim.topology);
        let (linearisation, condensation) = (&mut sim.linearisation, &mut sim.condensation);
        sim.progress.begins_anew = true;
        sim.loads.history.interrupt();
        let (all, rows) = (&sim.subsystems.all, &mut sim.rows);
        read_communication_point(topology, all, rows, linearisation, condensation, &mut sim.joints);
        let checked = sim.subsystems.check_rows(topology, rows);
        checked.map_err(|source| StepError::NotCommitted { time, source })?;
        sim.energy.monitor.book_changes_from_outside(all);
        sim.contacts.forces.fill(0.0);
        let (model, modes) = (linearisation.of(topology), &sim.coupling.modes);
        if needs_instant_forces(model, &sim.contacts.state, modes, all, size) {
            find_forces(sim, size);
        }
        Ok(())
    }

    /// Accounts for that the subsystems have other energies than the state says that was restored, as with other parameters: external work.
    pub fn book_changed_energies(&mut self) {
        self.sim.energy.monitor.book_changes_from_outside(&self.sim.subsystems.all);
    }

    /// Evaluates the signals of the present communication point anew, after something outside of the model has changed what a subsystem gives.
    ///
    /// # Errors
    /// The signals cannot be evaluated.
    pub fn refresh_signals(&mut self) -> Result<(), StepError> {
        let sim = &mut self.sim;
        if !sim.topology.has_signals {
            return Ok(());
        }
        let (has_jumped, time) = (sim.contacts.has_jumped(), sim.clock.now);
        among_threads(sim.subsystems.sharing(), || {
            sim.signals.read(&sim.topology, &mut sim.subsystems, has_jumped, time)
        })
    }

    /// Time of the present communication point (s).
    #[must_use]
    pub fn time(&self) -> f64 {
        self.sim.clock.now
    }

    /// The subsystems, in the order given.
    #[must_use]
    pub fn subsystems(&self) -> &[Box<dyn Subsystem>] {
        &self.sim.subsystems.all
    }

    /// The settings.
    #[must_use]
    pub fn config(&self) -> &MasterConfig {
        &self.sim.topology.config
    }

    /// Warnings found so far, the first first.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        self.sim.warnings.given()
    }

    /// How each subsystem is coupled, in the order given; claims are verified in the first step.
    #[must_use]
    pub fn coupling_modes(&self) -> &[CouplingMode] {
        &self.sim.coupling.modes
    }

    /// The loops of outputs that depend on each other at once, each by the names of its outputs.
    #[must_use]
    pub fn signal_loops(&self) -> Vec<String> {
        self.sim.topology.signals.loop_names().collect()
    }

    /// The value of an output `subsystem.output` at the present communication point; `None` where there is none, or none that
    /// is exchanged: it feeds no input, and a quantity shows it.
    #[must_use]
    pub fn signal(&self, name: &str) -> Option<f64> {
        Some(self.sim.signals.state.outputs[self.sim.topology.signals.output(name)?])
    }

    /// The energies up to the present communication point.
    #[must_use]
    pub fn energy(&self) -> EnergyBalance {
        self.sim.energy.monitor.balance()
    }

    /// Forces of an interface at the present communication point (N): of compliant joints from their state, of
    /// rigid ones the mean over the last step, of load interfaces the loads on the body. `None` when there is no such interface.
    #[must_use]
    pub fn interface_force(&self, name: &str) -> Option<&[f64]> {
        if let Some(load) = self.sim.topology.load_joints.iter().find(|joint| joint.name == name) {
            return Some(&self.sim.loads.history.present[load.coordinates()]);
        }
        let joint = self.sim.topology.joints.iter().find(|joint| joint.name == name)?;
        Some(&self.sim.joints.end[joint.unknowns()])
    }

    /// Impulses that an interface passed in the last macro step (N s): of its force over the step, and at impacts
    /// inside it. `None` when there is no such interface.
    #[must_use]
    pub fn interface_impulse(&self, name: &str) -> Option<&[f64]> {
        let joint = self.sim.topology.joints.iter().find(|joint| joint.name == name)?;
        Some(&self.sim.joints.impulses[joint.unknowns()])
    }
}

impl std::fmt::Debug for Master {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Master")
            .field("time", &self.time())
            .field("config", &self.sim.topology.config)
            .finish_non_exhaustive()
    }
}
