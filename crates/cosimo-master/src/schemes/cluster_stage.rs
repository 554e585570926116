//! One cluster in the iteration of a stage: its accelerator, and whether its sweeps agree.
//!
//! Clusters know nothing of one another. Each is accelerated by its own answers, judged against its own forces, and left
//! alone as soon as it agrees: what else is in the model changes nothing of it.

use std::ops::Range;

use super::acceleration::Accelerator;
use super::acceleration::secant::Secant;
use super::bracket::Bracket;
use super::corrections::{Corrections, largest_change};
use crate::Acceleration;

/// Switches of the contact status in a step at which the accelerator forgets what it knows. A contact that goes on
/// switching from sweep to sweep would leave it nothing to learn from.
const MAX_RESETS: u32 = 2;

/// An iterate of all clusters, and the answer of the subsystems to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Iterate<'a> {
    pub(crate) x: &'a [f64],
    pub(crate) answer: &'a [f64],
}

/// One cluster in the iteration of a stage.
#[derive(Debug)]
pub(crate) struct ClusterStage {
    /// Its number.
    pub(crate) cluster: usize,
    accelerator: Accelerator,
    /// Where its only force lies, if it is the only one.
    bracket: Option<Bracket>,
    /// Its interface unknowns among those of all clusters, as forces.
    pub(crate) unknowns: Range<usize>,
    /// Where its unknowns stand in an iterate: as forces and, where they are iterated, as motions.
    places: Vec<Range<usize>>,
    /// Its part of the iterate and of the answer.
    iterate: Vec<f64>,
    answer: Vec<f64>,
    pub(crate) corrections: Corrections,
    /// The size of its unknowns, which the tolerance refers to.
    pub(crate) size: f64,
    /// Whether its sweeps agree.
    pub(crate) is_settled: bool,
    /// Whether it stays where another stage has left it.
    is_kept: bool,
    /// Whether a contact of it has carried an impulse in this sweep and none in the one before, or the other way round.
    pub(crate) has_switched: bool,
    /// Sweeps of this step in which that was so.
    switches: u32,
}

impl ClusterStage {
    /// A cluster with these unknowns in iterates of so many forces and, if any, as many motions.
    pub(crate) fn new(
        acceleration: Acceleration,
        cluster: usize,
        unknowns: Range<usize>,
        forces: usize,
        iterate: usize,
    ) -> Self {
        let mut places = vec![unknowns.clone()];
        if iterate > forces {
            places.push(unknowns.start + forces..unknowns.end + forces);
        }
        let size = places.iter().map(ExactSizeIterator::len).sum();
        Self {
            cluster,
            accelerator: Accelerator::new(acceleration, size),
            bracket: (size == 1 && acceleration != Acceleration::None).then(Bracket::default),
            unknowns,
            places,
            iterate: vec![0.0; size],
            answer: vec![0.0; size],
            corrections: Corrections::new(),
            size: f64::MIN_POSITIVE,
            is_settled: false,
            is_kept: false,
            has_switched: false,
            switches: 0,
        }
    }

    /// Begins the iteration of a step.
    pub(crate) fn begin(&mut self) {
        self.accelerator.begin();
        self.bracket.iter_mut().for_each(Bracket::clear);
        (self.corrections, self.switches) = (Corrections::new(), 0);
        (self.is_settled, self.is_kept) = (false, false);
    }

    /// Forgets the map that its accelerator has learned.
    pub(crate) fn reset(&mut self) {
        self.accelerator.reset();
    }

    /// Forgets the map of another contact status.
    pub(crate) fn forget_if_switched(&mut self) {
        if std::mem::take(&mut self.has_switched) {
            self.switches += 1;
            if self.switches <= MAX_RESETS {
                self.accelerator.reset();
            }
        }
    }

    /// Takes its part of an iterate and its answer, whose unknowns and those known before are at most of this size; notes the
    /// correction; returns whether it is one of divergence.
    pub(crate) fn take(&mut self, Iterate { x: iterate, answer }: Iterate<'_>, size: f64) -> bool {
        gather(&self.places, iterate, &mut self.iterate);
        gather(&self.places, answer, &mut self.answer);
        let (worst, change) = largest_change(&self.iterate, &self.answer);
        self.size = size;
        self.corrections.note(change);
        self.corrections.worst = self.unknowns.start + worst % self.unknowns.len().max(1);
        self.corrections.residual = change / size;
        self.corrections.diverge()
    }

    /// Its sweeps agree: to the tolerance, or as far as rounding lets them.
    pub(crate) fn settle(&mut self, is_converged: bool) {
        self.is_settled = true;
        if !is_converged {
            self.size = f64::INFINITY;
        }
    }

    /// Ends the iteration of a step at the iterate taken, whose answer is the solution.
    pub(crate) fn accept(&mut self) {
        if !self.is_kept {
            self.accelerator.accept(&self.iterate, &self.answer);
        }
    }

    /// Overwrites its part of an iterate with the next one. The map of subsystems that are affine stays the same, and brackets its root.
    pub(crate) fn advance(&mut self, iterate: &mut [f64], is_affine: bool) {
        let first = self.iterate.first().copied().zip(self.answer.first().copied());
        self.accelerator.advance(&mut self.iterate, &self.answer);
        let bracket = self.bracket.as_mut().filter(|_| is_affine);
        if let (Some(bracket), Some((x, answer)), [next]) = (bracket, first, &mut self.iterate[..]) {
            bracket.guard((x, answer - x), next);
        }
        scatter(&self.places, &self.iterate, iterate);
    }

    /// Stays where another stage has left the same cluster.
    pub(crate) fn keep(&mut self, other: &Self, iterate: &mut [f64]) {
        self.iterate.copy_from_slice(&other.iterate);
        self.answer.copy_from_slice(&other.answer);
        scatter(&self.places, &self.iterate, iterate);
        self.size = other.size;
        (self.is_settled, self.is_kept) = (true, true);
    }

    /// Largest correction of some of its unknowns, as forces and, where they are iterated, as motions.
    pub(crate) fn change_of(&self, unknowns: &Range<usize>) -> f64 {
        let count = self.unknowns.len();
        let first = unknowns.start - self.unknowns.start;
        let entries =
            (0..self.places.len()).flat_map(|k| first + k * count..first + k * count + unknowns.len());
        entries.fold(0.0, |most: f64, k| most.max((self.answer[k] - self.iterate[k]).abs()))
    }

    /// What is carried over to the next step.
    pub(crate) fn secants(&self) -> &[Secant] {
        self.accelerator.secants()
    }

    /// Whether these are secants of this cluster.
    pub(crate) fn fits(&self, secants: &[Secant]) -> bool {
        self.accelerator.fits(secants)
    }

    /// Takes over what the same cluster carried.
    pub(crate) fn restore(&mut self, secants: &[Secant]) {
        self.accelerator.restore(secants);
    }
}

fn gather(places: &[Range<usize>], from: &[f64], to: &mut [f64]) {
    let entries = places.iter().flat_map(|place| &from[place.clone()]);
    to.iter_mut().zip(entries).for_each(|(own, x)| *own = *x);
}

fn scatter(places: &[Range<usize>], from: &[f64], to: &mut [f64]) {
    let mut entries = from.iter();
    for place in places {
        to[place.clone()].iter_mut().zip(&mut entries).for_each(|(x, own)| *x = *own);
    }
}
