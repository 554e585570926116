//! Derivatives of the loads of a Gauss point.

use nalgebra::{SMatrix, Vector3};

use super::flow::{Induced, PointFlow, Surroundings};
use super::geometry::Point;
use crate::error::AerodynamicError;
use crate::number::Dual;
use crate::section::{SectionLoads, VARIABLES};

/// Columns of the derivatives by the motion of the frame on the line.
pub(super) const POSITION: usize = 0;
pub(super) const ROTATION: usize = 3;
pub(super) const VELOCITY: usize = 6;
pub(super) const SPIN: usize = 9;
pub(super) const MOTION: usize = 12;

/// Columns of the derivatives by what the rotor passes on: field, flow through the disk, position and turn of the hub.
pub(super) const FIELD: usize = 0;
pub(super) const FLOW: usize = 3;
pub(super) const HUB_POSITION: usize = 8;
pub(super) const HUB_ROTATION: usize = 11;
pub(super) const HUB: usize = 14;

/// Derivatives of force and moment of a point about the line through the frames.
pub(super) type LoadDerivatives<const N: usize> = SMatrix<f64, 6, N>;

/// Variables of a section that follow the motion of the frame: those before climb.
const MOVED: usize = 7;

/// Force and moment per unit span at the line through the frames.
pub(super) fn wrench(flow: &PointFlow, [chordwise, normal, moment]: [f64; 3]) -> [Vector3<f64>; 2] {
    let force = flow.axes[0] * chordwise + flow.axes[1] * normal;
    [force, flow.axes[2] * moment + flow.offset.cross(&force)]
}

impl Surroundings<'_> {
    /// The loads of a point with their derivatives by the flow of the section.
    pub(super) fn linearised(&self, point: &Point, flow: &PointFlow) -> SectionLoads<Dual<VARIABLES>> {
        let section = self.section(point);
        match &self.induced {
            Induced::Field { .. } => section.loads(&flow.section.variables()),
            Induced::Annulus(annulus) => annulus.loads(&section, &flow.section),
        }
    }

    /// The derivatives of force and moment per unit span, about the line through the frames, by the motion of the frame there.
    pub(super) fn by_motion(
        &self,
        flow: &PointFlow,
        loads: &SectionLoads<Dual<VARIABLES>>,
    ) -> Result<LoadDerivatives<MOTION>, AerodynamicError> {
        let of_flow = self.flow_by_motion(flow)?;
        let mut both =
            about_line(flow, &parts(loads).map(|load| load.by.fixed_rows::<MOVED>(0).tr_mul(&of_flow)));
        let force = flow.axes[0] * loads.chordwise.value + flow.axes[1] * loads.normal.value;
        // The loads turn with the section.
        let turned = -force.cross_matrix();
        let mut turn = both.fixed_view_mut::<3, 3>(0, ROTATION);
        turn += turned;
        let mut turn = both.fixed_view_mut::<3, 3>(3, ROTATION);
        turn -= (flow.axes[2] * loads.moment.value + flow.offset.cross(&force)).cross_matrix();
        Ok(both)
    }

    /// The same by what the rotor passes on.
    pub(super) fn by_hub(
        &self,
        flow: &PointFlow,
        loads: &SectionLoads<Dual<VARIABLES>>,
    ) -> LoadDerivatives<HUB> {
        let of_flow = self.flow_by_hub(flow);
        about_line(flow, &parts(loads).map(|load| load.by.tr_mul(&of_flow)))
    }

    /// How the flow of the section follows the motion of the frame.
    fn flow_by_motion(&self, flow: &PointFlow) -> Result<SMatrix<f64, MOVED, MOTION>, AerodynamicError> {
        let gradient = self.wind_gradient(&flow.position)?;
        let axis = self.disk.axis;
        let [chord, normal, pitch] = flow.axes;
        let mut by = SMatrix::<f64, MOVED, MOTION>::zeros();
        for (row, direction) in [(0, chord), (1, normal)] {
            set(&mut by, row, POSITION, -gradient.tr_mul(&direction));
            set(&mut by, row, ROTATION, direction.cross(&flow.relative));
            set(&mut by, row, VELOCITY, direction);
            // The rotor axis along the section.
            set(&mut by, row + 3, ROTATION, direction.cross(&axis));
        }
        set(&mut by, 2, ROTATION, pitch.cross(&flow.angular_velocity));
        set(&mut by, 2, SPIN, pitch);
        set(&mut by, 5, POSITION, self.outwards(flow));
        set(&mut by, 6, POSITION, self.slope());
        move_to_line(flow, &mut by);
        Ok(by)
    }

    /// How it follows what the rotor passes on.
    fn flow_by_hub(&self, flow: &PointFlow) -> SMatrix<f64, VARIABLES, HUB> {
        let axis = self.disk.axis;
        let mut by = SMatrix::<f64, VARIABLES, HUB>::zeros();
        set(&mut by, 3, HUB_ROTATION, axis.cross(&flow.axes[0]));
        set(&mut by, 4, HUB_ROTATION, axis.cross(&flow.axes[1]));
        let radius = flow.section.radius;
        if radius > 0.0 {
            let height = axis.dot(&flow.from_hub);
            set(&mut by, 5, HUB_POSITION, -self.outwards(flow));
            set(&mut by, 5, HUB_ROTATION, axis.cross(&flow.from_hub) * (-height / radius));
        }
        self.induced_by_hub(flow, &mut by);
        self.disk_derivatives(&mut by);
        by
    }

    /// Away from the rotor axis: the derivative of the radius.
    fn outwards(&self, flow: &PointFlow) -> Vector3<f64> {
        let (axis, radius) = (self.disk.axis, flow.section.radius);
        let across = flow.from_hub - axis * axis.dot(&flow.from_hub);
        if radius > 0.0 { across / radius } else { Vector3::zeros() }
    }

    /// The gradient of the induced velocity in the disk (1/s).
    fn slope(&self) -> Vector3<f64> {
        let Induced::Field { values, radius, .. } = &self.induced else { return Vector3::zeros() };
        let [first, second] = self.disk.axes;
        (first * values[1] + second * values[2]) / *radius
    }

    fn induced_by_hub(&self, flow: &PointFlow, by: &mut SMatrix<f64, VARIABLES, HUB>) {
        let Induced::Field { values, radius, .. } = &self.induced else { return };
        set(by, 6, HUB_POSITION, -self.slope());
        let turned = (self.disk.turns[0] * values[1] + self.disk.turns[1] * values[2]) / *radius;
        set(by, 6, HUB_ROTATION, turned.tr_mul(&flow.from_hub));
        let [along, across] = self.disk.axes.map(|direction| direction.dot(&flow.from_hub) / radius);
        set(by, 6, FIELD, Vector3::new(1.0, along, across));
    }

    /// Climb, flow across the axis and speed, by the flow through the disk.
    fn disk_derivatives(&self, by: &mut SMatrix<f64, VARIABLES, HUB>) {
        by[(7, FLOW + 2)] = 1.0;
        let edgewise = self.disk.flow.edgewise();
        if edgewise > 0.0 {
            by[(8, FLOW)] = self.disk.flow.along[0] / edgewise;
            by[(8, FLOW + 1)] = self.disk.flow.along[1] / edgewise;
        }
        by[(9, FLOW + 3)] = 1.0;
    }
}

