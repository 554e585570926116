//! The fallback ladder: how each subsystem is coupled, from what it can.
//!
//! | the subsystem | rung |
//! |---|---|
//! | tells its compliance, and a finite difference confirms it | exact |
//! | can re-evaluate a step | differenced; quasi-Newton with more than [`MANY_ROWS`] rows and no contacts |
//! | takes several micro steps a macro step | as one that can re-evaluate a step |
//! | neither | explicit, on compliant joints and without contacts of its own |
//!
//! Capabilities decide when the master is made, claims are verified before the first step. Every rung but the first is
//! a decorator of `cosimo-black-box`.

use cosimo_black_box::{DifferencedCompliance, Explicit, LoadHistory, Refresh, SubCycled, Verdict, verify};
use cosimo_subsystem::{Capabilities, Compliance, Description, MacroStep, PortSpec, Subsystem};
use serde::{Deserialize, Serialize};

use crate::initial::INSTANT;
use crate::layout::Layout;
use crate::parallel::seats;
use crate::{Interface, Master, MasterConfig, SetupError, StepError};

/// More rows than these cost too many evaluations a refresh.
const MANY_ROWS: usize = 12;

/// How a subsystem is to be coupled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Coupling {
    /// By the best that its capabilities allow, its claims verified.
    #[default]
    Auto,
    /// By the compliance that it tells; a false claim is a warning.
    Exact,
    /// By a compliance from finite differences of its answers.
    Differenced,
    /// By a compliance from a scalar mass and secant updates.
    QuasiNewton,
    /// By extrapolation of its motion.
    Explicit,
}

/// How a subsystem is coupled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rung {
    /// By the compliance that it tells, confirmed by a finite difference.
    Exact,
    /// By the compliance that it tells, which is not, or not yet, confirmed: it cannot re-evaluate a step.
    ExactUnverified,
    /// By the compliance that it tells although a finite difference contradicts it: as the settings want it.
    ExactContradicted,
    /// By a compliance from finite differences of its answers.
    Differenced,
    /// By a compliance from a scalar mass and secant updates.
    QuasiNewton,
    /// By extrapolation of its motion.
    Explicit,
}

impl Rung {
    /// Name as written to the summary.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::ExactUnverified => "exact-unverified",
            Self::ExactContradicted => "exact-contradicted",
            Self::Differenced => "differenced",
            Self::QuasiNewton => "quasi-newton",
            Self::Explicit => "explicit",
        }
    }
}

/// The rung of every subsystem.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Ladder {
    pub(crate) rungs: Vec<Rung>,
    /// Subsystems whose claims were found false and that are differenced instead.
    unmasked: Vec<bool>,
    is_settled: bool,
}

impl Ladder {
    /// Chooses a rung for every subsystem and puts it there.
    pub(crate) fn new(
        subsystems: Vec<Box<dyn Subsystem>>,
        interfaces: &[Interface],
        config: &MasterConfig,
    ) -> Result<(Self, Vec<Box<dyn Subsystem>>), SetupError> {
        check_names(&subsystems, config)?;
        let mut rungs = Vec::with_capacity(subsystems.len());
        let mut decorated = Vec::with_capacity(subsystems.len());
        for subsystem in subsystems {
            let subsystem = sub_cycle(subsystem, interfaces, config)?;
            let description = subsystem.description();
            let wanted = config.coupling(&description.name);
            let rung = choose(description, wanted)?;
            if rung == Rung::Explicit {
                check_explicit(description, interfaces, wanted)?;
            }
            rungs.push(rung);
            decorated.push(decorate(subsystem, rung, config));
        }
        let unmasked = vec![false; rungs.len()];
        Ok((Self { rungs, unmasked, is_settled: false }, decorated))
    }

    /// Whether a state that was saved on this ladder can be taken up here: no claim was found false there that still
    /// holds here, other than by what the first step finds.
    pub(crate) fn fits(&self, saved: &Self) -> bool {
        let tells =
            |rung: &Rung| matches!(rung, Rung::Exact | Rung::ExactUnverified | Rung::ExactContradicted);
        let fits = |i: usize| {
            let (own, other) = (&self.rungs[i], &saved.rungs[i]);
            match (self.unmasked[i], saved.unmasked[i]) {
                (true, true) => true,
                (true, false) => false,
                (false, true) => tells(own) || matches!(own, Rung::Differenced | Rung::QuasiNewton),
                (false, false) => own == other || (tells(own) && tells(other)),
            }
        };
        let count = self.rungs.len();
        saved.rungs.len() == count && saved.unmasked.len() == count && (0..count).all(fits)
    }
}

