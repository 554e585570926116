//! What contact impulses do to the subsystems of their cluster.
//!
//! The subtraction in `W_c = W_HH − Eᵀ A⁻¹ E` loses digits when a light subsystem hangs on a heavy one. Where a contact
//! acts at a joined port `p` of its subsystem `i`, `H = R B_p`, it is replaced: `x = s Rᵀ/ρ + z` on that joint turns
//! the equations into `A z = −(A − A⁽ⁱ⁾) s Rᵀ/ρ`, in which the answer of subsystem `i` itself has cancelled, and its
//! load at the port is `−s ρ z`. For one joint this is the parallel sum `W_N (W_N + W_S + C)⁻¹ (W_S + C)`, exact at any
//! mass ratio.

mod feedback;

use cosimo_nonsmooth::{DelassusMatrix, SparseDelassus};
use cosimo_subsystem::SparseRows;
use nalgebra::DMatrix;

use super::equations::Equations;
use super::interface_matrix::InterfaceMatrix;
use crate::InterfaceLaw;
use crate::linearisation::LinearisedModel;
use crate::topology::contact::ContactRow;
use crate::topology::joint::Joint;
use crate::topology::{Cluster, Topology};

/// Matrices of the contact rows of one cluster, gaps and slips: of all, or of those of the contacts that are near. Rows and unknowns
/// are those of the cluster; a contact here is one of the contact rows.
#[derive(Debug)]
pub(crate) struct ContactMatrices {
    /// Loads on the rows for a unit impulse over the step at each contact, `rows × contacts`.
    loads: DMatrix<f64>,
    /// Interface unknowns for a unit impulse over the step at each contact, `unknowns × contacts`.
    unknowns: DMatrix<f64>,
    /// Loads on the rows that the damping feeds back for a unit impulse at each contact; `rows × contacts`.
    feedback: DMatrix<f64>,
    /// `W_c`, `contacts × contacts`.
    delassus: DMatrix<f64>,
    /// The same of a subsystem alone whose inverse mass is sparse.
    sparse: Option<SparseDelassus>,
    /// Number of each row of such a subsystem among the contact rows.
    places: Vec<Option<usize>>,
    /// Damped companion of `W_c`, `contacts × contacts`.
    damped: DMatrix<f64>,
    no_damping: DMatrix<f64>,
    /// `κ = (ω h/2)²` of each contact on springs: by how much less than alone its body gives way over the step. Zero where joints damp, or
    /// pass impulses, which hold it at an instant too.
    stiffness: Vec<f64>,
    column: Vec<f64>,
    answers: Vec<f64>,
    /// The contact rows that the matrices are of, among those of the master, gaps first.
    contacts: Vec<usize>,
    /// Whether every impulse acts at its own contact alone: of a cluster without joints that is not affine. What impulses do to rows and
    /// unknowns is then not stored; of affine ones impulses inside steps need it.
    acts_alone: bool,
    has_joints: bool,
    has_damping: bool,
    is_current: bool,
}

/// Inverse mass of a contact, over that of its body alone, below which it is round-off: what the body is joined to is held.
const HELD: f64 = 1e-14;

/// Contact rows up to which there is room from the first step on. Of more, whose room grows with the square, it is taken when they answer:
/// most of them are far, and the answer may be sparse.
const FEW: usize = 256;

/// Whether bodies swing on the joints of a cluster undamped: all are springs without dashpots.
fn swings(equations: Equations<'_>) -> bool {
    let Equations { model, cluster, rows } = equations;
    cluster.joints.iter().all(|&j| {
        !model.topology.joints[j].law.passes_impulses()
            && rows[j].velocity.iter().all(|damping| *damping == 0.0)
    })
}

impl ContactMatrices {
    /// Matrices that [`note`](Self::note) gives their size: their memory, which grows with the square of the contacts, is taken when
    /// the first step begins, not where a model is only built.
    pub(crate) fn new(cluster: &Cluster) -> Self {
        let contacts: Vec<usize> = cluster.contact_rows.clone().collect();
        // Without contacts nothing is ever asked of the other buffers.
        let (r, m) = if contacts.is_empty() { (0, 0) } else { (cluster.rows, cluster.unknowns.len()) };
        let empty = || DMatrix::zeros(0, 0);
        Self {
            loads: empty(),
            unknowns: empty(),
            feedback: empty(),
            delassus: empty(),
            sparse: None,
            places: Vec::new(),
            damped: empty(),
            no_damping: empty(),
            stiffness: vec![0.0; if r == 0 { 0 } else { cluster.contacts.len() }],
            column: vec![0.0; m],
            answers: vec![0.0; r],
            contacts,
            acts_alone: false,
            has_joints: !cluster.joints.is_empty(),
            has_damping: false,
            is_current: false,
        }
    }

    /// `κ` of each contact of the cluster.
    pub(crate) fn stiffness(&self) -> &[f64] {
        &self.stiffness
    }

    /// Notes that the interface matrix has changed, as before the first step.
    pub(crate) fn note(&mut self) {
        self.is_current = false;
        if self.contacts.len() <= FEW {
            self.make_room(self.contacts.len());
        }
    }