fn parts(loads: &SectionLoads<Dual<VARIABLES>>) -> [&Dual<VARIABLES>; 3] {
    [&loads.chordwise, &loads.normal, &loads.moment]
}

/// Derivatives of force and moment about the line, from those of the loads of the section; the section does not turn.
fn about_line<const N: usize>(
    flow: &PointFlow,
    [chordwise, normal, moment]: &[SMatrix<f64, 1, N>; 3],
) -> LoadDerivatives<N> {
    let [of_chordwise, of_normal] = [flow.axes[0], flow.axes[1]].map(|axis| flow.offset.cross(&axis));
    let mut both = LoadDerivatives::<N>::zeros();
    for (k, mut column) in both.column_iter_mut().enumerate() {
        let (chordwise, normal, moment) = (chordwise[k], normal[k], moment[k]);
        let force = flow.axes[0] * chordwise + flow.axes[1] * normal;
        column.fixed_rows_mut::<3>(0).copy_from(&force);
        let couple = flow.axes[2] * moment + of_chordwise * chordwise + of_normal * normal;
        column.fixed_rows_mut::<3>(3).copy_from(&couple);
    }
    both
}

fn set<const R: usize, const C: usize>(
    by: &mut SMatrix<f64, R, C>,
    row: usize,
    column: usize,
    derivative: Vector3<f64>,
) {
    for k in 0..3 {
        by[(row, column + k)] = derivative[k];
    }
}

/// From the motion of the quarter chord to that of the line through the frames: `δx + δθ × o`, `δv + δω × o + ω × (δθ × o)`.
fn move_to_line(flow: &PointFlow, by: &mut SMatrix<f64, MOVED, MOTION>) {
    let (offset, spin) = (flow.offset, flow.angular_velocity);
    for row in 0..MOVED {
        let of =
            |column: usize| Vector3::new(by[(row, column)], by[(row, column + 1)], by[(row, column + 2)]);
        let (position, velocity) = (of(POSITION), of(VELOCITY));
        let rotation = of(ROTATION) + offset.cross(&(position + velocity.cross(&spin)));
        let own_spin = of(SPIN) + offset.cross(&velocity);
        set(by, row, ROTATION, rotation);
        set(by, row, SPIN, own_spin);
    }
}
