//! Contacts and impacts inside steps.
//!
//! The contacts of a cluster see its subsystems and joints through the effective mass `W_c` (see `condensation`):
//!
//! ```text
//!   0 ≤ P ⟂ W_c P + b ≥ 0        b = U_b + e min(U₀, 0)
//! ```
//!
//! | where | what |
//! |---|---|
//! | `state` | what influences the steps to come |
//! | `problems` | the problems of all clusters, and their solutions together |
//! | `rows` | what the contacts of a cluster see of a step |
//! | `solve` | the contact impulses of a part of a step |
//! | `apply` | what they do to joints and subsystems |
//! | `locked` | what contacts see of impacts at Tikhonov joints, which are rigid to them |
//! | `meeting` | what such joints pass where they meet inside a step, and how they give way anew |
//! | `impact` | the impact law at a communication point |
//! | `near` | contacts that may close in a step, to which its problems are limited |
//! | `near_rows` | which clusters that is done in, and what their near contacts see of a step |
//! | `absent` | contacts that vanish |
//! | `names` | what contacts are called |
//! | `unsolved` | what steps are left with on which contacts and bodies do not agree |
//! | `places` | where rows are, in words |
//! | `jammed` | contacts that have no solution because bodies are jammed |
//! | `apart` | penetrated contacts of an initial state |

pub(crate) mod absent;
pub(crate) mod apart;
pub(crate) mod apply;
pub(crate) mod impact;
mod jammed;
pub(crate) mod locked;
pub(crate) mod meeting;
pub(crate) mod names;
pub(crate) mod near;
pub(crate) mod near_rows;
pub(crate) mod places;
pub(crate) mod problems;
pub(crate) mod rows;
pub(crate) mod solve;
pub(crate) mod state;
pub(crate) mod unsolved;

use cosimo_nonsmooth::{ContactChangeKind, ContactMemory, Hit};

use crate::topology::Topology;
use names::{ContactNames, TakenChange};
use problems::ContactProblems;
use state::ContactState;

/// The contacts of a model: what they remember, and the problems of the current step.
#[derive(Debug)]
pub(crate) struct Contacts {
    pub(crate) state: ContactState,
    /// Forces at the present communication point, by row (N); zero where contacts are open.
    pub(crate) forces: Vec<f64>,
    /// Largest relative residual (–) that a part of the last macro step was left with; zero where all are solved.
    pub(crate) residual: f64,
    pub(crate) problems: ContactProblems,
    /// Whether near contacts are chosen in every step, see `near`.
    pub(crate) are_chosen: bool,
    /// The contacts that are left out of the current step.
    pub(crate) is_far: Vec<bool>,
    /// The contacts that take part in the problem of the current part of a step, of clusters that are not affine.
    pub(crate) takes_part: Vec<bool>,
    /// Memory of the contacts of one problem, where far ones are left out.
    near_memory: Vec<ContactMemory>,
    /// Memory of the contacts at the start of a step, for iterations that solve the contacts again.
    pub(crate) remembered: Vec<ContactMemory>,
    /// What happened in the last macro step, in all its parts.
    pub(crate) changes: Vec<TakenChange>,
    /// Contacts hit at the impact at hand.
    pub(crate) hits: Vec<Hit>,
}

impl Contacts {
    /// Those of a model before its first step.
    pub(crate) fn new(topology: &Topology) -> Self {
        let contacts = topology.contacts.len();
        let problems = ContactProblems::new(topology);
        Self {
            are_chosen: problems.problems.iter().any(|own| own.near.is_some()),
            state: ContactState::new(topology),
            forces: vec![0.0; topology.contact_rows.len()],
            residual: 0.0,
            problems,
            is_far: vec![false; contacts],
            takes_part: vec![false; contacts],
            near_memory: Vec::with_capacity(contacts),
            remembered: vec![ContactMemory::OPEN; contacts],
            changes: Vec::with_capacity(16 * contacts),
            hits: Vec::with_capacity(contacts),
        }
    }

    /// Begins a macro step.
    pub(crate) fn begin_step(&mut self) {
        self.changes.clear();
        self.residual = 0.0;
        let ContactState { impulses, has_impulses, .. } = &mut self.state;
        if std::mem::take(has_impulses) {
            impulses.fill(0.0);
        }
    }

    /// Takes the forces and the changes that the contact problems have found.
    #[inline]
    pub(crate) fn take_solution(&mut self, names: ContactNames<'_>) {
        let solution = self.problems.solution();
        self.forces.copy_from_slice(&solution.forces);
        self.changes.extend(solution.changes.iter().map(|change| names.taken(change)));
    }

    /// Keeps what the contacts remember, for iterations that solve them again.
    pub(crate) fn remember(&mut self) {
        self.remembered.copy_from_slice(&self.state.memory);
    }

    /// Goes back to what was [kept](Self::remember).
    pub(crate) fn recall(&mut self) {
        self.state.memory.copy_from_slice(&self.remembered);
    }

    /// Whether velocities jumped in the last macro step.
    pub(crate) fn has_jumped(&self) -> bool {
        self.changes.iter().any(|taken| taken.change.kind == ContactChangeKind::Impact)
    }

    /// Those that are hit arrive at the end of the part of a step at hand.
    pub(crate) fn let_hits_arrive(&mut self) {
        for hit in &self.hits {
            self.state.memory[hit.contact].arrives = true;
        }
    }

    /// What arrives does so in the part of a step at hand alone.
    pub(crate) fn forget_arrivals(&mut self) {
        self.state.memory.iter_mut().for_each(|memory| memory.arrives = false);
    }

    /// Adds the impulses in the last solution to those of the macro step.
    pub(crate) fn add_impulses(&mut self) {
        let solution = self.problems.solution();
        if solution.problems > 0 {
            let sums = self.state.impulses.iter_mut().zip(&solution.impulses);
            sums.for_each(|(sum, impulse)| *sum += impulse);
            self.state.has_impulses = true;
        }
    }
}
