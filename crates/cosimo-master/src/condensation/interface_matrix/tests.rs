use cosimo_subsystem::{
    Capabilities, Description, InverseMass, LoadWeights, PortSpec, RowBlock, RowBlocks, RowMatrix,
};

use super::*;
use crate::laws::equation::InterfaceRow;
use crate::linearisation::Linearisation;
use crate::time::part::Mode;
use crate::{Interface, InterfaceLaw, MasterConfig};

/// Subsystems of given joints, each with an inverse mass of its own of at most the given rank.
fn topology(
    count: usize,
    joints: &[(usize, usize)],
    laws: [InterfaceLaw; 2],
    rank: usize,
) -> (Topology, Linearisation) {
    let ports = |i: usize| {
        let own = joints.iter().enumerate().filter(move |(_, (a, b))| *a == i || *b == i);
        own.map(|(j, _)| PortSpec::new(format!("p{j}"), 3)).collect()
    };
    let description = |i: usize| Description {
        name: format!("m{i}"),
        ports: ports(i),
        contacts: Vec::new(),
        quantities: Vec::new(),
        capabilities: Capabilities {
            inverse_mass: InverseMass::Exact,
            is_affine: true,
            can_roll_back: true,
            takes_impulses: true,
            has_variable_step: true,
            ..Capabilities::default()
        },
        ..Description::default()
    };
    let descriptions: Vec<Description> = (0..count).map(description).collect();
    let interface = |(j, (a, b)): (usize, &(usize, usize))| {
        let law = laws[j % 2].clone();
        Interface::new(format!("j{j}"), format!("m{a}.p{j}"), format!("m{b}.p{j}"), law)
    };
    let interfaces = joints.iter().enumerate().map(interface).collect();
    let references: Vec<_> = descriptions.iter().collect();
    let topology = Topology::new(&references, interfaces, (&[], &[]), MasterConfig::default()).unwrap();
    let mut linearisation = Linearisation::new(&topology);
    for (i, model) in linearisation.models.iter_mut().enumerate() {
        let r = model.rows.len();
        let factor =
            DMatrix::from_fn(r, rank, |a, b| ((a * (b + 2)) as f64 + 0.7 * i as f64 + b as f64).sin());
        model.inverse_mass = (&factor * factor.transpose()).into();
        model.weights = LoadWeights { end: 5e-4, start: 5e-4, position: 5e-4, damping: 5e-4 };
    }
    (topology, linearisation)
}

/// The same with a response of each subsystem by blocks, one per port.
fn by_blocks((topology, mut linearisation): (Topology, Linearisation)) -> (Topology, Linearisation) {
    for model in &mut linearisation.models {
        model.inverse_mass = by_ports(&model.inverse_mass.to_dense());
    }
    (topology, linearisation)
}

fn by_ports(dense: &DMatrix<f64>) -> RowMatrix {
    let block = |rows: Vec<usize>| RowBlock {
        entries: DMatrix::from_fn(3, 3, |a, b| dense[(rows[a], rows[b])]),
        rows,
    };
    let ports = (0..dense.nrows() / 3).map(|port| block((3 * port..3 * port + 3).collect()));
    RowMatrix::Blocks(RowBlocks::new(dense.nrows(), ports.collect()).unwrap())
}

/// Largest difference of the two forms' solutions, relative to the solution.
fn difference((topology, linearisation): &(Topology, Linearisation)) -> f64 {
    let model = linearisation.of(topology);
    let cluster = &topology.clusters[0];
    let mode = Mode::Step(1e-3);
    let mut rows: Vec<InterfaceRow> = topology.joints.iter().map(InterfaceRow::new).collect();
    for (row, joint) in rows.iter_mut().zip(&topology.joints) {
        row.set(model, joint, mode);
    }
    let m = cluster.unknowns.len();
    let right: Vec<f64> = (0..m).map(|k| (k as f64).cos()).collect();
    let forms = [Form::Dense { matrix: DMatrix::zeros(m, m), lu: DenseLu::default() }, Form::Sparse(None)];
    let [dense, sparse] = forms.map(|form| {
        let mut matrix = InterfaceMatrix::of(form);
        matrix.refresh(Equations { model, cluster, rows: &rows }).unwrap();
        assert!(!matrix.is_relaxed());
        let mut x = right.clone();
        matrix.solve(&mut x);
        x
    });
    let largest = dense.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    let worst = dense.iter().zip(&sparse).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    worst / largest
}