    /// Gives the matrices the size for so many contacts.
    fn make_room(&mut self, contacts: usize) {
        if self.delassus.ncols() != contacts {
            let r = if self.acts_alone { 0 } else { self.answers.len() };
            let m = self.column.len();
            self.loads = DMatrix::zeros(r, contacts);
            self.unknowns = DMatrix::zeros(m, contacts);
            self.feedback = DMatrix::zeros(r, contacts);
            self.delassus = DMatrix::zeros(contacts, contacts);
            self.damped = DMatrix::zeros(contacts, contacts);
        }
    }

    /// Whether they are up to date.
    pub(super) fn is_current(&self) -> bool {
        self.is_current
    }

    /// Says that the cluster is not affine: it takes no impulses inside steps.
    pub(crate) fn act_alone(&mut self) {
        self.acts_alone = !self.has_joints;
    }

    /// Limits the matrices, as soon as they are noted, to these contacts, so many, with these rows among those of the master.
    pub(crate) fn select(&mut self, contacts: usize, rows: &[usize]) {
        self.contacts.clear();
        self.contacts.extend_from_slice(rows);
        self.stiffness.clear();
        self.stiffness.resize(contacts, 0.0);
        self.act_alone();
        self.note();
    }

    /// Brings the matrices up to date; `damps` says whether damping acts at all.
    pub(crate) fn refresh(&mut self, equations: Equations<'_>, matrix: &mut InterfaceMatrix, damps: bool) {
        if std::mem::replace(&mut self.is_current, true) {
            return;
        }
        let own = std::mem::take(&mut self.contacts);
        let contacts = SelectedRows { topology: equations.model.topology, rows: &own };
        match equations.sparse_inverse_mass() {
            Some(inverse_mass) if self.acts_alone => self.select_sparse(inverse_mass, contacts),
            _ => self.answer_densely(equations, matrix, contacts),
        }
        self.find_stiffness(equations, contacts);
        // Impulses inside a step, which damping feeds back, are those of affine clusters; of these all contacts take part.
        self.has_damping = damps && !self.acts_alone && is_damped(equations);
        if self.has_damping {
            self.feedback.fill(0.0);
            (0..own.len()).for_each(|c| self.feed_back(equations, matrix, (c, contacts)));
        }
        self.contacts = own;
    }

    /// Finds `κ` of every contact.
    fn find_stiffness(&mut self, equations: Equations<'_>, contacts: SelectedRows<'_>) {
        let (model, swings) = (equations.model, swings(equations));
        for (c, (stiffness, contact)) in self.stiffness.iter_mut().zip(contacts.iter()).enumerate() {
            let alone = model.models[contact.subsystem].inverse_mass[(contact.row, contact.row)];
            let held = delassus_of(&self.sparse, &self.delassus)[(c, c)];
            *stiffness = if swings && held > 0.0 { (alone / held - 1.0).max(0.0) } else { 0.0 };
        }
    }

    /// `W_c` of a subsystem alone whose inverse mass is sparse.
    fn select_sparse(&mut self, inverse_mass: &SparseRows, contacts: SelectedRows<'_>) {
        let Self { sparse, places, .. } = self;
        places.clear();
        places.resize(inverse_mass.rows(), None);
        contacts.iter().enumerate().for_each(|(c, contact)| places[contact.row] = Some(c));
        let sparse = sparse.get_or_insert_default();
        sparse.clear();
        for contact in contacts.iter() {
            let (columns, values) = inverse_mass.row(contact.row);
            sparse.push_row(columns.iter().zip(values).filter_map(|(row, w)| Some((places[*row]?, *w))));
        }
    }

    /// What unit impulses do to the rows of the cluster, and `W_c`.
    fn answer_densely(
        &mut self,
        equations: Equations<'_>,
        matrix: &mut InterfaceMatrix,
        contacts: SelectedRows<'_>,
    ) {
        let Equations { model, rows, .. } = equations;
        self.sparse = None;
        self.make_room(contacts.rows.len());
        self.loads.fill(0.0);
        let loading = if self.acts_alone { 0 } else { contacts.rows.len() };
        for (c, contact) in contacts.iter().enumerate().take(loading) {
            match &contact.attachment {
                Some(attachment) if rows[attachment.port.joint].share[attachment.port.side] != 0.0 => {
                    self.attached_loads(equations, matrix, c, attachment);
                }
                _ => self.free_loads(equations, matrix, c, contact),
            }
        }
        self.answer_at_contacts(equations, contacts);
        self.hold(model, contacts);
    }

    /// `W_c`. Where there are no joints every impulse acts at its own contact alone, and its answer is an entry of the inverse mass.
    fn answer_at_contacts(
        &mut self,
        Equations { model, cluster, .. }: Equations<'_>,
        rows: SelectedRows<'_>,
    ) {
        for (c, at) in rows.iter().enumerate() {
            for (d, row) in rows.iter().enumerate() {
                let answering = &model.models[row.subsystem];
                self.delassus[(d, c)] = if !cluster.joints.is_empty() {
                    let loads = self.loads.column(c);
                    let own = &loads.as_slice()[model.topology.subsystems[row.subsystem].cluster_rows()];
                    answering.answer_to(row.row, own)
                } else if at.subsystem == row.subsystem {
                    answering.inverse_mass[(row.row, at.row)]
                } else {
                    0.0
                };
            }
        }
    }

