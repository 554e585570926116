//! Motions and loads of the current step, and the calls that exchange them.

use std::collections::BTreeMap;

use cosimo_subsystem::cost::CallKind;
use cosimo_subsystem::{Call, LoadResponse, MacroStep, PortMotion, PortState, RowMatrix, SubsystemError};
use nalgebra::{UnitQuaternion, Vector3};

use crate::execution::cost::Account;
use crate::execution::subsystems::Subsystems;
use crate::loads::history::LoadHistory;
use crate::rows::StepRows;
use crate::topology::Topology;
use crate::topology::load::{LoadJoint, LoadSource};
use crate::topology::subsystem::SubsystemLayout;

/// A row of a body on which a load port acts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoadedRow {
    /// Row of the body.
    pub(crate) row: usize,
    /// Coordinate among those of all load ports.
    pub(crate) coordinate: usize,
    pub(crate) source: usize,
}

/// A subsystem with rows on which loads act.
#[derive(Debug)]
pub(crate) struct LoadedBody {
    pub(crate) subsystem: usize,
    pub(crate) rows: Vec<LoadedRow>,
    /// The same, source by source.
    pub(crate) rows_by_source: Vec<Vec<LoadedRow>>,
    /// `X̄` (N s), by row of the body.
    pub(crate) impulses: Vec<f64>,
    /// `v̄` (m/s), by row of the body.
    pub(crate) expansion: Vec<f64>,
    /// Impulses and the answer to them, in passing.
    pub(crate) change: Vec<f64>,
    pub(crate) answer: Vec<f64>,
    /// Sum of the loads that it is evaluated at (N s).
    pub(crate) total: Vec<f64>,
    /// Loads of joints and contacts among them (N s).
    pub(crate) evaluated_at: Vec<f64>,
}

/// Tangents of the loads of a source, as it has last answered; `0 × 0` where they do not enter.
#[derive(Debug, Clone)]
pub(crate) struct SourceTangents {
    pub(crate) position: RowMatrix,
    pub(crate) velocity: RowMatrix,
}

impl SourceTangents {
    fn take(&mut self, response: &LoadResponse) {
        for (own, given) in [
            (&mut self.position, &response.position_tangent),
            (&mut self.velocity, &response.velocity_tangent),
        ] {
            own.copy_from(given);
        }
    }

    fn are_finite(&self) -> bool {
        self.position.stored().chain(self.velocity.stored()).all(|(_, x)| x.is_finite())
    }
}

/// Motions and loads of the current step.
#[derive(Debug)]
pub(crate) struct LoadExchange {
    /// Motion of the load ports, by source.
    pub(crate) motions: Vec<PortMotion>,
    /// Loads at the start and at the end of the step, by load coordinate.
    pub(crate) start: Vec<f64>,
    pub(crate) end: Vec<f64>,
    pub(crate) tangents: Vec<SourceTangents>,
    pub(crate) bodies: Vec<LoadedBody>,
    /// Impulses of the load ports on all rows (N s), and their sum with those of joints and contacts.
    pub(crate) applied: Vec<f64>,
    pub(crate) total: Vec<f64>,
}

impl LoadExchange {
    pub(crate) fn new(topology: &Topology) -> Self {
        let has_loads = !topology.load_sources.is_empty();
        let rows = if has_loads { topology.rows } else { 0 };
        let motion = |source: &LoadSource| PortMotion::zeros(source.coordinates.len(), source.frames);
        let none = SourceTangents { position: RowMatrix::zeros(0), velocity: RowMatrix::zeros(0) };
        Self {
            motions: topology.load_sources.iter().map(motion).collect(),
            start: vec![0.0; topology.load_coordinates],
            end: vec![0.0; topology.load_coordinates],
            tangents: vec![none; topology.load_sources.len()],
            bodies: loaded_bodies(topology),
            applied: vec![0.0; rows],
            total: vec![0.0; rows],
        }
    }

    /// Forgets the tangents of a source.
    pub(crate) fn forget_tangents(&mut self, source: usize) {
        let none = || RowMatrix::zeros(0);
        self.tangents[source] = SourceTangents { position: none(), velocity: none() };
    }

    /// Takes the motion of all load ports at the start of the step, and predicts that at its end: constant velocities.
    pub(crate) fn read_start(
        &mut self,
        topology: &Topology,
        (rows, subsystems): (&StepRows, &Subsystems),
        size: f64,
    ) {
        for joint in &topology.load_joints {
            let source = &topology.load_sources[joint.source];
            let PortMotion { start, end } = &mut self.motions[joint.source];
            let first = joint.coordinate - source.coordinates.start;
            for (k, row) in joint.rows().enumerate() {
                let (z, rate) = (rows.start_positions[row], rows.start_velocities[row]);
                start.positions[first + k] = z;
                start.velocities[first + k] = rate;
                end.positions[first + k] = z + size * rate;
                end.velocities[first + k] = rate;
            }
            if let Some(frames) = joint.frames {
                let orientation = subsystems.all[joint.body].rows().orientations[frames.of_body];
                start.orientations[frames.of_load] = orientation;
                turn(end, first, (frames.of_load, &orientation));
            }
        }
    }