fn laws() -> [InterfaceLaw; 2] {
    [InterfaceLaw::spring(1e4, 3.0, 3), InterfaceLaw::Tikhonov { constant: 1e-8 }]
}

#[test]
fn sparse_and_dense_give_the_same_unknowns_on_a_grid() {
    let error = difference(&topology(36, &grid(6), laws(), 12));
    assert!(error < 1e-12, "{error:e}");
}

/// Joints between the neighbours of a square of so many members a side.
fn grid(side: usize) -> Vec<(usize, usize)> {
    let right = (0..side * side).filter(|i| i % side + 1 < side).map(|i| (i, i + 1));
    right.chain((0..side * (side - 1)).map(|i| (i, i + side))).collect()
}

#[test]
fn responses_by_blocks_give_the_unknowns_of_the_dense_matrix_and_fewer_blocks() {
    let whole = topology(36, &grid(6), laws(), 12);
    let blocks = by_blocks(topology(36, &grid(6), laws(), 12));
    let error = difference(&blocks);
    assert!(error < 1e-12, "{error:e}");
    let met = |(topology, linearisation): &(Topology, Linearisation)| {
        let matrix = SparseMatrix::new(linearisation.of(topology), &topology.clusters[0], false);
        matrix.pairs()
    };
    // Without blocks every joint of a member meets every other there; with them, itself alone.
    assert_eq!(met(&blocks), 2 * grid(6).len());
    assert!(met(&whole) > 3 * met(&blocks));
}

#[test]
fn a_pattern_is_found_anew_where_blocks_grow_together() {
    let (topology, whole) = topology(36, &grid(6), laws(), 12);
    let mut blocks = Linearisation::new(&topology);
    for (model, own) in blocks.models.iter_mut().zip(&whole.models) {
        model.weights = own.weights;
        model.inverse_mass = by_ports(&own.inverse_mass.to_dense());
    }
    let mode = Mode::Step(1e-3);
    let mut matrix = InterfaceMatrix::of(Form::Sparse(None));
    let mut found = Vec::new();
    for linearisation in [&blocks, &whole] {
        let model = linearisation.of(&topology);
        let mut rows: Vec<InterfaceRow> = topology.joints.iter().map(InterfaceRow::new).collect();
        for (row, joint) in rows.iter_mut().zip(&topology.joints) {
            row.set(model, joint, mode);
        }
        let cluster = &topology.clusters[0];
        matrix.refresh(Equations { model, cluster, rows: &rows }).unwrap();
        let mut x: Vec<f64> = (0..cluster.unknowns.len()).map(|k| (k as f64).cos()).collect();
        matrix.solve(&mut x);
        let mut fresh = InterfaceMatrix::of(Form::Sparse(None));
        fresh.refresh(Equations { model, cluster, rows: &rows }).unwrap();
        let mut expected: Vec<f64> = (0..cluster.unknowns.len()).map(|k| (k as f64).cos()).collect();
        fresh.solve(&mut expected);
        found.push((x, expected));
    }
    for (x, expected) in found {
        let largest = expected.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        assert!(x.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12 * largest));
    }
    assert!(matrix.decisions().is_full);
}

#[test]
fn sparse_and_dense_give_the_same_unknowns_at_stars() {
    // Two bodies of low rank, joined, with their arms.
    let arms = 20;
    let joints: Vec<_> = (1..=arms)
        .map(|i| (0, i))
        .chain((arms + 2..=2 * arms).map(|i| (arms + 1, i)))
        .chain([(0, arms + 1)])
        .collect();
    let error = difference(&topology(2 * arms + 1, &joints, laws(), 4));
    assert!(error < 1e-12, "{error:e}");
}
