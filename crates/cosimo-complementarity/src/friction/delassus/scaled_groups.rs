//! The direct solver of a matrix whose contacts come in groups, such as the four corners of a brick on another.
//!
//! Contacts of the same two bodies meet the same other contacts, and however many they are, no more than the six
//! relative motions of the bodies move them. From the matrix alone the bodies are not known, but such groups are: contacts
//! `g` whose rows have the same blocks that are not zero. The eigenvectors `J_g` of the block `W_gg` whose eigenvalues are not
//! zero span its rows, so that
//!
//! ```text
//!   W = J Ŵ Jᵀ        (1 + Ŵ Jᵀ R B⁻¹ L J) v = Ŵ Jᵀ R B⁻¹ b        x = B⁻¹ (b − L J v)
//! ```
//!
//! with as many unknowns as the groups have motions.

use std::collections::BTreeMap;

use cosimo_linear::{BlockLu, BlockPattern, BlockPosition, FactorizationError};
use nalgebra::{DMatrix, SymmetricEigen};

use super::block_matrix::BlockMatrix;
use super::operator::Delassus;
use super::scaled::{Divided, Scaled, ScaledSystem};
use crate::friction::by_contact::{of_contact, set_contact};

/// Eigenvalues below this share of the largest of a group are round-off.
const SMALLEST: f64 = 1e-13;
/// Contacts of the largest group whose motions are looked for: a matrix without zeros would be one group of all contacts,
/// and its eigenvectors cost more than the system itself.
const LARGEST: usize = 64;
/// What the groups may miss of `W`, in units of its mean diagonal.
const MISSED: f64 = 1e-11;
/// Share of the rows that the groups must not exceed to be worth their while.
const WORTHWHILE: f64 = 0.75;

/// The system of the groups.
#[derive(Debug)]
pub(super) struct ScaledGroups<const D: usize> {
    contacts: Vec<Member>,
    groups: Vec<Group>,
    /// `Ŵ` by its blocks.
    pairs: Vec<Pair>,
    lu: BlockLu,
    blocks: Vec<Divided<D>>,
    /// `v`, and `Jᵀ R B⁻¹ b`.
    velocities: Vec<f64>,
    pushes: Vec<f64>,
}

/// Where a contact is, and its rows of `J`, `D` by the size of the group.
#[derive(Debug, Clone)]
struct Member {
    group: usize,
    rows: DMatrix<f64>,
}

/// Number of motions of a group, the first of its unknowns, and `Jᵀ R B⁻¹ L J`.
#[derive(Debug, Clone)]
struct Group {
    size: usize,
    first: usize,
    stiffness: DMatrix<f64>,
}

/// A block of `Ŵ`.
#[derive(Debug, Clone)]
struct Pair {
    row: usize,
    column: usize,
    position: BlockPosition,
    block: DMatrix<f64>,
}

impl<const D: usize> ScaledGroups<D> {
    /// The groups of a matrix; `None` where there are none that save unknowns, or where they miss a part of it.
    pub(super) fn find(matrix: &BlockMatrix<D>) -> Option<Self> {
        let members = members_of(matrix);
        // Contacts by themselves have nothing to save.
        let alone = 4 * members.len() > 3 * matrix.contacts();
        if alone || members.iter().any(|group| group.len() > LARGEST) {
            return None;
        }
        let mut contacts = vec![Member { group: 0, rows: DMatrix::zeros(0, 0) }; matrix.contacts()];
        let (mut groups, mut first) = (Vec::new(), 0);
        for (group, members) in members.iter().enumerate() {
            let basis = motions(matrix, members);
            for (k, &contact) in members.iter().enumerate() {
                contacts[contact] = Member { group, rows: basis.rows(k * D, D).into_owned() };
            }
            let size = basis.ncols();
            groups.push(Group { size, first, stiffness: DMatrix::zeros(size, size) });
            first += size;
        }
        if first as f64 > WORTHWHILE * (matrix.contacts() * D) as f64 {
            return None;
        }
        let blocks = between(matrix, &contacts, &groups);
        if !spans(matrix, &contacts, &blocks) {
            return None;
        }
        let sizes: Vec<usize> = groups.iter().map(|group| group.size).collect();
        let pattern = BlockPattern::new(&sizes, blocks.keys().copied());
        let pair = |((row, column), block): ((usize, usize), DMatrix<f64>)| {
            pattern.position(row, column).map(|position| Pair { row, column, position, block })
        };
        let pairs = blocks.into_iter().filter_map(pair).collect();
        let (velocities, pushes) = (vec![0.0; first], vec![0.0; first]);
        let lu = BlockLu::new(pattern);
        Some(Self { contacts, groups, pairs, lu, blocks: Vec::new(), velocities, pushes })
    }
}