    /// Takes the motion of the load ports of a source at the end of the step.
    pub(crate) fn read_end(&mut self, topology: &Topology, rows: &StepRows, source: usize) {
        let LoadSource { coordinates, joints, .. } = &topology.load_sources[source];
        let first_of_source = coordinates.start;
        for joint in joints.iter().map(|&joint| &topology.load_joints[joint]) {
            let PortMotion { start, end } = &mut self.motions[source];
            let first = joint.coordinate - first_of_source;
            for (k, row) in joint.rows().enumerate() {
                end.positions[first + k] = rows.end_positions[row];
                end.velocities[first + k] = rows.end_velocities[row];
            }
            if let Some(frames) = joint.frames {
                turn(end, first, (frames.of_load, &start.orientations[frames.of_load]));
            }
        }
    }

    /// Begins the step in all load sources.
    pub(crate) fn begin(
        topology: &Topology,
        subsystems: &mut Subsystems,
        step: MacroStep,
    ) -> Result<(), SubsystemError> {
        for source in &topology.load_sources {
            let name = &topology.subsystems[source.subsystem].name;
            subsystems
                .call((source.subsystem, name), CallKind::Begin, |own| own.begin(step, &[]).map(|_| ()))?;
        }
        Ok(())
    }

    /// Announces the motions to the sources that run elsewhere, then asks all of `sources` for their loads, and for tangents
    /// where they enter or that is not yet decided.
    pub(crate) fn ask(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        history: &LoadHistory,
        (sources, renews): (impl Fn(usize) -> bool, bool),
    ) -> Result<(), SubsystemError> {
        let asked = || topology.load_sources.iter().enumerate().filter(|(s, _)| sources(*s));
        let before = subsystems.costs.enter(Account::MESSAGES);
        for (s, source) in asked() {
            subsystems.all[source.subsystem].prefetch(Call::Respond(&self.motions[s]));
        }
        subsystems.costs.enter(before);
        for (s, source) in asked() {
            let own = source.coordinates.clone();
            let (start, end) = (&mut self.start[own.clone()], &mut self.end[own]);
            let (motion, tangents) = (&self.motions[s], &mut self.tangents[s]);
            let wants_tangents =
                renews && source.gives_tangents && (history.enters.is_none() || history.enters(s));
            let name = &topology.subsystems[source.subsystem].name;
            subsystems.call((source.subsystem, name), CallKind::Evaluate, |subsystem| {
                let response = subsystem.respond(motion)?;
                let is_finite = copy_finite(&response.start, start) && copy_finite(&response.end, end);
                if wants_tangents && response.has_tangents() {
                    tangents.take(response);
                }
                if is_finite && tangents.are_finite() {
                    return Ok(());
                }
                let what = if is_finite { "a tangent of its loads" } else { "a load" }.to_owned();
                Err(SubsystemError::NotFinite { subsystem: name.clone(), what })
            })?;
        }
        Ok(())
    }

    /// Loads on a subsystem as it takes them: those of joints and contacts on all rows, and those of load ports.
    pub(crate) fn loads_on<'a>(&'a self, layout: &SubsystemLayout, loads: &'a [f64]) -> &'a [f64] {
        if layout.is_loaded() { &self.total[layout.rows.clone()] } else { &loads[layout.rows.clone()] }
    }
}

/// Orientation at the end from the rotation vector that stands from coordinate `first + 3` on.
fn turn(end: &mut PortState, first: usize, (place, start): (usize, &UnitQuaternion<f64>)) {
    let turned = Vector3::from_column_slice(&end.positions[first + 3..first + 6]);
    end.orientations[place] = UnitQuaternion::from_scaled_axis(turned) * start;
}

/// Copies numbers of the same count; says whether the counts agree and all are finite.
fn copy_finite(from: &[f64], to: &mut [f64]) -> bool {
    if from.len() != to.len() {
        return false;
    }
    to.copy_from_slice(from);
    from.iter().all(|x| x.is_finite())
}

/// The subsystems with rows on which loads act, in their order.
fn loaded_bodies(topology: &Topology) -> Vec<LoadedBody> {
    let joints_of = |i: usize| topology.load_joints.iter().filter(move |joint| joint.body == i);
    let rows_of = |joint: &LoadJoint| {
        let (row, coordinate, source) = (joint.row, joint.coordinate, joint.source);
        (0..joint.size).map(move |k| LoadedRow { row: row + k, coordinate: coordinate + k, source })
    };
    let body = |(i, layout): (usize, &SubsystemLayout)| LoadedBody {
        subsystem: i,
        rows_by_source: by_source(joints_of(i).flat_map(rows_of)),
        rows: joints_of(i).flat_map(rows_of).collect(),
        impulses: vec![0.0; layout.rows.len()],
        expansion: vec![0.0; layout.rows.len()],
        change: vec![0.0; layout.rows.len()],
        answer: vec![0.0; layout.rows.len()],
        total: vec![0.0; layout.rows.len()],
        evaluated_at: vec![0.0; layout.rows.len()],
    };
    topology.subsystems.iter().enumerate().filter(|(_, layout)| layout.is_loaded()).map(body).collect()
}

/// The rows of each source, in their order.
fn by_source(rows: impl Iterator<Item = LoadedRow>) -> Vec<Vec<LoadedRow>> {
    let mut sources = BTreeMap::<usize, Vec<LoadedRow>>::new();
    rows.for_each(|row| sources.entry(row.source).or_default().push(row));
    sources.into_values().collect()
}
