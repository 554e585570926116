//! Derivatives of the loads of a Gauss point.

use nalgebra::{Matrix3, RowVector3, SMatrix, Vector3};

use super::flow::{Induced, PointFlow, Surroundings};
use super::geometry::Point;
use crate::error::AerodynamicError;
use crate::number::Dual;
use crate::section::{SectionLoads, VARIABLES};

/// Columns of the derivatives: the motion of the frame on the line, then what the rotor passes on.
pub(super) const POSITION: usize = 0;
pub(super) const ROTATION: usize = 3;
pub(super) const VELOCITY: usize = 6;
pub(super) const SPIN: usize = 9;
pub(super) const FIELD: usize = 12;
pub(super) const FLOW: usize = 15;
pub(super) const HUB_POSITION: usize = 20;
pub(super) const HUB_ROTATION: usize = 23;
pub(super) const COLUMNS: usize = 26;

/// Derivatives of force and moment of a point about the line through the frames.
pub(super) type LoadDerivatives = SMatrix<f64, 6, COLUMNS>;

/// Variables of a section by the columns.
type FlowDerivatives = SMatrix<f64, VARIABLES, COLUMNS>;

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

    /// The derivatives of force and moment per unit span, about the line through the frames.
    pub(super) fn derivatives(
        &self,
        flow: &PointFlow,
        loads: &SectionLoads<Dual<VARIABLES>>,
    ) -> Result<LoadDerivatives, AerodynamicError> {
        let of_flow = self.flow_derivatives(flow)?;
        let [chordwise, normal, moment] =
            [&loads.chordwise, &loads.normal, &loads.moment].map(|load| load.by.transpose() * of_flow);
        let mut force = flow.axes[0] * chordwise + flow.axes[1] * normal;
        let mut couple = flow.axes[2] * moment;
        let force_now = flow.axes[0] * loads.chordwise.value + flow.axes[1] * loads.normal.value;
        // The loads turn with the section.
        let mut turn = force.fixed_columns_mut::<3>(ROTATION);
        turn -= force_now.cross_matrix();
        let mut turn = couple.fixed_columns_mut::<3>(ROTATION);
        turn -= (flow.axes[2] * loads.moment.value).cross_matrix();
        turn += force_now.cross_matrix() * flow.offset.cross_matrix();
        couple += flow.offset.cross_matrix() * force;
        let mut both = LoadDerivatives::zeros();
        both.fixed_rows_mut::<3>(0).copy_from(&force);
        both.fixed_rows_mut::<3>(3).copy_from(&couple);
        Ok(both)
    }

    /// How the flow of the section follows the columns.
    fn flow_derivatives(&self, flow: &PointFlow) -> Result<FlowDerivatives, AerodynamicError> {
        let gradient = self.wind_gradient(&flow.position)?;
        let axis = self.disk.axis;
        let [chord, normal, pitch] = flow.axes;
        let mut by = FlowDerivatives::zeros();
        for (row, direction) in [(0, chord), (1, normal)] {
            set(&mut by, row, POSITION, -gradient.transpose() * direction);
            set(&mut by, row, ROTATION, direction.cross(&flow.relative));
            set(&mut by, row, VELOCITY, direction);
            // The rotor axis along the section.
            set(&mut by, row + 3, ROTATION, direction.cross(&axis));
            set(&mut by, row + 3, HUB_ROTATION, axis.cross(&direction));
        }
        set(&mut by, 2, ROTATION, pitch.cross(&flow.angular_velocity));
        set(&mut by, 2, SPIN, pitch);
        self.radius_derivatives(flow, &mut by);
        self.induced_derivatives(flow, &mut by);
        self.disk_derivatives(&mut by);
        move_to_line(flow, &mut by);
        Ok(by)
    }

    fn radius_derivatives(&self, flow: &PointFlow, by: &mut FlowDerivatives) {
        let axis = self.disk.axis;
        let height = axis.dot(&flow.from_hub);
        let radius = flow.section.radius;
        if radius > 0.0 {
            let outwards = (flow.from_hub - axis * height) / radius;
            set(by, 5, POSITION, outwards);
            set(by, 5, HUB_POSITION, -outwards);
            set(by, 5, HUB_ROTATION, axis.cross(&flow.from_hub) * (-height / radius));
        }
    }

    fn induced_derivatives(&self, flow: &PointFlow, by: &mut FlowDerivatives) {
        let Induced::Field { values, radius, .. } = &self.induced else { return };
        let [first, second] = self.disk.axes;
        let slope = (first * values[1] + second * values[2]) / *radius;
        set(by, 6, POSITION, slope);
        set(by, 6, HUB_POSITION, -slope);
        let turned = (self.disk.turns[0] * values[1] + self.disk.turns[1] * values[2]) / *radius;
        set(by, 6, HUB_ROTATION, turned.transpose() * flow.from_hub);
        let [along, across] = [first, second].map(|direction| direction.dot(&flow.from_hub) / radius);
        set(by, 6, FIELD, Vector3::new(1.0, along, across));
    }

    /// Climb, flow across the axis and speed, by the flow through the disk.
    fn disk_derivatives(&self, by: &mut FlowDerivatives) {
        by[(7, FLOW + 2)] = 1.0;
        let edgewise = self.disk.flow.edgewise();
        if edgewise > 0.0 {
            by[(8, FLOW)] = self.disk.flow.along[0] / edgewise;
            by[(8, FLOW + 1)] = self.disk.flow.along[1] / edgewise;
        }
        by[(9, FLOW + 3)] = 1.0;
    }
}

fn set(by: &mut FlowDerivatives, row: usize, column: usize, derivative: Vector3<f64>) {
    by.fixed_view_mut::<1, 3>(row, column).copy_from(&derivative.transpose());
}

/// From the motion of the quarter chord to that of the line through the frames: `δx + δθ × o`, `δv + δω × o + ω × (δθ × o)`.
fn move_to_line(flow: &PointFlow, by: &mut FlowDerivatives) {
    let arm: Matrix3<f64> = -flow.offset.cross_matrix();
    let swung = flow.angular_velocity.cross_matrix() * arm;
    for row in 0..VARIABLES {
        let position: RowVector3<f64> = by.fixed_view::<1, 3>(row, POSITION).into_owned();
        let velocity: RowVector3<f64> = by.fixed_view::<1, 3>(row, VELOCITY).into_owned();
        let mut rotation = by.fixed_view_mut::<1, 3>(row, ROTATION);
        rotation += position * arm + velocity * swung;
        let mut spin = by.fixed_view_mut::<1, 3>(row, SPIN);
        spin += velocity * arm;
    }
}
