//! Positions put back on constraints and contacts.

use cosimo_dynamics::{Level, Motion};
use cosimo_smooth::dae::{SaddlePoint, TangentPoint};
use nalgebra::DMatrix;

use crate::contact_problem::{ContactAccuracy, ContactProblem};
use crate::error::ImpactError;
use crate::matrices::{ContactJacobian, Response};
use crate::norm::largest;
use crate::state::ImpactState;
use crate::step_problem::StepProblem;

/// Corrections allowed.
const MAX_CORRECTIONS: usize = 20;
/// Size of a correction (m, rad), relative to `1 + max |q|`, after which none follows.
const ENOUGH: f64 = 1e-13;

/// The least move in the metric of the mass that satisfies constraints and closes no contact further than zero:
///
/// ```text
///   M δq + Φᵀ ν = Gᵀ n        φ(q + δq) = 0        0 ≤ g(q + δq)  ⟂  n ≥ 0
/// ```
///
/// Source: V. Acary, *Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with unilateral contact and
/// Coulomb's friction*, Comput. Methods Appl. Mech. Engrg. 256, 2013.
#[derive(Debug)]
pub(crate) struct Projection {
    mass: SaddlePoint,
    /// Whether `mass` has the factors of a linear system, which stay.
    is_kept: bool,
    problem: ContactProblem,
    jacobian: ContactJacobian,
    response: Response,
    delassus: DMatrix<f64>,
    unknowns: Vec<f64>,
    gaps: Vec<f64>,
    /// Rows of the contacts that are closed.
    rows: Vec<usize>,
    offset: Vec<f64>,
    moves: Vec<f64>,
    q: Vec<f64>,
    /// Contacts that were pushed open.
    pub(crate) pushed: Vec<usize>,
}

impl Projection {
    pub(crate) fn new(p: &StepProblem<'_>) -> Result<Self, ImpactError> {
        let structure = p.system.structure();
        Ok(Self {
            mass: SaddlePoint::new(p.system, p.start.time, &p.start.q)?,
            is_kept: false,
            problem: ContactProblem::new(ContactAccuracy::default()),
            jacobian: ContactJacobian::new(p.contacts.layout(), structure.coordinates()),
            response: Response::default(),
            delassus: DMatrix::zeros(0, 0),
            unknowns: vec![0.0; structure.velocities() + structure.rows()],
            gaps: vec![0.0; p.contacts.layout().contacts().len()],
            rows: Vec::new(),
            offset: Vec::new(),
            moves: Vec::new(),
            q: p.start.q.clone(),
            pushed: Vec::new(),
        })
    }

    /// Moves the end of a step.
    pub(crate) fn project(&mut self, p: &StepProblem<'_>, end: &mut ImpactState) -> Result<(), ImpactError> {
        self.pushed.clear();
        let has_constraints = !end.mu.is_empty();
        for _ in 0..MAX_CORRECTIONS {
            p.contacts.gaps(end.time, &end.q, &mut self.gaps);
            let d = p.contacts.layout().dimension();
            let closed = (0..self.gaps.len()).filter(|c| self.gaps[*c] < 0.0 || self.pushed.contains(c));
            self.rows.clear();
            self.rows.extend(closed.map(|contact| contact * d));
            if self.rows.is_empty() && !has_constraints {
                return Ok(());
            }
            if self.correct(p, end)? <= ENOUGH * (1.0 + largest(&end.q)) {
                return Ok(());
            }
        }
        Ok(())
    }

    fn correct(&mut self, p: &StepProblem<'_>, end: &mut ImpactState) -> Result<f64, ImpactError> {
        let (rows, n) = (&self.rows, end.v.len());
        let motion = Motion { t: end.time, q: &end.q, v: &end.v };
        let at = TangentPoint { motion, a: &end.a, mu: &end.mu };
        if !self.is_kept {
            self.mass.factorize(p.system, (0.0, 0.0), at)?;
            self.is_kept = p.system.is_linear();
        }
        let (top, bottom) = self.unknowns.split_at_mut(n);
        top.fill(0.0);
        p.system.constraints(Level::Position, motion, &end.a, bottom);
        bottom.iter_mut().for_each(|row| *row = -*row);
        self.mass.solve(&mut self.unknowns);
        if !rows.is_empty() {
            self.jacobian.update(p.contacts, end.time, &end.q);
            self.response.solve(&mut self.mass, &self.jacobian, rows, (n, end.mu.len()));
            self.response.delassus(&self.jacobian, rows, &mut self.delassus);
            let d = p.contacts.layout().dimension();
            let offset =
                rows.iter().map(|row| self.gaps[row / d] + self.jacobian.product(*row, &self.unknowns[..n]));
            self.offset.clear();
            self.offset.extend(offset);
            self.moves.clear();
            self.moves.resize(rows.len(), 0.0);
            self.problem.solve_normals(end.time, &self.delassus, &self.offset, &mut self.moves)?;
            self.response.add(1.0, &self.moves, &mut self.unknowns);
            for (row, push) in rows.iter().zip(&self.moves) {
                if *push > 0.0 && !self.pushed.contains(&(row / d)) {
                    self.pushed.push(row / d);
                }
            }
        }
        p.coordinates().move_by(&end.q, &self.unknowns[..n], &mut self.q);
        end.q.copy_from_slice(&self.q);
        Ok(largest(&self.unknowns[..n]))
    }
}
