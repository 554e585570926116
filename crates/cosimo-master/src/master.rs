//! The master: subsystems, interfaces, and the state of the coupling.

use cosimo_nonsmooth::{ContactChange, ContactMemory, ImpactResolution};
use cosimo_subsystem::Subsystem;
use serde::{Deserialize, Serialize};

use crate::condensation::Condensation;
use crate::contacts::ContactProblems;
use crate::energy_guard::EnergyGuard;
use crate::interface_rows::Mode;
use crate::ladder::Ladder;
use crate::layout::Layout;
use crate::monitor::Monitor;
use crate::parallel::{Crew, Seat};
use crate::schemes::Iteration;
use crate::statistics::Counters;
use crate::step_control::{self, Control};
use crate::{EnergyBalance, Impacts, Interface, InterfaceLaw, MasterConfig, QuantityLabel, Rung, SetupError};

/// Couples subsystems at interfaces and steps them together.
///
/// ```
/// use cosimo_master::{Interface, InterfaceLaw, Master, MasterConfig};
/// # use cosimo_subsystem::Subsystem;
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
    pub(crate) subsystems: Vec<Box<dyn Subsystem>>,
    pub(crate) crew: Crew,
    pub(crate) seats: Vec<Seat>,
    pub(crate) layout: Layout,
    pub(crate) ladder: Ladder,
    /// What controls the step of a run, once it has begun.
    pub(crate) step_control: Option<Control>,
    pub(crate) config: MasterConfig,
    pub(crate) condensation: Condensation,
    pub(crate) contact_problems: ContactProblems,
    pub(crate) memory: Vec<ContactMemory>,
    /// What happened at the contacts in the last macro step, in all its parts.
    pub(crate) contact_changes: Vec<ContactChange>,
    /// Contacts hit at the impact at hand.
    pub(crate) hits: Vec<usize>,
    /// The iterative scheme, if it is one.
    pub(crate) iteration: Option<Box<Iteration>>,
    pub(crate) clock: Clock,
    pub(crate) rows: StepRows,
    /// Whether any subsystem starts on a call that is posted to it.
    pub(crate) has_posts: bool,
    /// Whether loads of the step at hand may hold impulses inside it.
    pub(crate) has_moments: bool,
    pub(crate) monitor: Monitor,
    pub(crate) energy_guard: EnergyGuard,
    pub(crate) counters: Counters,
    pub(crate) all_affine: bool,
    /// Size of the macro step at hand (s), of which parts may be taken.
    pub(crate) macro_size: f64,
    pub(crate) warnings: Vec<String>,
    pub(crate) warned: bool,
    /// Subsystems that have panicked, and what they said.
    pub(crate) fallen: Vec<(usize, String)>,
}

/// Communication points `t₀ + k h`, computed from the index as long as the step stays the same.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Clock {
    origin: f64,
    step: f64,
    index: u64,
    pub(crate) now: f64,
}

impl Clock {
    fn at(time: f64) -> Self {
        Self { origin: time, step: 0.0, index: 0, now: time }
    }

    /// Advances by `h` (s).
    pub(crate) fn advance(&mut self, h: f64) {
        if h.to_bits() != self.step.to_bits() {
            *self = Self { origin: self.now, step: h, index: 0, now: self.now };
        }
        self.index += 1;
        self.now = self.origin + self.index as f64 * self.step;
    }
}

