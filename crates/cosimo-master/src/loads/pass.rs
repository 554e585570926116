//! What a pass does with the loads: prediction, loads applied, answer.

use std::ops::Range;

use cosimo_subsystem::{MacroStep, SubsystemError};

use super::Loads;
use super::body_rows::{Base, correct_prediction, move_free_rows, set_impulses};
use super::evaluated::{evaluate_loads, is_evaluated};
use super::exchange::{LoadExchange, LoadedBody, SourceTangents};
use crate::condensation::Condensation;
use crate::execution::slot::CallSlot;
use crate::execution::subsystems::Subsystems;
use crate::linearisation::Linearisation;
use crate::linearisation::affine_model::AffineModel;
use crate::linearisation::coupling_residual::CouplingResidual;
use crate::rows::StepRows;
use crate::topology::Topology;

/// The bodies on which loads of a pass act.
#[derive(Debug, Clone)]
pub(crate) struct LoadPass {
    /// The subsystems among which they are.
    pub(crate) group: Range<usize>,
    /// Whether it takes new tangents.
    pub(crate) renews: bool,
}

impl Loads {
    /// Begins a step in the load sources and finds the loads at its start, and a prediction of those at its end. The loads at
    /// the start go to the bodies when these begin the step.
    ///
    /// # Errors
    /// A source fails.
    pub(crate) fn begin(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        rows: &mut StepRows,
        step: MacroStep,
    ) -> Result<(), SubsystemError> {
        let Self { history, exchange } = self;
        LoadExchange::begin(topology, subsystems, step)?;
        exchange.read_start(topology, (rows, subsystems), step.size);
        history.extrapolate(step.size, &mut exchange.end);
        // Sources whose tangents enter are asked at the predicted motion; all of them, where the loads are not known.
        let is_asked = |source: usize| !history.is_known || history.enters(source);
        exchange.ask(topology, subsystems, history, (is_asked, true))?;
        if history.is_known {
            exchange.start.copy_from_slice(&history.present);
        }
        expect_loads(topology, exchange, rows);
        Ok(())
    }

    /// Puts the predicted loads into the affine models of the bodies, which have just begun a step of this size (s).
    ///
    /// # Errors
    /// A body cannot be evaluated.
    pub(crate) fn enter(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        linearisation: &mut Linearisation,
        condensation: &mut Condensation,
        rows: &mut StepRows,
        size: f64,
    ) -> Result<(), SubsystemError> {
        for index in 0..self.exchange.bodies.len() {
            self.take_tangents(topology, &mut linearisation.models, condensation, index);
            let LoadExchange { bodies, start, end, .. } = &mut self.exchange;
            let body = &mut bodies[index];
            let model = &linearisation.models[body.subsystem];
            set_impulses(body, (start, end), model.weights);
            let is_under_loads = subsystems.slots[body.subsystem].is_under_loads;
            if is_evaluated(body, model) {
                body.change.fill(0.0);
                if is_under_loads {
                    body.evaluated_at.fill(0.0);
                } else {
                    evaluate_loads((topology, subsystems), model, body, rows)?;
                }
                continue;
            }
            if is_under_loads {
                take_back_loads(body, model, rows);
            }
            body.expansion.copy_from_slice(&rows.start_velocities[model.rows.clone()]);
            correct_prediction(body, model, rows, size);
            for (k, change) in body.change.iter_mut().enumerate() {
                let moved = |l: usize| rows.free_velocities[model.rows.start + l] - body.expansion[l];
                *change = body.impulses[k] + model.of_velocities(k, moved);
            }
            move_free_rows(model, body, rows, Base::Free);
        }
        Ok(())
    }

    /// Takes over the tangents of the loads on a body as they were last given; notes it where its answer changes.
    fn take_tangents(
        &self,
        topology: &Topology,
        models: &mut [AffineModel],
        condensation: &mut Condensation,
        index: usize,
    ) {
        let Self { history, exchange } = self;
        let body = &exchange.bodies[index];
        let model = &mut models[body.subsystem];
        let Some(tangent) = &mut model.loads else { return };
        tangent.begin();
        for rows in body.rows_by_source.iter().filter(|rows| history.enters(rows[0].source)) {
            let source = rows[0].source;
            let first = topology.load_sources[source].coordinates.start;
            for (row, column) in rows.iter().flat_map(|row| rows.iter().map(move |column| (row, column))) {
                let at = (row.coordinate - first, column.coordinate - first);
                tangent.add(row.row, column.row, entries(&exchange.tangents[source], at));
            }
        }
        if tangent.finish() {
            model.condense_loads();
            condensation.note(topology.subsystems[body.subsystem].cluster, true);
        }
    }

