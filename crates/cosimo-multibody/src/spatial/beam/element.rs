//! The beam element of two nodes.

use nalgebra::{Matrix3, Matrix6, Rotation3, Vector3, Vector6};

use super::super::element::{
    Element, ElementKind, ElementQuantity, Loads, Nodes, Overturned, Part, TangentBlocks,
};
use super::super::joint::Marker;
use super::super::model_error::SpatialModelError;
use super::super::pose::{Pose, Twist};
use super::super::turns::MOST_BEND;
use super::screw::{InverseTangent, Placement, blocks, join, parts};

/// What a beam element shows: stress resultants in its axes.
const QUANTITIES: [(&str, &str); 6] =
    [("fx", "N"), ("fy", "N"), ("fz", "N"), ("mx", "N m"), ("my", "N m"), ("mz", "N m")];

/// A beam element between two node frames `A` and `B`, whose `x` axes point along the beam.
///
/// ```text
///   d = log(H_A⁻¹ H_B)      ε = (d − d₀)/L      ε̇ = (T⁻¹(d) v_B − T⁻¹(−d) v_A)/L      s = K (ε + β ε̇)
///   on the balance:         g_A = −T⁻ᵀ(−d) s,   g_B = T⁻ᵀ(d) s              potential: ½ L εᵀ K ε
/// ```
///
/// with strains `ε = (γx, γy, γz, κx, κy, κz)`: stretch and shears (–), twist and curvatures (1/m), stress resultants `s`
/// (N and N m), and velocities `v` of the frames in their own axes.
///
/// Reference: V. Sonneville, A. Cardona, O. Brüls, CMAME 268 (2014), section 4.
#[derive(Debug, Clone)]
pub struct BeamElement {
    /// Length `L` of the reference curve (m).
    pub length: f64,
    /// Screw `d₀` from the first frame to the second where the element is free of stress: translation (m), rotation vector.
    pub reference: Vector6<f64>,
    /// `K`: stress resultants by strains (N, N m, N m²).
    pub stiffness: Matrix6<f64>,
    /// `β` (s): stresses of strain rates are `β K ε̇`.
    pub damping: f64,
}

impl ElementKind for BeamElement {
    fn place(&self, owner: &str, markers: &[Marker]) -> Result<Box<dyn Element>, SpatialModelError> {
        let [first, second] = markers else {
            let (quantity, found) = ("number of nodes", markers.len() as f64);
            return Err(SpatialModelError::OutOfRange {
                owner: owner.to_owned(),
                quantity,
                found,
                rule: "2",
            });
        };
        let refuse = |quantity, found, rule| {
            Err(SpatialModelError::OutOfRange { owner: owner.to_owned(), quantity, found, rule })
        };
        if !(self.length > 0.0 && self.length.is_finite()) {
            return refuse("length", self.length, "positive and finite");
        }
        if !(self.damping >= 0.0 && self.damping.is_finite()) {
            return refuse("damping", self.damping, "finite and not negative");
        }
        if self.stiffness.cholesky().is_none() {
            let least = self.stiffness.symmetric_eigenvalues().min();
            return refuse("least eigenvalue of the section stiffness", least, "positive");
        }
        Ok(Box::new(PlacedBeam { ends: [End::at(first), End::at(second)], law: self.clone() }))
    }
}

/// A node frame in its body: `x_node = x + R a`, `R_node = R A`.
#[derive(Debug, Clone)]
struct End {
    arm: Vector3<f64>,
    axes: Matrix3<f64>,
}

impl End {
    fn at(marker: &Marker) -> Self {
        Self { arm: marker.arm, axes: Matrix3::from_columns(&marker.axes) }
    }

    fn placement(&self, pose: &Pose) -> Placement {
        Placement { position: pose.point(&self.arm), rotation: pose.rotation * self.axes }
    }

    /// Velocity of the frame in its own axes.
    fn velocity(&self, pose: &Pose, twist: &Twist) -> Vector6<f64> {
        let of_point = pose.rotation.tr_mul(&twist.velocity) + twist.spin.cross(&self.arm);
        join(&self.axes.tr_mul(&of_point), &self.axes.tr_mul(&twist.spin))
    }

    /// Increments of the frame in its own axes by those of the body: `[Aᵀ Rᵀ, −Aᵀ a×; 0, Aᵀ]`.
    fn increments(&self, pose: &Pose) -> Matrix6<f64> {
        let turned = self.axes.transpose();
        let across = -turned * self.arm.cross_matrix();
        blocks([[turned * pose.rotation.transpose(), across], [Matrix3::zeros(), turned]])
    }

    /// How the velocity of the frame changes with the increments of the body.
    fn velocity_gradient(&self, pose: &Pose, twist: &Twist) -> Matrix6<f64> {
        let own = self.axes.tr_mul(&pose.rotation.tr_mul(&twist.velocity).cross_matrix());
        blocks([[Matrix3::zeros(), own], [Matrix3::zeros(); 2]])
    }

    /// How a force on the frame that keeps its components turns with the body: `−R f×`, with the force `f` in body axes.
    fn turn_of_force(&self, pose: &Pose, wrench: &Vector6<f64>) -> Matrix6<f64> {
        let force = self.axes * parts(wrench).0;
        let turned = -pose.rotation * force.cross_matrix();
        blocks([[Matrix3::zeros(), turned], [Matrix3::zeros(); 2]])
    }
}

/// A beam element whose nodes are found.
#[derive(Debug)]
struct PlacedBeam {
    ends: [End; 2],
    law: BeamElement,
}