/// Contacts whose rows have the same blocks that are not zero, in the order of their first.
fn members_of<const D: usize>(matrix: &BlockMatrix<D>) -> Vec<Vec<usize>> {
    let mut places: BTreeMap<&[usize], usize> = BTreeMap::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    for contact in 0..matrix.contacts() {
        let group = *places.entry(matrix.columns_of(contact)).or_insert(members.len());
        if group == members.len() {
            members.push(Vec::new());
        }
        members[group].push(contact);
    }
    members
}

/// `J_g`, orthonormal: `W_gg` has no other motions.
fn motions<const D: usize>(matrix: &BlockMatrix<D>, members: &[usize]) -> DMatrix<f64> {
    let mut own = DMatrix::zeros(members.len() * D, members.len() * D);
    for (i, &row) in members.iter().enumerate() {
        for (j, &column) in members.iter().enumerate() {
            own.fixed_view_mut::<D, D>(i * D, j * D).copy_from(&matrix.between(row, column));
        }
    }
    let symmetric = (&own + own.transpose()) * 0.5;
    let SymmetricEigen { eigenvectors, eigenvalues } = symmetric.symmetric_eigen();
    let least = SMALLEST * eigenvalues.amax();
    let kept: Vec<usize> = (0..eigenvalues.len()).filter(|k| eigenvalues[*k] > least).collect();
    eigenvectors.select_columns(&kept)
}

/// `Ŵ = Jᵀ W J` by blocks.
fn between<const D: usize>(
    matrix: &BlockMatrix<D>,
    contacts: &[Member],
    groups: &[Group],
) -> BTreeMap<(usize, usize), DMatrix<f64>> {
    let mut blocks = BTreeMap::new();
    for (row, column, block) in matrix.blocks() {
        let (left, right) = (&contacts[row], &contacts[column]);
        let (rows, columns) = (groups[left.group].size, groups[right.group].size);
        let entry = blocks.entry((left.group, right.group)).or_insert_with(|| DMatrix::zeros(rows, columns));
        *entry += left.rows.tr_mul(&(block * &right.rows));
    }
    blocks
}

/// Whether `J Ŵ Jᵀ` is `W` but for round-off.
fn spans<const D: usize>(
    matrix: &BlockMatrix<D>,
    contacts: &[Member],
    blocks: &BTreeMap<(usize, usize), DMatrix<f64>>,
) -> bool {
    let allowed = MISSED * matrix.mean_diagonal();
    matrix.blocks().all(|(row, column, block)| {
        let (left, right) = (&contacts[row], &contacts[column]);
        let found = &left.rows * &blocks[&(left.group, right.group)] * right.rows.transpose();
        (0..D * D).all(|k| (found[(k % D, k / D)] - block[(k % D, k / D)]).abs() <= allowed)
    })
}

impl<const D: usize> ScaledSystem<D> for ScaledGroups<D> {
    fn factorize(&mut self, scaled: &[Scaled<D>]) -> Result<(), FactorizationError> {
        self.blocks.clear();
        self.groups.iter_mut().for_each(|group| group.stiffness.fill(0.0));
        for (contact, scaled) in scaled.iter().enumerate() {
            let blocks = Divided::new(contact, scaled)?;
            let Member { group, rows } = &self.contacts[contact];
            let pushed = blocks.right * blocks.left * rows;
            self.groups[*group].stiffness.gemm_tr(1.0, rows, &pushed, 1.0);
            self.blocks.push(blocks);
        }
        self.lu.clear();
        for Pair { row, column, position, block } in &self.pairs {
            let entries = block * &self.groups[*column].stiffness;
            for j in 0..entries.ncols() {
                for i in 0..entries.nrows() {
                    let own = if row == column && i == j { 1.0 } else { 0.0 };
                    self.lu.add(*position, (i, j), own + entries[(i, j)]);
                }
            }
        }
        self.lu.factorize()
    }

