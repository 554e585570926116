//! Work arrays, allocated once: nothing here influences the future but what `run/carried` saves of it.
//!
//! | where | what |
//! |---|---|
//! | `rows` | positions, velocities and loads of all rows, unknowns of all joints |
//! | `linearisation` | affine models of the subsystems and tangents of the bushings |

pub(crate) mod linearisation;
pub(crate) mod rows;

use cosimo_nonsmooth::{ContactMemory, Hit};

use crate::condensation::Condensation;
use crate::contacts::names::TakenChange;
use crate::contacts::problems::ContactProblems;
use crate::contacts::unsolved::Unsettled;
use crate::loads::exchange::LoadExchange;
use crate::schemes::iteration::Iteration;
use crate::signals::storage::SignalStorage;
use crate::topology::Topology;
use linearisation::Linearisation;
use rows::StepRows;

/// The work arrays of a master.
#[derive(Debug)]
pub(crate) struct Storage {
    pub(crate) linearisation: Linearisation,
    pub(crate) condensation: Condensation,
    pub(crate) contact_problems: ContactProblems,
    pub(crate) rows: StepRows,
    /// Motions and loads of the load ports.
    pub(crate) loads: LoadExchange,
    pub(crate) signals: SignalStorage,
    /// The iterative scheme, if it is one.
    pub(crate) iteration: Option<Box<Iteration>>,
    /// The contacts that are left out of the current step, see `contacts/near`.
    pub(crate) is_far: Vec<bool>,
    /// The contacts that take part in the problem of the current part of a step, of clusters that are not affine.
    pub(crate) takes_part: Vec<bool>,
    /// Memory of the contacts of one problem, where far ones are left out.
    pub(crate) near_memory: Vec<ContactMemory>,
    /// Memory of the contacts at the start of a step, for iterations that solve the contacts again.
    pub(crate) remembered: Vec<ContactMemory>,
    /// The same at the start of a part of a step that the energy guard may reject.
    pub(crate) guarded: Vec<ContactMemory>,
    /// What happened at the contacts in the last macro step, in all its parts.
    pub(crate) contact_changes: Vec<TakenChange>,
    /// Contacts hit at the impact at hand.
    pub(crate) hits: Vec<Hit>,
    /// Whether loads of the step at hand may hold impulses inside it.
    pub(crate) has_moments: bool,
    /// Whether impacts have passed joints in the step at hand that give way to loads.
    pub(crate) has_impact_unknowns: bool,
    /// Whether the loads of the step at hand hold moves.
    pub(crate) has_moves: bool,
    /// Relative residual (–) up to which an iteration is taken that does not converge: zero but in the last attempt at a step.
    pub(crate) accepted_residual: f64,
    /// What the iteration of the part of a step at hand was left with, where it was taken so.
    pub(crate) unsettled: Option<Unsettled>,
    /// Size of the current macro step (s), of which parts may be taken.
    pub(crate) macro_size: f64,
    /// Whether the step at hand stops at an impact instead of passing it, and whether it has.
    pub(crate) stops_at_impacts: bool,
    pub(crate) has_stopped: bool,
    /// Whether all rules began anew in the last macro step.
    pub(crate) began_anew: bool,
    /// Size of the last macro step (s), if it was taken as a whole and its matrices are still those at hand.
    pub(crate) whole_step: Option<f64>,
}

impl Storage {
    /// The work arrays for a model; `has_moving_obstacles` where contact rows move by themselves, `has_scales` where subsystems tell
    /// what gaps are differences of.
    pub(crate) fn new(topology: &Topology, has_moving_obstacles: bool, has_scales: bool) -> Self {
        let config = &topology.config;
        let contacts = topology.contacts.len();
        let mut rows = StepRows { has_scales, ..StepRows::new(topology) };
        if has_moving_obstacles {
            rows.own_rates = [(); 2].map(|()| vec![0.0; topology.contact_rows.len()]);
        }
        Self {
            linearisation: Linearisation::new(topology),
            condensation: Condensation::new(topology),
            contact_problems: ContactProblems::new(topology),
            rows,
            loads: LoadExchange::new(topology),
            signals: SignalStorage::new(&topology.signals),
            iteration: config.scheme.is_iterative().then(|| Box::new(Iteration::new(topology, config))),
            is_far: vec![false; contacts],
            takes_part: vec![false; contacts],
            near_memory: Vec::with_capacity(contacts),
            remembered: vec![ContactMemory::OPEN; contacts],
            guarded: vec![ContactMemory::OPEN; contacts],
            contact_changes: Vec::with_capacity(16 * contacts),
            hits: Vec::with_capacity(contacts),
            has_moments: false,
            has_moves: false,
            has_impact_unknowns: false,
            accepted_residual: 0.0,
            unsettled: None,
            macro_size: 0.0,
            stops_at_impacts: false,
            has_stopped: false,
            began_anew: true,
            whole_step: None,
        }
    }
}