/// The rows of all subsystems and the unknowns of all interfaces in the step at hand.
#[derive(Debug, Default)]
pub(crate) struct StepRows {
    /// Rows at the start of the step.
    pub(crate) start_positions: Vec<f64>,
    pub(crate) start_velocities: Vec<f64>,
    /// Rows at the communication point just reached, until they are those of the next start.
    pub(crate) next_positions: Vec<f64>,
    pub(crate) next_velocities: Vec<f64>,
    /// Rows at the end without any interface load (of the affine model).
    pub(crate) free_positions: Vec<f64>,
    pub(crate) free_velocities: Vec<f64>,
    /// Rows at the end with the loads found, without impulses inside the step.
    pub(crate) end_positions: Vec<f64>,
    pub(crate) end_velocities: Vec<f64>,
    /// Impulses over the step on all rows.
    pub(crate) loads: Vec<f64>,
    /// Finite loads at the start on all rows.
    pub(crate) start_loads: Vec<f64>,
    /// Interface unknowns.
    pub(crate) unknowns: Vec<f64>,
    /// Interface forces at the start and at the end of the step (N).
    pub(crate) start_forces: Vec<f64>,
    pub(crate) end_forces: Vec<f64>,
    /// Gaps, one a contact, and rates, one a contact row, at the start and, without contact impulses, at the end.
    pub(crate) start_gaps: Vec<f64>,
    pub(crate) start_rates: Vec<f64>,
    pub(crate) end_gaps: Vec<f64>,
    pub(crate) end_rates: Vec<f64>,
    /// By how much the contact rows move by themselves, `∂y/∂t`, at the start of the step and of the one before;
    /// empty where none does.
    pub(crate) own_rates: [Vec<f64>; 2],
    /// Impulses of contacts and joints in the macro step at hand, in all its parts (N s).
    pub(crate) contact_impulses: Vec<f64>,
    pub(crate) has_contact_impulses: bool,
    pub(crate) joint_impulses: Vec<f64>,
    /// Gaps of the rigid joints at the end of the step (m), then what closes them (kg m).
    pub(crate) end_gaps_of_joints: Vec<f64>,
}

impl StepRows {
    fn new(layout: &Layout) -> Self {
        let (r, m, c, contact_rows) = (
            vec![0.0; layout.rows],
            vec![0.0; layout.unknowns],
            vec![0.0; layout.contacts.len()],
            vec![0.0; layout.contact_rows.len()],
        );
        Self {
            start_positions: r.clone(),
            start_velocities: r.clone(),
            next_positions: r.clone(),
            next_velocities: r.clone(),
            free_positions: r.clone(),
            free_velocities: r.clone(),
            end_positions: r.clone(),
            end_velocities: r.clone(),
            loads: r.clone(),
            start_loads: r,
            unknowns: m.clone(),
            start_forces: m.clone(),
            end_forces: m.clone(),
            joint_impulses: m.clone(),
            end_gaps_of_joints: m,
            start_gaps: c.clone(),
            start_rates: contact_rows.clone(),
            end_gaps: c,
            end_rates: contact_rows.clone(),
            contact_impulses: contact_rows,
            has_contact_impulses: false,
            own_rates: [Vec::new(), Vec::new()],
        }
    }

    /// Begins the sums of impulses of a macro step.
    pub(crate) fn clear_impulses(&mut self) {
        if self.has_contact_impulses {
            self.contact_impulses.fill(0.0);
            self.has_contact_impulses = false;
        }
        self.joint_impulses.iter_mut().for_each(|sum| *sum = 0.0);
    }
}

/// Copies positions and velocities of the rows of one subsystem up to the first that is not finite; says whether there
/// was none.
#[inline]
pub(crate) fn copy_rows(
    (positions, velocities): (&[f64], &[f64]),
    (own_positions, own_velocities): (&mut [f64], &mut [f64]),
) -> bool {
    let own = own_positions.iter_mut().zip(own_velocities);
    for ((own_z, own_rate), (z, rate)) in own.zip(positions.iter().zip(velocities)) {
        (*own_z, *own_rate) = (*z, *rate);
        if !(z.is_finite() && rate.is_finite()) {
            return false;
        }
    }
    true
}

