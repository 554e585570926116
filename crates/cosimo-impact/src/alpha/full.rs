//! The three saddle points of a step as one matrix.

use cosimo_dynamics::ConstrainedSystem;
use cosimo_linear::{BlockLu, BlockPattern, BlockPosition, FactorizationError};

use super::sets::ActiveSets;
use crate::contacts::Contacts;
use crate::matrices::{ContactJacobian, TangentBlocks, TangentKind};

/// The matrix of all corrections at once, in units of accelerations and forces: `δU = c_q ũ`, `δW = c_v w̃`, `ν = c_q ν̃`,
/// `Λ = c_v Λ̃`,
///
/// ```text
///   [ J   c_q K  c_v C   Φᵀ            ]        J = M + c_v C + c_q K
///   [      M                 Φᵀ        ]
///   [             M               Φᵀ   ]        contacts as constraints, with −Gᵀ,
///   [ Φ                                ]        and a unit diagonal where they are not active
///   [ Φ    Φ                           ]
///   [ Φ           Φ                    ]
/// ```
///
/// with the three unknowns of a block of coordinates, of constraints or of a contact next to each other.
#[derive(Debug)]
pub(crate) struct FullMatrix {
    lu: BlockLu,
    /// First number in a vector of one level, and size of one level, of every block.
    blocks: Vec<(usize, usize)>,
    bodies: usize,
    constraints: usize,
    unknowns: Vec<f64>,
}

impl FullMatrix {
    pub(crate) fn new(system: &dyn ConstrainedSystem, contacts: &dyn Contacts) -> Self {
        let structure = system.structure();
        let coordinates = structure.coordinates().blocks();
        let mut blocks: Vec<(usize, usize)> =
            coordinates.iter().map(|block| (block.velocity, block.kind.velocities())).collect();
        let bodies = blocks.len();
        blocks.extend(structure.constraints().iter().map(|block| (block.first, block.rows)));
        let constraints = blocks.len() - bodies;
        blocks.extend((0..contacts.layout().contacts().len()).map(|contact| (contact, 1)));
        let sizes: Vec<usize> = blocks.iter().map(|block| 3 * block.1).collect();
        let mut pairs = structure.couplings().to_vec();
        for (k, constraint) in structure.constraints().iter().enumerate() {
            pairs.extend(constraint.touches.iter().map(|body| (*body, bodies + k)));
        }
        for (k, contact) in contacts.layout().contacts().iter().enumerate() {
            pairs.extend(contact.touches.iter().map(|body| (*body, bodies + constraints + k)));
        }
        let pattern = BlockPattern::with_late(&sizes, pairs.into_iter(), |block| block >= bodies);
        let unknowns = vec![0.0; pattern.dimension()];
        Self { lu: BlockLu::new(pattern), blocks, bodies, constraints, unknowns }
    }

    /// Assembles and factorises with the weights `c_v` and `c_q` for these active contacts.
    pub(crate) fn factorize(
        &mut self,
        (c_v, c_q): (f64, f64),
        (tangents, jacobian): (&TangentBlocks, &ContactJacobian),
        (sets, left_out): (&ActiveSets, &[bool]),
    ) -> Result<(), FactorizationError> {
        self.lu.clear();
        tangents.for_each(|kind, row, column, values| match kind {
            TangentKind::Mass => {
                (0..3).for_each(|level| self.add((row, level), (column, level), 1.0, values));
            }
            TangentKind::Damping => {
                self.add((row, 0), (column, 0), c_v, values);
                self.add((row, 0), (column, 2), c_v, values);
            }
            TangentKind::Stiffness => {
                self.add((row, 0), (column, 0), c_q, values);
                self.add((row, 0), (column, 1), c_q, values);
            }
            TangentKind::Constraint => self.add_constraint(self.bodies + row, column, values, left_out),
        });
        let contacts = self.blocks.len() - self.bodies - self.constraints;
        let is_active = |contact: usize| {
            let [positions, velocities, accelerations] = &sets.sets;
            [accelerations, positions, velocities].map(|set| set.contains(&contact))
        };
        let first = self.bodies + self.constraints;
        jacobian.for_each(|contact, block, values| {
            self.add_contact(first + contact, block, values, is_active(contact));
        });
        for contact in 0..contacts {
            for (level, _) in is_active(contact).into_iter().enumerate().filter(|(_, active)| !active) {
                self.add((first + contact, level), (first + contact, level), 1.0, &[1.0]);
            }
        }
        for (row, _) in left_out.iter().enumerate().filter(|(_, out)| **out) {
            self.add_unit(row);
        }
        self.lu.factorize()
    }