/// Wraps a subsystem that takes several micro steps per macro step. Loads of compliant joints are known at the start
/// of a step and vary linearly over it; others are constant.
fn sub_cycle(
    subsystem: Box<dyn Subsystem>,
    interfaces: &[Interface],
    config: &MasterConfig,
) -> Result<Box<dyn Subsystem>, SetupError> {
    let description = subsystem.description();
    let count = config.micro_steps.get(&description.name).copied().unwrap_or(1);
    if count == 1 {
        return Ok(subsystem);
    }
    let is_compliant = |port: &PortSpec| {
        interfaces.iter().any(|interface| {
            let sides = [&interface.a, &interface.b];
            let is_side = sides.iter().any(|side| side.0 == description.name && side.1 == port.name);
            is_side && !interface.law.passes_impulses()
        })
    };
    let history = |port: &PortSpec| if is_compliant(port) { LoadHistory::Linear } else { LoadHistory::Mean };
    let ports = description.ports.iter();
    let histories = ports.flat_map(|port| std::iter::repeat_n(history(port), port.size)).collect();
    Ok(Box::new(SubCycled::new(subsystem, count, histories)?))
}

fn check_names(subsystems: &[Box<dyn Subsystem>], config: &MasterConfig) -> Result<(), SetupError> {
    let is_there = |name: &str| subsystems.iter().any(|s| s.description().name == name);
    let names = config.couplings.keys().chain(config.micro_steps.keys());
    match { names }.find(|name| !is_there(name)) {
        None => Ok(()),
        Some(name) => {
            let known = subsystems.iter().map(|s| s.description().name.as_str()).collect::<Vec<_>>();
            Err(SetupError::UnknownSubsystem { subsystem: name.clone(), known: known.join(", ") })
        }
    }
}

/// The rung for these capabilities, or for what is wanted of them.
fn choose(description: &Description, wanted: Coupling) -> Result<Rung, SetupError> {
    let Capabilities { compliance, can_roll_back, .. } = description.capabilities;
    let tells = compliance == Compliance::Exact;
    let has_contacts = !description.contacts.is_empty();
    let lacks = |coupling, lack, remedy| {
        let subsystem = description.name.clone();
        Err(SetupError::Coupling { subsystem, coupling, lack, remedy })
    };
    const CANNOT: &str = "cannot evaluate a step before it is taken";
    match wanted {
        Coupling::Auto if tells => Ok(Rung::ExactUnverified),
        Coupling::Auto if can_roll_back && !has_contacts && description.rows() > MANY_ROWS => {
            Ok(Rung::QuasiNewton)
        }
        Coupling::Auto if can_roll_back => Ok(Rung::Differenced),
        Coupling::Auto | Coupling::Explicit => Ok(Rung::Explicit),
        Coupling::Exact if tells => Ok(Rung::ExactUnverified),
        Coupling::Exact => lacks("exact", "does not tell its compliance", "use coupling = \"auto\""),
        Coupling::Differenced if can_roll_back => Ok(Rung::Differenced),
        Coupling::Differenced => lacks("differenced", CANNOT, "use coupling = \"auto\""),
        Coupling::QuasiNewton if has_contacts => {
            let lack = "has contacts, which need their effective mass from the first solve on";
            lacks("quasi-newton", lack, "use coupling = \"differenced\"")
        }
        Coupling::QuasiNewton if can_roll_back => Ok(Rung::QuasiNewton),
        Coupling::QuasiNewton => lacks("quasi-newton", CANNOT, "use coupling = \"auto\""),
    }
}