impl Master {
    /// Joins subsystems at interfaces, at time `time` (s), and checks or projects the initial state.
    ///
    /// # Errors
    /// Everything that can be wrong with names, ports, laws, capabilities, settings and the initial state.
    pub fn new(
        subsystems: Vec<Box<dyn Subsystem>>,
        interfaces: Vec<Interface>,
        config: MasterConfig,
        time: f64,
    ) -> Result<Self, SetupError> {
        config.validate()?;
        let (ladder, subsystems) = Ladder::new(subsystems, &interfaces, &config)?;
        step_control::check_subsystems(&config, &subsystems, &ladder.rungs)?;
        let descriptions: Vec<_> = subsystems.iter().map(|s| s.description()).collect();
        let layout = Layout::new(&descriptions, interfaces, &config)?;
        let resolution = match config.impacts {
            Impacts::SubStep => ImpactResolution::SubStep,
            Impacts::Plain => ImpactResolution::Plain,
            Impacts::Forecast => ImpactResolution::Forecast,
        };
        let mut master = Self {
            all_affine: layout.members.iter().all(|member| member.is_affine) && !layout.has_bushings(),
            condensation: Condensation::new(&layout),
            contact_problems: ContactProblems::new(&layout, resolution),
            memory: vec![ContactMemory::OPEN; layout.contacts.len()],
            contact_changes: Vec::with_capacity(16 * layout.contacts.len()),
            hits: Vec::with_capacity(layout.contacts.len()),
            iteration: config.scheme.is_iterative().then(|| Box::new(Iteration::new(&layout, &config))),
            clock: Clock::at(time),
            rows: StepRows::new(&layout),
            has_posts: subsystems.iter().any(|subsystem| subsystem.takes_posts()),
            has_moments: false,
            monitor: Monitor::new(&layout),
            energy_guard: EnergyGuard::new(&layout),
            counters: Counters::new(&layout),
            crew: Crew::new(config.threads, subsystems.len())?,
            seats: layout.members.iter().map(|member| Seat::new(member.rows.len())).collect(),
            macro_size: 0.0,
            warnings: Vec::new(),
            warned: false,
            fallen: Vec::new(),
            subsystems,
            layout,
            ladder,
            step_control: None,
            config,
        };
        if master.subsystems.iter().any(|subsystem| !subsystem.rows().own_velocities.is_empty()) {
            master.rows.own_rates = [(); 2].map(|()| vec![0.0; master.layout.contact_rows.len()]);
        }
        master.check_energy_action()?;
        master.read_rows();
        master.check_rows()?;
        master.admit_initial_state()?;
        master.monitor.start(&master.layout, &master.rows, &master.subsystems);
        Ok(master)
    }

    /// Time of the present communication point (s).
    #[must_use]
    pub fn time(&self) -> f64 {
        self.clock.now
    }

    /// The subsystems, in the order given.
    #[must_use]
    pub fn subsystems(&self) -> &[Box<dyn Subsystem>] {
        &self.subsystems
    }

    /// The settings.
    #[must_use]
    pub fn config(&self) -> &MasterConfig {
        &self.config
    }

    /// Warnings found so far, in plain words.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// How each subsystem is coupled, in the order given; claims are verified in the first step.
    #[must_use]
    pub fn rungs(&self) -> &[Rung] {
        &self.ladder.rungs
    }

    /// Tells a warning, and keeps it.
    pub(crate) fn warn(&mut self, text: String) {
        tracing::warn!("{text}");
        self.warnings.push(text);
    }

    /// The energies up to the present communication point.
    #[must_use]
    pub fn energy(&self) -> EnergyBalance {
        self.monitor.balance()
    }

    /// Forces of an interface at the present communication point (N): of compliant joints from their state, of
    /// rigid ones the mean over the last step. `None` when there is no such interface.
    #[must_use]
    pub fn interface_force(&self, name: &str) -> Option<&[f64]> {
        let joint = self.layout.joints.iter().find(|joint| joint.name == name)?;
        Some(&self.rows.end_forces[joint.unknowns()])
    }

    /// Impulses that an interface passed in the last macro step (N s): of its force over the step, and at impacts
    /// inside it. `None` when there is no such interface.
    #[must_use]
    pub fn interface_impulse(&self, name: &str) -> Option<&[f64]> {
        let joint = self.layout.joints.iter().find(|joint| joint.name == name)?;
        Some(&self.rows.joint_impulses[joint.unknowns()])
    }