    fn solve(&mut self, x: &mut [f64]) {
        let Self { contacts, groups, pairs, lu, blocks, velocities, pushes } = self;
        pushes.fill(0.0);
        for (contact, (member, blocks)) in contacts.iter().zip(&*blocks).enumerate() {
            let pushed = blocks.right * (blocks.inverse * of_contact::<D>(x, contact));
            let first = groups[member.group].first;
            for (k, column) in member.rows.column_iter().enumerate() {
                pushes[first + k] += column.dot(&pushed);
            }
        }
        velocities.fill(0.0);
        for Pair { row, column, block, .. } in &*pairs {
            let (to, from) = (groups[*row].first, groups[*column].first);
            for (j, entries) in block.column_iter().enumerate() {
                let push = pushes[from + j];
                entries.iter().enumerate().for_each(|(i, entry)| velocities[to + i] += entry * push);
            }
        }
        lu.solve(velocities);
        for (contact, (member, blocks)) in contacts.iter().zip(&*blocks).enumerate() {
            let first = groups[member.group].first;
            let mut velocity = nalgebra::SVector::<f64, D>::zeros();
            for (k, column) in member.rows.column_iter().enumerate() {
                (0..D).for_each(|i| velocity[i] += column[i] * velocities[first + k]);
            }
            let own = blocks.inverse * of_contact::<D>(x, contact);
            set_contact(x, contact, &(own - blocks.left * velocity));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::delassus::scaled_matrix::ScaledMatrix;
    use nalgebra::{Matrix6, SMatrix, Vector3};

    /// A tower of bodies on the ground, each with four contacts below; numbers that no two of them share.
    fn tower(bodies: usize, seed: f64) -> BlockMatrix<3> {
        let number = |k: usize| (12.9898 * (k as f64 + seed)).sin();
        let mut rows = DMatrix::zeros(12 * bodies, 6 * bodies);
        for contact in 0..4 * bodies {
            let arm = |upper: bool| {
                // From the centre of the body, which lies above the contact or below it.
                let (x, y) = (number(7 * contact), number(7 * contact + 2));
                let point = Vector3::new(x, y, if upper { -0.5 } else { 0.5 });
                let mut arm = SMatrix::<f64, 3, 6>::zeros();
                arm.fixed_view_mut::<3, 3>(0, 0).fill_with_identity();
                arm.fixed_view_mut::<3, 3>(0, 3).copy_from(&-point.cross_matrix());
                if upper { arm } else { -arm }
            };
            let body = contact / 4;
            rows.fixed_view_mut::<3, 6>(3 * contact, 6 * body).copy_from(&arm(true));
            if body > 0 {
                rows.fixed_view_mut::<3, 6>(3 * contact, 6 * (body - 1)).copy_from(&arm(false));
            }
        }
        let mut inverse = DMatrix::zeros(6 * bodies, 6 * bodies);
        for body in 0..bodies {
            let mut mass = Matrix6::identity() * (2.0 + number(body));
            mass.fixed_view_mut::<3, 3>(3, 3).scale_mut(6.0);
            inverse.fixed_view_mut::<6, 6>(6 * body, 6 * body).copy_from(&mass);
        }
        BlockMatrix::from_dense(&(&rows * inverse * rows.transpose())).unwrap()
    }

    #[test]
    fn groups_solve_the_system_of_the_matrix_with_half_the_unknowns() {
        for seed in [0.3, 1.7, 8.1] {
            let matrix = tower(5, seed);
            let contacts = matrix.contacts();
            let number = |k: usize| (78.233 * (k as f64 + seed)).cos();
            let scaled: Vec<_> = (0..contacts)
                .map(|i| {
                    let some =
                        |n: usize| SMatrix::<f64, 3, 3>::from_fn(|r, c| number(50 * i + 9 * n + 3 * r + c));
                    let right = SMatrix::identity() + some(0) * 0.2;
                    Scaled { left: right.transpose(), right, block: SMatrix::identity() + some(1) * 0.1 }
                })
                .collect();
            let start: Vec<f64> = (0..3 * contacts).map(number).collect();
            let (mut expected, mut found) = (start.clone(), start);
            let mut whole = ScaledMatrix::new(matrix.clone());
            whole.factorize(&scaled).unwrap();
            whole.solve(&mut expected);
            let mut groups = ScaledGroups::find(&matrix).unwrap();
            assert_eq!(groups.velocities.len(), 30);
            groups.factorize(&scaled).unwrap();
            groups.solve(&mut found);
            let error = expected.iter().zip(&found).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(error < 1e-11, "{error}");
        }
    }

    /// A matrix with the blocks of a group, but of full rank.
    #[test]
    fn contacts_that_move_on_their_own_are_no_group() {
        let matrix = DMatrix::from_fn(12, 12, |i, j| if i == j { 3.0 } else { 0.1 });
        assert!(ScaledGroups::find(&BlockMatrix::<3>::from_dense(&matrix).unwrap()).is_none());
    }
}