/// Refuses what cannot be done without knowing how a subsystem answers to impulses.
fn check_explicit(
    description: &Description,
    interfaces: &[Interface],
    wanted: Coupling,
) -> Result<(), SetupError> {
    let missing = match wanted {
        Coupling::Explicit => "its coupling is set to \"explicit\", so that no compliance of it is known",
        _ => "it neither tells its compliance nor can evaluate a step before it is taken (roll-back)",
    };
    let is_chosen = wanted == Coupling::Explicit;
    let refuse = |what: String, remedies: [&'static str; 2]| {
        let remedy = remedies[usize::from(is_chosen)];
        Err(SetupError::Explicit { subsystem: description.name.clone(), what, missing, remedy })
    };
    let rigid = interfaces
        .iter()
        .find(|i| i.law.passes_impulses() && [&i.a, &i.b].iter().any(|side| side.0 == description.name));
    if let Some(interface) = rigid {
        let what = format!("interface `{}` passes impulses, and those of contacts with them", interface.name);
        let remedies = [
            "join it by a compliant interface, or give it a compliance or roll-back",
            "join it by a compliant interface, or use coupling = \"auto\"",
        ];
        return refuse(what, remedies);
    }
    if let Some(port) = description.ports.iter().find(|port| port.is_frame) {
        let what = format!("port `{}` is a frame, whose orientation is not extrapolated", port.name);
        let remedies = [
            "join points of it instead, or give it a compliance or roll-back",
            "join points of it instead, or use coupling = \"auto\"",
        ];
        return refuse(what, remedies);
    }
    if let Some(contact) = description.contacts.first() {
        let what = format!("contact `{}` acts by impulses", contact.name);
        let remedies = [
            "keep the contact inside the subsystem, or give it a compliance or roll-back",
            "keep the contact inside the subsystem, or use coupling = \"auto\"",
        ];
        return refuse(what, remedies);
    }
    Ok(())
}

fn decorate(subsystem: Box<dyn Subsystem>, rung: Rung, config: &MasterConfig) -> Box<dyn Subsystem> {
    let floor = 0.1 * config.tolerance;
    let differenced =
        |s, refresh| Box::new(DifferencedCompliance::new(s, refresh).with_floor(floor)) as Box<dyn Subsystem>;
    match rung {
        Rung::Exact | Rung::ExactUnverified | Rung::ExactContradicted => subsystem,
        Rung::Differenced => differenced(subsystem, Refresh::Columns),
        Rung::QuasiNewton => differenced(subsystem, Refresh::QuasiNewton),
        Rung::Explicit => Box::new(Explicit::new(subsystem)),
    }
}

impl Master {
    /// Verifies the claims of all subsystems for steps of size `h` (s), once, before the first step; who claims falsely
    /// is coupled as if he claimed nothing.
    pub(crate) fn settle_ladder(&mut self, h: f64) -> Result<(), StepError> {
        if std::mem::replace(&mut self.ladder.is_settled, true) {
            return Ok(());
        }
        let time = self.clock.now;
        let step = MacroStep { time, size: h };
        for i in 0..self.subsystems.len() {
            let rung = self.ladder.rungs[i];
            let has_claim = match rung {
                Rung::Explicit | Rung::QuasiNewton => false,
                Rung::Differenced => self.layout.members[i].is_affine,
                _ => true,
            };
            if has_claim {
                let start_loads = &self.rows.start_loads[self.layout.members[i].rows.clone()];
                let verdict = verify(self.subsystems[i].as_mut(), step, start_loads)
                    .map_err(|source| StepError::Subsystem { time, source })?;
                self.ladder.rungs[i] = self.judge(i, rung, verdict);
            }
        }
        self.note_rungs();
        self.log_ladder();
        self.find_redundant_joints()
    }

    /// Looks once for joints that hold something twice where a step does not show it: a compliance that is learnt is never
    /// singular, and that of a step in which bodies turn is so only where they turn alike.
    fn find_redundant_joints(&mut self) -> Result<(), StepError> {
        if self.all_affine || !self.layout.joints.iter().any(|joint| joint.law.passes_impulses()) {
            return Ok(());
        }
        // Subsystems that cannot jump tell nothing of their loops.
        let _ = self.prepare_instant(INSTANT);
        self.difference_in_loops();
        self.warn_of_redundant_joints();
        self.condensation.note_all();
        self.check_fallen()
    }