    /// Labels of all quantities: those of the subsystems, the impulses of their contacts; of the interfaces forces, gaps
    /// and impulses, and the iterations, the residual and the energy created (J) of the last macro step.
    #[must_use]
    pub fn labels(&self) -> Vec<QuantityLabel> {
        let mut labels = Vec::new();
        let mut push = |owner: &str, name: String, unit: &str| {
            labels.push(QuantityLabel { owner: owner.to_owned(), name, unit: unit.to_owned() });
        };
        for subsystem in &self.subsystems {
            let description = subsystem.description();
            for quantity in &description.quantities {
                push(&description.name, quantity.name.clone(), &quantity.unit);
            }
            for contact in &description.contacts {
                push(&description.name, format!("{}.impulse", contact.name), "N s");
                for name in contact.slip_names("friction") {
                    push(&description.name, format!("{}.{name}", contact.name), "N s");
                }
            }
        }
        for joint in &self.layout.joints {
            for (name, plain) in [("force", "N"), ("gap", "m"), ("impulse", "N s")] {
                for k in 0..joint.size {
                    let unit = match (name, joint.frame.is_some() && k >= 3) {
                        ("force", true) => "N m",
                        ("gap", true) => "rad",
                        (_, true) => "N m s",
                        _ => plain,
                    };
                    let name = if joint.size == 1 { name.to_owned() } else { format!("{name}_{k}") };
                    push(&joint.name, name, unit);
                }
            }
            for (name, unit) in [("iterations", ""), ("residual", ""), ("created", "J")] {
                push(&joint.name, name.to_owned(), unit);
            }
        }
        labels
    }

    /// Writes the present values in the order of [`labels`](Self::labels); those of a subsystem that has panicked are not
    /// known, NaN.
    pub fn observe(&self, out: &mut [f64]) {
        let mut next = 0;
        for (i, (member, subsystem)) in self.layout.members.iter().zip(&self.subsystems).enumerate() {
            let count = subsystem.description().quantities.len();
            let own = &mut out[next..next + count];
            if self.has_fallen(i) {
                own.fill(f64::NAN)
            } else {
                subsystem.observe(own)
            }
            next += count;
            for contact in &self.layout.contacts[member.contacts.clone()] {
                for row in std::iter::once(contact.gap).chain(contact.slips.clone()) {
                    out[next] = self.rows.contact_impulses[row];
                    next += 1;
                }
            }
        }
        for (j, joint) in self.layout.joints.iter().enumerate() {
            for k in 0..joint.size {
                out[next + k] = self.rows.end_forces[joint.first + k];
                out[next + joint.size + k] = joint.present_gap(k, &self.rows.start_positions);
                out[next + 2 * joint.size + k] = self.rows.joint_impulses[joint.first + k];
            }
            next += 3 * joint.size;
            let tally = self.counters.interfaces.of_step(j);
            let created = self.monitor.created_in_step(j);
            out[next..next + 3].copy_from_slice(&[tally.iterations as f64, tally.residual, created]);
            next += 3;
        }
    }

    /// Takes over the rows of all subsystems at the present communication point.
    pub(crate) fn read_rows(&mut self) {
        for (member, subsystem) in self.layout.members.iter().zip(&self.subsystems) {
            let rows = subsystem.rows();
            let positions = &mut self.rows.start_positions[member.rows.clone()];
            let velocities = &mut self.rows.start_velocities[member.rows.clone()];
            copy_rows((&rows.positions, &rows.velocities), (positions, velocities));
        }
        self.look_around();
    }

    /// Takes over the rows of the communication point just reached.
    pub(crate) fn take_next_rows(&mut self) {
        std::mem::swap(&mut self.rows.start_positions, &mut self.rows.next_positions);
        std::mem::swap(&mut self.rows.start_velocities, &mut self.rows.next_velocities);
        self.look_around();
    }

    /// What follows from the rows at the present communication point: contacts, frames, forces of springs.
    fn look_around(&mut self) {
        for (k, row) in self.layout.contact_rows.iter().enumerate() {
            if let Some(contact) = row.gap_of {
                self.rows.start_gaps[contact] = self.rows.start_positions[row.global_row];
            }
            self.rows.start_rates[k] = self.rows.start_velocities[row.global_row];
        }
        let rows = (self.rows.start_positions.as_slice(), self.rows.start_velocities.as_slice());
        for &j in &self.layout.frames {
            let joint = &mut self.layout.joints[j];
            if let Some(frame) = &mut joint.frame {
                frame.read(&self.subsystems, rows);
                // The tangents of a bushing turn with its frame.
                self.condensation
                    .note(self.layout.members[joint.sides[0].subsystem].cluster, frame.is_compliant());
            }
        }
        self.read_own_rates();
        self.read_spring_forces();
        self.warn_of_turned_bushings();
    }