    /// A dense block, by columns, at these levels of a row and a column of blocks.
    fn add(
        &mut self,
        (row, row_level): (usize, usize),
        (column, column_level): (usize, usize),
        factor: f64,
        values: &[f64],
    ) {
        let (rows, columns) = (self.blocks[row].1, self.blocks[column].1);
        let Some(position) = self.position(row, column) else { return };
        for (c, entries) in values.chunks_exact(rows.max(1)).enumerate() {
            for (r, value) in entries.iter().enumerate() {
                let place = (row_level * rows + r, column_level * columns + c);
                self.lu.add(position, place, factor * value);
            }
        }
    }

    fn position(&self, row: usize, column: usize) -> Option<BlockPosition> {
        self.lu.pattern().position(row, column)
    }

    /// `Φ` and `Φᵀ` at three levels.
    fn add_constraint(&mut self, row: usize, body: usize, values: &[f64], left_out: &[bool]) {
        let ((first, rows), columns) = (self.blocks[row], self.blocks[body].1);
        for r in (0..rows).filter(|r| !left_out[first + r]) {
            for c in 0..columns {
                self.couple((row, rows, r), (body, columns, c), values[c * rows + r], 1.0, [true; 3]);
            }
        }
    }

    /// `G` and `−Gᵀ` of a contact without friction at three levels.
    fn add_contact(&mut self, row: usize, body: usize, values: &[f64], is_active: [bool; 3]) {
        for (c, value) in values.iter().enumerate() {
            self.couple((row, 1, 0), (body, values.len(), c), *value, -1.0, is_active);
        }
    }

    /// One entry of `Φ`, or of `G` with `sign` −1, at the levels of accelerations, positions and velocities.
    fn couple(
        &mut self,
        (row, rows, r): (usize, usize, usize),
        (body, columns, c): (usize, usize, usize),
        value: f64,
        sign: f64,
        is_active: [bool; 3],
    ) {
        let (Some(below), Some(right)) = (self.position(row, body), self.position(body, row)) else { return };
        for level in 0..3 {
            self.lu.add(right, (level * columns + c, level * rows + r), sign * value);
            if !is_active[level] {
                continue;
            }
            self.lu.add(below, (level * rows + r, c), value);
            if level > 0 {
                self.lu.add(below, (level * rows + r, level * columns + c), value);
            }
        }
    }

    /// Unit diagonals of a row of constraints that is left out.
    fn add_unit(&mut self, row: usize) {
        let own = self.bodies..self.bodies + self.constraints;
        let Some(block) = own.into_iter().rfind(|block| self.blocks[*block].0 <= row) else { return };
        let (first, rows) = self.blocks[block];
        if let Some(position) = self.position(block, block) {
            for level in 0..3 {
                let place = level * rows + row - first;
                self.lu.add(position, (place, place), 1.0);
            }
        }
    }

    /// Solves for three vectors of coordinates, constraints and contacts, one after the other in each, which are overwritten.
    pub(crate) fn solve(&mut self, levels: &mut [Vec<f64>; 3], (n, m): (usize, usize)) {
        self.exchange(levels, (n, m), |own, level| *own = *level);
        self.lu.solve(&mut self.unknowns);
        self.exchange(levels, (n, m), |own, level| *level = *own);
    }

    fn exchange(
        &mut self,
        levels: &mut [Vec<f64>; 3],
        (n, m): (usize, usize),
        pass: impl Fn(&mut f64, &mut f64),
    ) {
        let mut place = 0;
        for (block, (first, size)) in self.blocks.iter().enumerate() {
            let shift = match block {
                body if body < self.bodies => 0,
                constraint if constraint < self.bodies + self.constraints => n,
                _ => n + m,
            };
            for level in levels.iter_mut() {
                for value in &mut level[shift + first..shift + first + size] {
                    pass(&mut self.unknowns[place], value);
                    place += 1;
                }
            }
        }
    }
}

/// The matrix of all corrections, and the three vectors that it is solved for: coordinates, constraints, contacts.
#[derive(Debug)]
pub(crate) struct AllAtOnce {
    pub(super) matrix: FullMatrix,
    pub(super) levels: [Vec<f64>; 3],
}

impl AllAtOnce {
    pub(crate) fn new(system: &dyn ConstrainedSystem, contacts: &dyn Contacts) -> Self {
        let structure = system.structure();
        let size = structure.velocities() + structure.rows() + contacts.layout().contacts().len();
        let level = || vec![0.0; size];
        Self { matrix: FullMatrix::new(system, contacts), levels: [level(), level(), level()] }
    }
}
