//! Coupling modes: how each subsystem is coupled, from what it can.
//!
//! | the subsystem | mode |
//! |---|---|
//! | reports its inverse mass, and a finite difference confirms it | exact |
//! | can re-evaluate a step | differenced; quasi-Newton with more than [`MANY_ROWS`] rows and no contacts |
//! | takes several micro steps a macro step | as one that can re-evaluate a step |
//! | neither | explicit, on compliant joints and without contacts of its own |
//!
//! Capabilities decide when the master is made, claims are verified before the first step. Every mode but the first is
//! a decorator of `cosimo-black-box`.

use cosimo_black_box::{DifferencedInverseMass, Explicit, LoadHistory, Refresh, SubCycled};
use cosimo_subsystem::{Capabilities, Description, InverseMass, PortSpec, Subsystem};
use serde::{Deserialize, Serialize};

use crate::{Coupling, Interface, MasterConfig, SetupError};

/// More rows than these cost too many evaluations a refresh.
const MANY_ROWS: usize = 12;

/// How a subsystem is coupled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CouplingMode {
    /// By the inverse mass that it reports, confirmed by a finite difference.
    Exact,
    /// By the inverse mass that it reports, which is not, or not yet, confirmed: it cannot re-evaluate a step.
    ExactUnverified,
    /// By the inverse mass that it reports although a finite difference contradicts it: as the settings want it.
    ExactContradicted,
    /// By an inverse mass from finite differences of its answers.
    Differenced,
    /// By an inverse mass from a scalar mass and secant updates.
    QuasiNewton,
    /// By extrapolation of its motion.
    Explicit,
}

impl CouplingMode {
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

/// The mode of every subsystem.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct CouplingModes {
    pub(crate) modes: Vec<CouplingMode>,
    /// Subsystems whose claims were found false and that are differenced instead.
    pub(crate) has_false_claim: Vec<bool>,
    pub(crate) is_verified: bool,
}

impl CouplingModes {
    /// Chooses a mode for every subsystem, and decorates it accordingly.
    pub(crate) fn new(
        subsystems: Vec<Box<dyn Subsystem>>,
        interfaces: &[Interface],
        config: &MasterConfig,
    ) -> Result<(Self, Vec<Box<dyn Subsystem>>), SetupError> {
        check_names(&subsystems, config)?;
        let mut modes = Vec::with_capacity(subsystems.len());
        let mut decorated = Vec::with_capacity(subsystems.len());
        for subsystem in subsystems {
            let subsystem = sub_cycle(subsystem, interfaces, config)?;
            let description = subsystem.description();
            let wanted = config.coupling(&description.name);
            let mode = choose(description, wanted)?;
            if mode == CouplingMode::Explicit {
                check_explicit(description, interfaces, wanted)?;
            }
            modes.push(mode);
            decorated.push(decorate(subsystem, mode, config));
        }
        let has_false_claim = vec![false; modes.len()];
        Ok((Self { modes, has_false_claim, is_verified: false }, decorated))
    }

