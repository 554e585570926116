//! The master: subsystems, interfaces, and the state of the coupling.

use cosimo_nonsmooth::{ContactChange, ContactMemory, ImpactResolution};
use cosimo_subsystem::Subsystem;

use crate::clock::Clock;
use crate::condensation::Condensation;
use crate::contacts::ContactProblems;
use crate::energy_guard::EnergyGuard;
use crate::ladder::Ladder;
use crate::layout::Layout;
use crate::monitor::Monitor;
use crate::parallel::{Crew, Seat, seats};
use crate::schemes::Iteration;
use crate::statistics::Counters;
use crate::step_control::{self, Control};
use crate::step_rows::StepRows;
use crate::{EnergyBalance, Impacts, Interface, MasterConfig, Rung, SetupError};

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
            all_affine: layout.is_affine(),
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
            seats: seats(&layout),
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
}

impl std::fmt::Debug for Master {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Master")
            .field("time", &self.clock.now)
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