    /// Asks for the loads at the end rows just found on the bodies of a pass, moves the affine models of these bodies there, and
    /// says how far the loads used were from them, as velocities.
    ///
    /// # Errors
    /// A source or a body fails.
    pub(crate) fn answer(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        linearisation: &mut Linearisation,
        condensation: &mut Condensation,
        rows: &mut StepRows,
        LoadPass { group, renews }: LoadPass,
    ) -> Result<CouplingResidual, SubsystemError> {
        let mut coupling_residual = CouplingResidual::default();
        let acts = |source: usize| {
            let mut joints = topology.load_sources[source].joints.iter();
            joints.any(|&joint| group.contains(&topology.load_joints[joint].body))
        };
        let sources = (0..topology.load_sources.len()).filter(|s| acts(*s));
        sources.for_each(|source| self.exchange.read_end(topology, rows, source));
        self.exchange.ask(topology, subsystems, &self.history, (acts, renews))?;
        for index in 0..self.exchange.bodies.len() {
            let subsystem = self.exchange.bodies[index].subsystem;
            if group.contains(&subsystem) {
                if renews {
                    self.take_tangents(topology, &mut linearisation.models, condensation, index);
                }
                let model = &linearisation.models[subsystem];
                let moved = self.exchange.move_to_answer((topology, subsystems), model, rows, index);
                coupling_residual = coupling_residual.and(moved?);
            }
        }
        Ok(coupling_residual)
    }
}

/// Sets the free rows of a body that has begun under its loads to those without.
fn take_back_loads(body: &mut LoadedBody, model: &AffineModel, rows: &mut StepRows) {
    body.change.iter_mut().zip(&body.impulses).for_each(|(change, load)| *change = -load);
    move_free_rows(model, body, rows, Base::Free);
}

impl LoadExchange {
    /// The loads of the present pass on the bodies `group`, whose end rows stand by their affine models: `X_L = X̄ + B (ż₁ − v̄)`.
    pub(crate) fn apply(&mut self, models: &[AffineModel], rows: &StepRows, group: &Range<usize>) {
        let Self { bodies, applied, total, .. } = self;
        for body in bodies.iter().filter(|body| group.contains(&body.subsystem)) {
            let model = &models[body.subsystem];
            for (k, g) in model.rows.clone().enumerate() {
                let moved = |l: usize| rows.end_velocities[model.rows.start + l] - body.expansion[l];
                applied[g] = body.impulses[k] + model.of_velocities(k, moved);
                total[g] = rows.loads[g] + applied[g];
            }
        }
    }

    /// Adds the loads of the last pass to those of joints and contacts as they stand now; on bodies that were evaluated, the loads of
    /// the last evaluation.
    pub(crate) fn sum(&mut self, models: &[AffineModel], rows: &StepRows) {
        let Self { bodies, applied, total, .. } = self;
        for body in bodies {
            let model = &models[body.subsystem];
            if is_evaluated(body, model) {
                applied[model.rows.clone()].copy_from_slice(&body.impulses);
            }
            for g in model.rows.clone() {
                total[g] = rows.loads[g] + applied[g];
            }
        }
    }

    /// Puts the motions of the load ports, as they were last answered, where the commit reads them.
    pub(crate) fn hand_over_motions(&self, topology: &Topology, slots: &mut [CallSlot]) {
        for (source, motion) in topology.load_sources.iter().zip(&self.motions) {
            slots[source.subsystem].loads.motion.copy_from(motion);
        }
    }

    /// Moves the affine model of a body to its end rows and to the loads there.
    fn move_to_answer(
        &mut self,
        (topology, subsystems): (&Topology, &mut Subsystems),
        model: &AffineModel,
        rows: &mut StepRows,
        index: usize,
    ) -> Result<CouplingResidual, SubsystemError> {
        let Self { bodies, start, end, applied, .. } = self;
        let body = &mut bodies[index];
        set_impulses(body, (start, end), model.weights);
        if is_evaluated(body, model) {
            body.change.copy_from_slice(&rows.loads[model.rows.clone()]);
            return evaluate_loads((topology, subsystems), model, body, rows);
        }
        body.expansion.copy_from_slice(&rows.end_velocities[model.rows.clone()]);
        let mut coupling_residual = CouplingResidual::default();
        for (k, g) in model.rows.clone().enumerate() {
            body.change[k] = body.impulses[k] - applied[g];
        }
        model.answer_all(&body.change, &mut body.answer);
        for (k, g) in model.rows.clone().enumerate() {
            coupling_residual.note(body.answer[k].abs(), g);
            body.change[k] -= rows.loads[g];
        }
        move_free_rows(model, body, rows, Base::End);
        Ok(coupling_residual)
    }
}

fn entries(tangents: &SourceTangents, at: (usize, usize)) -> [f64; 2] {
    [&tangents.position, &tangents.velocity]
        .map(|matrix| if matrix.is_empty() { 0.0 } else { matrix.entry(at.0, at.1) })
}

/// The loads of load ports at the start and at the end of a step, as far as they are known.
fn expect_loads(topology: &Topology, exchange: &LoadExchange, rows: &mut StepRows) {
    rows.expected.loads.iter_mut().for_each(|loads| loads.fill(0.0));
    for joint in &topology.load_joints {
        for (row, coordinate) in joint.rows().zip(joint.coordinates()) {
            rows.start_loads[row] += exchange.start[coordinate];
            rows.expected.loads[0][row] += exchange.start[coordinate];
            rows.expected.loads[1][row] += exchange.end[coordinate];
        }
    }
}
