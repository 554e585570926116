//! The storage of the problem that a subsystem solves by itself in a sweep.

use cosimo_linear::DenseLu;
use cosimo_nonsmooth::{ContactLaws, ContactMemory, ImpactResolution, OneStepProblem};
use nalgebra::DMatrix;

use crate::laws::pseudo_inverse::PseudoInverse;
use crate::time::part::StepPart;
use crate::topology::Topology;
use crate::topology::subsystem::JoinedPort;

/// What one subsystem solves by itself.
#[derive(Debug)]
pub(crate) struct LocalProblem {
    pub(super) subsystem: usize,
    /// The forces it finds.
    pub(crate) found: Vec<FoundForce>,
    /// The joint coordinates at which it is given a force, or finds one.
    pub(super) loads: Vec<PortLoad>,
    pub(super) matrix: DMatrix<f64>,
    pub(super) lu: DenseLu,
    /// Whether its own matrix is singular, so that the forces are found with the inverse mass of the other sides.
    pub(super) is_met: bool,
    /// `(A + D)⁺` where it is.
    pub(super) met: PseudoInverse,
    /// Whether its Tikhonov joints are rigid: what contacts add to the forces found without them are impacts.
    pub(super) passes_rigidly: bool,
    pub(super) unknowns: Vec<f64>,
    /// Inverse mass that each of its forces meets in its own equation (1/kg).
    pub(crate) inverse_masses: Vec<f64>,
    /// Its contacts and their rows, by their index in the model.
    pub(crate) contacts: Vec<usize>,
    pub(crate) rows: Vec<usize>,
    pub(crate) problem: OneStepProblem,
    pub(super) delassus: DMatrix<f64>,
    pub(super) no_damping: DMatrix<f64>,
    pub(super) memory: Vec<ContactMemory>,
    pub(super) gaps: Vec<f64>,
    pub(super) rates: [Vec<f64>; 2],
    pub(super) laws: ContactLaws,
}

/// A joint coordinate whose force a subsystem finds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FoundForce {
    pub(crate) joint: usize,
    /// Which coordinate of the joint it is.
    pub(crate) coordinate: usize,
    /// Index among the interface unknowns.
    pub(crate) unknown: usize,
    /// Index among the coordinates of all joints.
    pub(super) index: usize,
    /// The side that finds it.
    pub(crate) side: usize,
}

/// A joint coordinate of a subsystem.
#[derive(Debug, Clone, Copy)]
pub(super) struct PortLoad {
    /// Index among the coordinates of all joints.
    pub(super) coordinate: usize,
    pub(super) side: usize,
    /// Whether the subsystem finds the force.
    pub(super) is_found: bool,
}

/// What a subsystem is given of the rest of the model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    /// Interface unknowns, of which the subsystem takes those that it does not find.
    pub(crate) forces: &'a [f64],
    /// Interface unknowns without contact impulses.
    pub(crate) base: &'a [f64],
    /// Motions of the sides that take forces, in the equation of each unknown.
    pub(crate) motions: &'a [f64],
    /// The contacts of the model that may carry impulses; `None` leaves the contacts alone.
    pub(crate) candidates: Option<&'a [bool]>,
    pub(crate) part: StepPart,
}

impl LocalProblem {
    /// The problem of subsystem `i`, which finds the forces of its joints to subsystems of lower `rank`.
    pub(crate) fn new(topology: &Topology, i: usize, rank: &[usize]) -> Self {
        let joints = &topology.subsystems[i].joints;
        let finds: Vec<bool> = joints
            .iter()
            .map(|port| rank[topology.joints[port.joint].sides[1 - port.side].subsystem] < rank[i])
            .collect();
        let mut found = Vec::new();
        let mut loads = Vec::new();
        for (&JoinedPort { joint: j, side }, &is_found) in joints.iter().zip(&finds) {
            let joint = &topology.joints[j];
            loads.extend(joint.coordinates().map(|coordinate| PortLoad { coordinate, side, is_found }));
            if !is_found {
                continue;
            }
            found.extend((0..joint.size).map(|k| FoundForce {
                joint: j,
                coordinate: k,
                unknown: joint.first + k,
                index: joint.first_coordinate + k,
                side,
            }));
        }
        let contacts: Vec<usize> =
            (0..topology.contacts.len()).filter(|&c| topology.contacts[c].subsystem == i).collect();
        let slips = contacts.iter().flat_map(|&c| topology.contacts[c].slips.clone());
        let rows: Vec<usize> = contacts.iter().map(|&c| topology.contacts[c].gap).chain(slips).collect();
        let law = |&c: &usize| (*topology.law(c), topology.contacts[c].slips.len());
        let (m, c, r) = (found.len(), contacts.len(), rows.len());
        Self {
            subsystem: i,
            found,
            loads,
            matrix: DMatrix::zeros(m, m),
            lu: DenseLu::default(),
            is_met: false,
            passes_rigidly: false,
            met: PseudoInverse::new(m),
            unknowns: vec![0.0; m],
            inverse_masses: vec![0.0; m],
            problem: OneStepProblem::with_rows(c, r, ImpactResolution::Plain),
            delassus: DMatrix::zeros(r, r),
            no_damping: DMatrix::zeros(0, 0),
            memory: vec![ContactMemory::OPEN; c],
            gaps: vec![0.0; c],
            rates: [vec![0.0; r], vec![0.0; r]],
            laws: ContactLaws::new(contacts.iter().map(law)),
            contacts,
            rows,
        }
    }

    /// The joint coordinates at which the force is given.
    pub(super) fn given(&self) -> impl Iterator<Item = &PortLoad> {
        self.loads.iter().filter(|load| !load.is_found)
    }
}