    /// Whether a state that was saved with these modes can be taken up here: no claim was found false there that still
    /// holds here, other than by what the first step finds.
    pub(crate) fn fits(&self, saved: &Self) -> bool {
        let has_inverse_mass = |mode: &CouplingMode| {
            matches!(
                mode,
                CouplingMode::Exact | CouplingMode::ExactUnverified | CouplingMode::ExactContradicted
            )
        };
        let fits = |i: usize| {
            let (own, other) = (&self.modes[i], &saved.modes[i]);
            match (self.has_false_claim[i], saved.has_false_claim[i]) {
                (true, true) => true,
                (true, false) => false,
                (false, true) => {
                    has_inverse_mass(own)
                        || matches!(own, CouplingMode::Differenced | CouplingMode::QuasiNewton)
                }
                (false, false) => own == other || (has_inverse_mass(own) && has_inverse_mass(other)),
            }
        };
        let count = self.modes.len();
        saved.modes.len() == count && saved.has_false_claim.len() == count && (0..count).all(fits)
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

/// The mode for these capabilities, or for what is wanted of them.
fn choose(description: &Description, wanted: Coupling) -> Result<CouplingMode, SetupError> {
    let Capabilities { inverse_mass, can_roll_back, .. } = description.capabilities;
    let has_inverse_mass = inverse_mass == InverseMass::Exact;
    let has_contacts = !description.contacts.is_empty();
    let lacks = |coupling, lack, remedy| {
        let subsystem = description.name.clone();
        Err(SetupError::Coupling { subsystem, coupling, lack, remedy })
    };
    const CANNOT: &str = "cannot evaluate a step before it is taken";
    if description.rows() == 0 {
        // Nothing to answer impulses with: load ports and signals are exchanged as they are.
        return Ok(CouplingMode::ExactUnverified);
    }
    match wanted {
        Coupling::Auto if has_inverse_mass => Ok(CouplingMode::ExactUnverified),
        Coupling::Auto if can_roll_back && !has_contacts && description.rows() > MANY_ROWS => {
            Ok(CouplingMode::QuasiNewton)
        }
        Coupling::Auto if can_roll_back => Ok(CouplingMode::Differenced),
        Coupling::Auto | Coupling::Explicit => Ok(CouplingMode::Explicit),
        Coupling::Exact if has_inverse_mass => Ok(CouplingMode::ExactUnverified),
        Coupling::Exact => lacks("exact", "does not tell its inverse mass", "use coupling = \"auto\""),
        Coupling::Differenced if can_roll_back => Ok(CouplingMode::Differenced),
        Coupling::Differenced => lacks("differenced", CANNOT, "use coupling = \"auto\""),
        Coupling::QuasiNewton if has_contacts => {
            let lack = "has contacts, which need their effective mass from the first solve on";
            lacks("quasi-newton", lack, "use coupling = \"differenced\"")
        }
        Coupling::QuasiNewton if can_roll_back => Ok(CouplingMode::QuasiNewton),
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
        Coupling::Explicit => "its coupling is set to \"explicit\", so that no inverse mass of it is known",
        _ => "it neither reports its inverse mass nor can evaluate a step before it is taken (roll-back)",
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
            "join it by a compliant interface, or give it an inverse mass or roll-back",
            "join it by a compliant interface, or use coupling = \"auto\"",
        ];
        return refuse(what, remedies);
    }
    if let Some(port) = description.ports.iter().find(|port| port.is_frame) {
        let what = format!("port `{}` is a frame, whose orientation is not extrapolated", port.name);
        let remedies = [
            "join points of it instead, or give it an inverse mass or roll-back",
            "join points of it instead, or use coupling = \"auto\"",
        ];
        return refuse(what, remedies);
    }
    if let Some(contact) = description.contacts.first() {
        let what = format!("contact `{}` acts by impulses", contact.name);
        let remedies = [
            "keep the contact inside the subsystem, or give it an inverse mass or roll-back",
            "keep the contact inside the subsystem, or use coupling = \"auto\"",
        ];
        return refuse(what, remedies);
    }
    Ok(())
}

fn decorate(subsystem: Box<dyn Subsystem>, mode: CouplingMode, config: &MasterConfig) -> Box<dyn Subsystem> {
    let floor = 0.1 * config.tolerance;
    let differenced = |s, refresh| {
        Box::new(DifferencedInverseMass::new(s, refresh).with_floor(floor)) as Box<dyn Subsystem>
    };
    match mode {
        CouplingMode::Exact | CouplingMode::ExactUnverified | CouplingMode::ExactContradicted => subsystem,
        CouplingMode::Differenced => differenced(subsystem, Refresh::Columns),
        CouplingMode::QuasiNewton => differenced(subsystem, Refresh::QuasiNewton),
        CouplingMode::Explicit => Box::new(Explicit::new(subsystem)),
    }
}
