//! Loads and tangents of the segments, on the bodies of their frames.

use cosimo_multibody::spatial::{Loads, Nodes, Part, TangentBlocks};
use nalgebra::Matrix6;

use super::attachment::{Attached, Attachment};
use crate::blade::{SegmentLoads, SegmentTangents, Surroundings};
use crate::error::AerodynamicError;
use crate::rotor::{Rotor, RotorCourse};

/// A rotor at an instant, on the bodies that carry it.
pub(super) struct Carried<'a> {
    pub(super) rotor: &'a Rotor,
    pub(super) course: &'a RotorCourse,
    pub(super) attachments: &'a [Attachment],
    pub(super) nodes: &'a Nodes<'a>,
    pub(super) time: f64,
}

/// A segment between two frames.
struct Segment<'a> {
    /// Its first node; the second is the next.
    node: usize,
    /// Index of its first station.
    station: usize,
    ends: [Attached; 2],
    around: &'a Surroundings<'a>,
}

impl Carried<'_> {
    fn at(&self, node: usize) -> Attached {
        self.attachments[node].at(self.nodes, node)
    }

    /// Visits the segments that have loads.
    fn each_segment(
        &self,
        mut visit: impl FnMut(&Segment<'_>) -> Result<(), AerodynamicError>,
    ) -> Result<(), AerodynamicError> {
        let Self { rotor, course, .. } = self;
        let instant = course.at(rotor, &self.at(0).motion, self.time)?;
        for blade in 0..rotor.blades {
            let around = &course.around(rotor, &instant, blade);
            for station in (1..rotor.blade.stations()).map(|next| next - 1) {
                if rotor.blade.has_loads_from(station) {
                    let node = rotor.frames_of(blade).start + station;
                    let ends = [self.at(node), self.at(node + 1)];
                    visit(&Segment { node, station, ends, around })?;
                }
            }
        }
        Ok(())
    }

    /// Adds the negative loads on the bodies.
    pub(super) fn add_loads(&self, out: &mut Loads<'_>) -> Result<(), AerodynamicError> {
        self.each_segment(|segment| {
            let loads = segment.loads(self.rotor)?;
            for (k, (end, load)) in segment.ends.iter().zip(&loads.0).enumerate() {
                let [force, moment] = end.on_body(load);
                out.add(segment.node + k, &-force, &-moment);
            }
            Ok(())
        })
    }

    /// Power of the loads (W).
    pub(super) fn power(&self) -> Result<f64, AerodynamicError> {
        let mut power = 0.0;
        self.each_segment(|segment| {
            for (end, [force, moment]) in segment.ends.iter().zip(segment.loads(self.rotor)?.0) {
                power += force.dot(&end.motion.velocity) + moment.dot(&end.motion.angular_velocity);
            }
            Ok(())
        })?;
        Ok(power)
    }

    /// Adds the derivatives of the negative loads by the motion of the bodies.
    pub(super) fn add_tangents(&self, out: &mut TangentBlocks<'_>) -> Result<(), AerodynamicError> {
        self.each_segment(|segment| {
            let ends = [&segment.ends[0].motion, &segment.ends[1].motion];
            let (loads, tangents) =
                self.rotor.blade.segment_tangents(segment.station, ends, segment.around)?;
            segment.give(&loads, &tangents, out);
            Ok(())
        })
    }
}

impl Segment<'_> {
    fn loads(&self, rotor: &Rotor) -> Result<SegmentLoads, AerodynamicError> {
        let ends = [&self.ends[0].motion, &self.ends[1].motion];
        rotor.blade.segment_loads(self.station, ends, self.around)
    }

    /// With the increments `P` of a frame by those of its body, its velocities `G` by a turn of the body and the tangents `K`, `D` of the
    /// frames: `−Pᵢᵀ (Kᵢⱼ Pⱼ + Dᵢⱼ Gⱼ)` less how the loads turn, and `−Pᵢᵀ Dᵢⱼ Pⱼ`.
    fn give(&self, loads: &SegmentLoads, tangents: &SegmentTangents, out: &mut TangentBlocks<'_>) {
        let follow = self.ends.each_ref().map(Attached::follow);
        for i in 0..2 {
            for j in 0..2 {
                let (by_position, by_velocity) = (&tangents.position[i][j], &tangents.velocity[i][j]);
                let mut stiffness = follow[i].on_body(&follow[j].of_position(by_position, by_velocity));
                if i == j {
                    let mut turn = stiffness.fixed_view_mut::<3, 3>(3, 3);
                    turn += self.ends[i].load_turn(&loads.0[i]);
                }
                let mut damping = follow[i].on_body(&follow[j].of_velocity(by_velocity));
                let (row, column) = (Part::Node(self.node + i), Part::Node(self.node + j));
                out.stiffness(row, column, negative(&mut stiffness));
                out.damping(row, column, negative(&mut damping));
            }
        }
    }
}

/// The entries of the negative of a matrix, by columns.
fn negative(matrix: &mut Matrix6<f64>) -> &[f64] {
    matrix.as_mut_slice().iter_mut().for_each(|entry| *entry = -*entry);
    matrix.as_slice()
}