    /// Warns, once, of bushings that come to half a turn.
    fn warn_of_turned_bushings(&mut self) {
        for i in 0..self.layout.frames.len() {
            let joint = &mut self.layout.joints[self.layout.frames[i]];
            if joint.frame.as_mut().is_some_and(|frame| frame.has_turned_too_far()) {
                let text = format!(
                    "interface `{}` is turned by almost half a turn: beyond it the bushing takes the shorter way round \
                     and its moment changes sign; use a smaller load, a stiffer bushing, or a joint that leaves the \
                     axis free",
                    joint.name
                );
                self.warn(text);
            }
        }
    }

    /// Forces of the compliant joints at the present communication point.
    fn read_spring_forces(&mut self) {
        let state = (self.rows.start_positions.as_slice(), self.rows.start_velocities.as_slice());
        for wire in self.condensation.wires.iter().filter(|wire| !wire.passes_impulses && wire.is_single) {
            self.rows.end_forces[wire.unknown] = wire.spring_force(state.0, state.1);
        }
        for &j in &self.condensation.coupled {
            let joint = &self.layout.joints[j];
            for k in 0..joint.size {
                if let Some(force) = joint.spring_force(k, state) {
                    self.rows.end_forces[joint.first + k] = force;
                }
            }
        }
    }

    fn read_own_rates(&mut self) {
        if self.rows.own_rates[0].is_empty() {
            return;
        }
        self.rows.own_rates.swap(0, 1);
        for (own, row) in self.rows.own_rates[0].iter_mut().zip(&self.layout.contact_rows) {
            let rows = self.subsystems[row.subsystem].rows();
            *own = rows.own_velocities.get(row.row).copied().unwrap_or(0.0);
        }
    }

    /// Warns, once, of joints that hold what others hold already.
    pub(crate) fn warn_of_redundant_joints(&mut self) {
        for joints in self.condensation.take_redundant() {
            let names: Vec<&str> = joints.iter().map(|&j| self.layout.joints[j].name.as_str()).collect();
            let text = format!(
                "the interfaces {} are redundant: they form a loop that holds something twice. They are relaxed a \
                 little and share the load; the motion does not depend on it, the force of each of them does",
                crate::error::list_names(&names)
            );
            if !self.warnings.contains(&text) {
                tracing::warn!("{text}");
                self.warnings.push(text);
            }
        }
    }

    /// Warns, once, of Tikhonov joints that are not rigid for the step in use.
    pub(crate) fn warn_of_soft_tikhonov_joints(&mut self) {
        if self.warned {
            return;
        }
        self.warned = true;
        let Mode::Step { macro_size: h, .. } = self.condensation.mode() else { return };
        for joint in &self.layout.joints {
            let InterfaceLaw::Tikhonov { constant } = joint.law else { continue };
            let relaxation = constant / (h * h);
            let inverse_mass = joint
                .sides
                .iter()
                .flat_map(|side| {
                    let w = &self.layout.members[side.subsystem].compliance;
                    (0..joint.size).map(move |k| w[(side.row + k, side.row + k)])
                })
                .fold(f64::INFINITY, f64::min);
            if relaxation > 1e-3 * inverse_mass {
                let text = format!(
                    "interface `{}`: c/h² = {relaxation:.3e} 1/kg is not small against the ports' smallest inverse \
                     mass {inverse_mass:.3e} 1/kg: the joint transmits only the inertia h²/c = {:.3e} kg a step; \
                     use a smaller constant, or a rigid joint",
                    joint.name,
                    1.0 / relaxation
                );
                tracing::warn!("{text}");
                self.warnings.push(text);
            }
        }
    }
}

impl std::fmt::Debug for Master {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Master")
            .field("time", &self.clock.now)
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