/// An element at one instant.
struct Shape {
    inverse: InverseTangent,
    strain_rate: Vector6<f64>,
    /// `s`.
    stress: Vector6<f64>,
    poses: [Pose; 2],
    twists: [Twist; 2],
    /// Velocities of the frames in their own axes.
    velocities: [Vector6<f64>; 2],
}

impl PlacedBeam {
    fn screw(&self, poses: &[Pose; 2]) -> Vector6<f64> {
        self.ends[0].placement(&poses[0]).screw_to(&self.ends[1].placement(&poses[1]))
    }

    fn strain(&self, d: &Vector6<f64>) -> Vector6<f64> {
        (d - self.law.reference) / self.law.length
    }

    fn shape(&self, nodes: &Nodes<'_>) -> Shape {
        let poses = [nodes.pose(0), nodes.pose(1)];
        let twists = [nodes.twist(0), nodes.twist(1)];
        let velocities = [0, 1].map(|k| self.ends[k].velocity(&poses[k], &twists[k]));
        let d = self.screw(&poses);
        let inverse = InverseTangent::at(&d);
        let strain = self.strain(&d);
        let strain_rate = (inverse.ahead * velocities[1] - inverse.back * velocities[0]) / self.law.length;
        let stress = self.law.stiffness * (strain + strain_rate * self.law.damping);
        Shape { inverse, strain_rate, stress, poses, twists, velocities }
    }
}

impl Shape {
    /// Wrenches on the frames, in their axes.
    fn wrenches(&self) -> [Vector6<f64>; 2] {
        [-self.inverse.back.tr_mul(&self.stress), self.inverse.ahead.tr_mul(&self.stress)]
    }

    /// Changes of `d` by increments of the frames.
    fn screw_gradients(&self) -> [Matrix6<f64>; 2] {
        [-self.inverse.back, self.inverse.ahead]
    }
}

impl Element for PlacedBeam {
    fn add_forces(&self, _t: f64, nodes: &Nodes<'_>, out: &mut Loads<'_>) {
        let shape = self.shape(nodes);
        for (k, wrench) in shape.wrenches().iter().enumerate() {
            let (force, moment) = parts(wrench);
            let (end, rotation) = (&self.ends[k], &shape.poses[k].rotation);
            let of_body = end.axes * force;
            out.add(k, &(rotation * of_body), &(end.arm.cross(&of_body) + end.axes * moment));
        }
    }

    /// With `P = ∂d/∂(h_A, h_B)`: `∂(Pᵀ s)/∂d P + Pᵀ K (1 + β ∂(P v)/∂d) P/L`, `Pᵀ β K P/L` by velocities.
    fn add_tangents(&self, _t: f64, nodes: &Nodes<'_>, out: &mut TangentBlocks<'_>) {
        let shape = self.shape(nodes);
        let law = &self.law;
        let per_length = law.stiffness / law.length;
        let inverse = &shape.inverse;
        let gradients = shape.screw_gradients();
        let of_rate =
            inverse.gradient(1.0, &shape.velocities[1]) - inverse.gradient(-1.0, &shape.velocities[0]);
        let by_screw = per_length * (Matrix6::identity() + of_rate * law.damping);
        let of_wrench = [
            -inverse.transposed_gradient(-1.0, &shape.stress),
            inverse.transposed_gradient(1.0, &shape.stress),
        ];
        let wrenches = shape.wrenches();
        let increments = [0, 1].map(|k| self.ends[k].increments(&shape.poses[k]));
        for i in 0..2 {
            let rows = increments[i].transpose();
            let elastic = rows * (gradients[i].tr_mul(&by_screw) + of_wrench[i]);
            let viscous = rows * gradients[i].tr_mul(&per_length) * law.damping;
            for j in 0..2 {
                let mut stiffness = elastic * gradients[j] * increments[j];
                if i == j {
                    stiffness += self.ends[i].turn_of_force(&shape.poses[i], &wrenches[i]);
                }
                if law.damping > 0.0 {
                    let turning = self.ends[j].velocity_gradient(&shape.poses[j], &shape.twists[j]);
                    let across = viscous * gradients[j];
                    stiffness += across * turning;
                    out.damping(Part::Node(i), Part::Node(j), (across * increments[j]).as_slice());
                }
                out.stiffness(Part::Node(i), Part::Node(j), stiffness.as_slice());
            }
        }
    }

    fn potential(&self, nodes: &Nodes<'_>) -> f64 {
        let strain = self.strain(&self.screw(&[nodes.pose(0), nodes.pose(1)]));
        0.5 * self.law.length * strain.dot(&(self.law.stiffness * strain))
    }

    fn dissipated_power(&self, _t: f64, nodes: &Nodes<'_>) -> f64 {
        if self.law.damping == 0.0 {
            return 0.0;
        }
        let rate = self.shape(nodes).strain_rate;
        self.law.damping * self.law.length * rate.dot(&(self.law.stiffness * rate))
    }

    fn quantities(&self) -> Vec<ElementQuantity> {
        QUANTITIES.map(|(name, unit)| ElementQuantity { name: name.to_owned(), unit }).to_vec()
    }

    fn observe(&self, _t: f64, nodes: &Nodes<'_>, out: &mut [f64]) {
        out.copy_from_slice(self.shape(nodes).stress.as_slice());
    }

    fn angle_wrap(&self, step: &Nodes<'_>) -> Option<Overturned> {
        let moved = |k: usize| {
            let (pose, twist) = (step.pose(k), step.twist(k));
            let turn = Rotation3::from_scaled_axis(twist.spin).into_inner();
            Pose { position: pose.position + twist.velocity, rotation: pose.rotation * turn }
        };
        let angle = parts(&self.screw(&[moved(0), moved(1)])).1.norm();
        (!(angle < MOST_BEND)).then_some(Overturned::Bent(angle))
    }
}