    /// A compliance that is learnt does not find a loop again that has been found: where the choice is free, those of its subsystems
    /// are differenced.
    fn difference_in_loops(&mut self) {
        let in_loop = |i: usize, layout: &Layout, loops: &[Vec<usize>]| {
            let mut joints = loops.iter().flatten();
            joints.any(|&j| layout.joints[j].sides.iter().any(|side| side.subsystem == i))
        };
        for i in 0..self.subsystems.len() {
            let is_free = self.config.coupling(&self.layout.members[i].name) == Coupling::Auto;
            let is_learnt = self.ladder.rungs[i] == Rung::QuasiNewton;
            if is_free && is_learnt && in_loop(i, &self.layout, self.condensation.redundant()) {
                self.difference_instead(i);
                self.ladder.rungs[i] = Rung::Differenced;
            }
        }
        self.note_rungs();
    }

    /// Takes up the findings of a ladder that fits.
    pub(crate) fn restore_ladder(&mut self, saved: &Ladder) {
        for i in 0..self.subsystems.len() {
            if saved.unmasked[i] && !self.ladder.unmasked[i] {
                self.difference_instead(i);
            }
        }
        self.ladder = saved.clone();
        self.note_rungs();
    }

    /// Notes what the rungs make of the subsystems' answers.
    fn note_rungs(&mut self) {
        for (member, rung) in self.layout.members.iter_mut().zip(&self.ladder.rungs) {
            member.is_coarse = !member.is_affine && matches!(rung, Rung::Differenced | Rung::QuasiNewton);
        }
        self.all_affine = self.layout.is_affine();
    }

    /// The true ends of the step of subsystems that were extrapolated, in place of what was extrapolated.
    pub(crate) fn read_explicit_ends(&mut self) {
        let members = self.layout.members.iter().zip(&self.subsystems).zip(&self.ladder.rungs);
        for ((member, subsystem), _) in members.filter(|(_, rung)| **rung == Rung::Explicit) {
            let rows = subsystem.rows();
            self.rows.end_positions[member.rows.clone()].copy_from_slice(&rows.positions);
            self.rows.end_velocities[member.rows.clone()].copy_from_slice(&rows.velocities);
        }
    }

    /// The rung after a verdict.
    fn judge(&mut self, i: usize, rung: Rung, verdict: Verdict) -> Rung {
        let claim = match verdict {
            Verdict::Confirmed if rung == Rung::ExactUnverified => return Rung::Exact,
            // Nothing is claimed where there are no rows.
            Verdict::NotVerifiable
                if rung == Rung::ExactUnverified && self.layout.members[i].rows.is_empty() =>
            {
                return Rung::Exact;
            }
            Verdict::Confirmed | Verdict::NotVerifiable => return rung,
            Verdict::False(claim) => claim,
        };
        let name = self.subsystems[i].description().name.clone();
        if self.config.coupling(&name) == Coupling::Exact {
            let consequence = "it is used nevertheless, because its coupling is set to \"exact\"";
            self.warn(format!("subsystem `{name}`: {claim}; {consequence}"));
            return Rung::ExactContradicted;
        }
        self.warn(format!("subsystem `{name}`: {claim}; its answers are differenced instead"));
        self.difference_instead(i);
        Rung::Differenced
    }

    /// Puts a subsystem whose claims are false on the rung of those that claim nothing.
    fn difference_instead(&mut self, i: usize) {
        let subsystem = self.subsystems.remove(i);
        let differenced = DifferencedCompliance::new(subsystem, Refresh::Columns)
            .with_floor(0.1 * self.config.tolerance)
            .without_affinity();
        self.subsystems.insert(i, Box::new(differenced));
        let member = &mut self.layout.members[i];
        member.is_affine = false;
        member.revision = None;
        self.seats = seats(&self.layout);
        self.ladder.unmasked[i] = true;
    }

    /// Tells the choice once: those that are not exact by name, the others by number.
    fn log_ladder(&self) {
        let mut exact = 0;
        for (subsystem, rung) in self.subsystems.iter().zip(&self.ladder.rungs) {
            match rung {
                Rung::Exact => exact += 1,
                _ => tracing::info!(
                    subsystem = subsystem.description().name,
                    coupling = rung.name(),
                    "coupled otherwise than by a verified compliance"
                ),
            }
        }
        tracing::info!(subsystems = exact, "coupled by their own compliances, verified");
    }
}