    /// Clears what round-off leaves of the answer of a gap at a body that is held: no impulse changes its rate.
    fn hold(&mut self, model: LinearisedModel<'_>, contacts: SelectedRows<'_>) {
        for (c, contact) in contacts.iter().enumerate().filter(|(_, contact)| contact.gap_of.is_some()) {
            let alone = model.models[contact.subsystem].inverse_mass[(contact.row, contact.row)];
            if self.delassus[(c, c)] <= HELD * alone {
                self.delassus.row_mut(c).fill(0.0);
                self.delassus.column_mut(c).fill(0.0);
            }
        }
    }

    /// Loads on the rows for a unit impulse over the step at each contact, `rows × contacts`.
    pub(crate) fn loads(&self) -> &DMatrix<f64> {
        &self.loads
    }

    /// Loads on the rows that the damping feeds back for a unit impulse at each contact, `rows × contacts`.
    pub(crate) fn feedback(&self) -> &DMatrix<f64> {
        &self.feedback
    }

    /// `W_c`, `contacts × contacts`.
    pub(crate) fn delassus(&self) -> DelassusMatrix<'_> {
        delassus_of(&self.sparse, &self.delassus)
    }

    /// Damped companion of `W_c`; `0 × 0` without damping.
    pub(crate) fn damped(&self) -> &DMatrix<f64> {
        if self.has_damping { &self.damped } else { &self.no_damping }
    }

    /// Whether impulses are fed back by damping.
    pub(crate) fn has_damping(&self) -> bool {
        self.has_damping
    }

    /// Adds the loads of contact impulses over the step to the loads on all rows of the master.
    pub(crate) fn add_loads(
        &self,
        topology: &Topology,
        cluster: &Cluster,
        impulses: &[f64],
        loads: &mut [f64],
    ) {
        for (c, impulse) in impulses.iter().enumerate().filter(|(_, impulse)| **impulse != 0.0) {
            if self.acts_alone {
                loads[topology.contact_rows[self.contacts[c]].global_row] += impulse;
                continue;
            }
            let column = self.loads.column(c);
            for &i in &cluster.members {
                let own = &topology.subsystems[i];
                let source = &column.as_slice()[own.cluster_rows()];
                add_scaled(*impulse, source, &mut loads[own.rows.clone()]);
            }
        }
    }

    /// What contact impulses over the step do to one unknown of the cluster.
    pub(crate) fn unknown(&self, unknown: usize, impulses: &[f64]) -> f64 {
        self.unknowns.row(unknown).iter().zip(impulses).map(|(x, p)| x * p).sum()
    }

    /// Takes from the rates of the contacts what meets with these rates of the joints, by unknown: `Xᵀ r`.
    pub(crate) fn subtract_partings(&self, partings: &[f64], rates: &mut [f64]) {
        for (rate, column) in rates.iter_mut().zip(self.unknowns.column_iter()) {
            *rate -= column.iter().zip(partings).map(|(x, r)| x * r).sum::<f64>();
        }
    }

    /// Adds what contact impulses over the step do to the unknowns of the cluster.
    pub(crate) fn add_unknowns(&self, impulses: &[f64], unknowns: &mut [f64]) {
        let columns = impulses.iter().zip(self.unknowns.column_iter());
        for (impulse, column) in columns.filter(|(impulse, _)| **impulse != 0.0) {
            add_scaled(*impulse, column.as_slice(), unknowns);
        }
    }
}

/// Some of the contact rows of a model.
#[derive(Clone, Copy)]
struct SelectedRows<'a> {
    topology: &'a Topology,
    rows: &'a [usize],
}

impl<'a> SelectedRows<'a> {
    fn iter(self) -> impl Iterator<Item = &'a ContactRow> {
        self.rows.iter().map(move |row| &self.topology.contact_rows[*row])
    }
}

fn delassus_of<'a>(sparse: &'a Option<SparseDelassus>, dense: &'a DMatrix<f64>) -> DelassusMatrix<'a> {
    sparse.as_ref().map_or(DelassusMatrix::Dense(dense), DelassusMatrix::Sparse)
}

fn add_scaled(factor: f64, source: &[f64], target: &mut [f64]) {
    target.iter_mut().zip(source).for_each(|(t, x)| *t += factor * x);
}

fn is_damped(Equations { model, cluster, .. }: Equations<'_>) -> bool {
    let has_dashpot = |joint: &Joint| matches!(&joint.law, InterfaceLaw::Compliant { damping, .. } if damping.iter().any(|d| *d != 0.0));
    cluster.members.iter().any(|&i| !model.models[i].damped.is_empty())
        || cluster.joints.iter().any(|&j| has_dashpot(&model.topology.joints[j]))
}
