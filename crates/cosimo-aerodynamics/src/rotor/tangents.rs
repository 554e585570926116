//! Tangents of all loads of a rotor.
//!
//! With the loads `L` of a blade and the coordinates `q` (positions or velocities) of its frames, the field `f`, the flow `h` through
//! the disk and the forcing `C`,
//!
//! ```text
//!   dL = L_q dq + L_f df + L_h dh + L_hub dq_hub        df = f_y dy + f_h dh        dh = h_hub dq_hub
//!   dC = Σ C_L dL + C_q dq                              dy = −J⁻¹ (R_h dh + R_C dC at fixed y)
//! ```

use nalgebra::{DMatrix, Matrix3, SMatrix, Vector3};

use super::forcing::FrameForcing;
use super::loads::{Held, RotorLoads};
use super::rotor::Rotor;
use super::solve::{RotorStep, Solved};
use super::state::RotorMemory;
use crate::blade::{BladeTangents, HUB_COLUMNS};
use crate::error::AerodynamicError;
use crate::frame::FrameMotion;
use crate::inflow::{Disk, UNKNOWNS};

/// Number of coordinates of a frame.
const FRAME: usize = 6;

/// Room for the tangents of a rotor. Rows and columns are those of all frames, six each, the hub first.
#[derive(Debug, Clone)]
pub struct RotorTangents {
    blades: Vec<BladeTangents>,
    /// How the unknowns of the inflow follow all coordinates.
    unknowns: DMatrix<f64>,
}

/// Positions or velocities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Position,
    Velocity,
}

impl RotorTangents {
    /// Room for the tangents of a rotor.
    #[must_use]
    pub fn new(rotor: &Rotor) -> Self {
        Self {
            blades: vec![BladeTangents::new(&rotor.blade); rotor.blades],
            unknowns: DMatrix::zeros(UNKNOWNS, FRAME * rotor.frames()),
        }
    }

    /// The end of a step: unknowns of the inflow (m/s), loads, and tangents of the loads with respect to positions and turns
    /// along the axes of space (`position`) and to velocities and angular velocities (`velocity`) of all frames.
    ///
    /// # Errors
    /// A wind that is not finite, a rotor axis along the reference of its disk, or an inflow that was not found.
    pub fn end(
        &mut self,
        loads: &mut RotorLoads,
        rotor: &Rotor,
        frames: &[FrameMotion],
        time: f64,
        step: &RotorStep,
        [position, velocity]: [&mut DMatrix<f64>; 2],
    ) -> Result<Vector3<f64>, AerodynamicError> {
        let half = 0.5 * step.size;
        let solved = loads.solve(rotor, frames, time, step, Held::Step(half))?;
        let disk = rotor.disk((&frames[0], &loads.reference(rotor, &frames[0])), time)?;
        let memory = RotorMemory::Stepped(&loads.starts, half);
        for (k, blade) in self.blades.iter_mut().enumerate() {
            let around = rotor.surroundings((&disk, time), loads.field, memory.of_blade(rotor, k));
            blade.evaluate(&rotor.blade, &frames[rotor.frames_of(k)], &around)?;
        }
        for (kind, out) in [(Kind::Position, position), (Kind::Velocity, velocity)] {
            out.fill(0.0);
            self.write_direct(rotor, (&disk, &solved), loads, kind, out);
            if rotor.inflow.has_unknowns() {
                self.follow(rotor, (&disk, frames), (loads, &solved), kind, out);
                self.write_inflow(rotor, loads, &solved, out);
            }
        }
        Ok(solved.unknowns)
    }

    /// Writes the derivatives at fixed unknowns.
    fn write_direct(
        &self,
        rotor: &Rotor,
        (disk, solved): (&Disk, &Solved),
        loads: &RotorLoads,
        kind: Kind,
        out: &mut DMatrix<f64>,
    ) {
        let flow_by_hub = flow_by_hub(disk, kind);
        let field_by_hub = solved.at.field.by_flow * flow_by_hub;
        for (b, (blade, of)) in self.blades.iter().zip(&loads.blades).enumerate() {
            let first = FRAME * rotor.frames_of(b).start;
            let own = if kind == Kind::Position { &blade.position } else { &blade.velocity };
            out.view_mut((first, first), own.shape()).copy_from(own);
            for k in 0..rotor.blade.stations() {
                let row = FRAME * k;
                let by: SMatrix<f64, FRAME, HUB_COLUMNS> =
                    blade.hub.fixed_view::<FRAME, HUB_COLUMNS>(row, 0).into_owned();
                let mut by_hub = by.fixed_columns::<5>(BladeTangents::FLOW) * flow_by_hub
                    + of.by_field.fixed_view::<FRAME, 3>(row, 0) * field_by_hub;
                if kind == Kind::Position {
                    by_hub += by.fixed_columns::<FRAME>(BladeTangents::HUB);
                }
                out.fixed_view_mut::<FRAME, FRAME>(first + row, 0).copy_from(&by_hub);
            }
        }
    }

    /// How the unknowns follow all coordinates; `out` holds the derivatives at fixed unknowns.
    fn follow(
        &mut self,
        rotor: &Rotor,
        (disk, frames): (&Disk, &[FrameMotion]),
        (loads, solved): (&RotorLoads, &Solved),
        kind: Kind,
        out: &DMatrix<f64>,
    ) {
        self.unknowns.fill(0.0);
        let radius = rotor.momentum.radius;
        for b in 0..rotor.blades {
            let range = rotor.frames_of(b);
            let columns = FRAME * range.start..FRAME * range.end;
            for (k, frame) in range.enumerate() {
                let forcing = FrameForcing::new(disk, radius, &frames[frame]);
                let by_force = forcing.by_force(disk);
                let row = FRAME * frame;
                for column in (0..FRAME).chain(columns.clone()) {
                    let force = out.fixed_view::<3, 1>(row, column);
                    let mut unknowns = self.unknowns.fixed_columns_mut::<1>(column);
                    unknowns += by_force * force;
                }
                if kind == Kind::Position {
                    let [force, _] = RotorLoads::on_frame(&loads.blades[b].loads, k);
                    let by_hub_turn = forcing.by_hub_turn(disk, radius, &force);
                    self.follow_places(row, &forcing.by_position(disk, radius, &force), &by_hub_turn);
                }
            }
        }
        self.eliminate(solved, &flow_by_hub(disk, kind));
    }

    /// Adds how the forcing follows the places of a frame and of the hub, and a turn of the hub, at the same loads.
    fn follow_places(&mut self, frame: usize, by_place: &Matrix3<f64>, by_hub_turn: &Matrix3<f64>) {
        let mut place = self.unknowns.fixed_columns_mut::<3>(frame);
        place += by_place;
        let mut place = self.unknowns.fixed_columns_mut::<3>(0);
        place -= by_place;
        let mut turn = self.unknowns.fixed_columns_mut::<3>(3);
        turn += by_hub_turn;
    }

    /// From derivatives of the forcing to those of the unknowns.
    fn eliminate(&mut self, solved: &Solved, flow_by_hub: &SMatrix<f64, 5, FRAME>) {
        let by_forcing = solved.inverse * solved.at.equations.by_forcing * -solved.factor;
        let by_flow = solved.inverse * solved.at.equations.by_flow * -solved.factor;
        for mut column in self.unknowns.column_iter_mut() {
            let forced = by_forcing * column.fixed_rows::<3>(0);
            column.copy_from(&forced);
        }
        let mut hub = self.unknowns.fixed_columns_mut::<FRAME>(0);
        hub += by_flow * flow_by_hub;
    }

    /// Adds what the loads do with the unknowns.
    fn write_inflow(&self, rotor: &Rotor, loads: &RotorLoads, solved: &Solved, out: &mut DMatrix<f64>) {
        for (b, blade) in loads.blades.iter().enumerate() {
            for k in 0..rotor.blade.stations() {
                let by_unknowns =
                    blade.by_field.fixed_view::<FRAME, 3>(FRAME * k, 0) * solved.at.field.by_unknowns;
                let row = FRAME * (rotor.frames_of(b).start + k);
                for (j, unknowns) in self.unknowns.column_iter().enumerate() {
                    let mut own = out.fixed_view_mut::<FRAME, 1>(row, j);
                    own += by_unknowns * unknowns.fixed_rows::<3>(0);
                }
            }
        }
    }
}

/// Derivatives of the flow through the disk by the motion of the hub.
fn flow_by_hub(disk: &Disk, kind: Kind) -> SMatrix<f64, 5, FRAME> {
    match kind {
        Kind::Position => disk.flow_by_position(),
        Kind::Velocity => disk.flow_by_velocity(),
    }
}
