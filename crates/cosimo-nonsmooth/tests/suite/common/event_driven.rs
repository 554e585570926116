//! Event-driven solution of a linear system with unilateral contacts, exact but for round-off.
//!
//! Between events the motion with a set of closed contacts is the exponential of one matrix; an event, the closing of
//! a gap or a contact load that changes sign, is found by bisection. Impacts are isolated: accumulation is not
//! followed. Nothing here is shared with the crate under test.

use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem};
use cosimo_nonsmooth::{ImpactResolution, MoreauJean};
use nalgebra::{DMatrix, DVector};

/// `M q̈ + C q̇ + K q = f + Hᵀ L`, gaps `y = H q − o`, Newton's law with `e`.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) mass: DMatrix<f64>,
    pub(crate) damping: DMatrix<f64>,
    pub(crate) stiffness: DMatrix<f64>,
    pub(crate) force: DVector<f64>,
    pub(crate) rows: DMatrix<f64>,
    pub(crate) offsets: DVector<f64>,
    pub(crate) restitutions: Vec<f64>,
}

impl Problem {
    /// One mass `m` on a spring `k` and a dashpot `d` against stops: rows are weights and offsets.
    pub(crate) fn oscillator([m, d, k]: [f64; 3], stops: &[[f64; 2]], e: f64) -> Self {
        let one = |x: f64| DMatrix::from_element(1, 1, x);
        Self {
            mass: one(m),
            damping: one(d),
            stiffness: one(k),
            force: DVector::zeros(1),
            rows: DMatrix::from_fn(stops.len(), 1, |c, _| stops[c][0]),
            offsets: DVector::from_fn(stops.len(), |c, _| stops[c][1]),
            restitutions: vec![e; stops.len()],
        }
    }

    /// The same problem for the crate under test.
    pub(crate) fn stepper(&self, resolution: ImpactResolution, (q, v): (&[f64], &[f64])) -> MoreauJean {
        let system = LinearSystem::new(self.mass.clone()).unwrap();
        let system = system
            .with_damping(self.damping.clone())
            .unwrap()
            .with_stiffness(self.stiffness.clone())
            .unwrap();
        let system = system.with_force(self.force.as_slice().to_vec()).unwrap();
        let weights = |c: usize| self.rows.row(c).iter().copied().collect::<Vec<_>>();
        let row = |c: usize| LinearRow::dense(&weights(c), self.offsets[c]);
        let rows = LinearRows((0..self.restitutions.len()).map(row).collect());
        super::stepper(system, rows, &self.restitutions, resolution, (q, v))
    }

    /// A chain of masses (kg) and springs (N/m) with free ends, dampings a share of the springs, and the first
    /// coordinate as the one gap.
    pub(crate) fn chain(masses: &[f64], springs: &[f64], damping: f64, e: f64) -> Self {
        let n = masses.len();
        let mut stiffness = DMatrix::zeros(n, n);
        for (i, k) in springs.iter().enumerate() {
            stiffness[(i, i)] += k;
            stiffness[(i + 1, i + 1)] += k;
            stiffness[(i, i + 1)] -= k;
            stiffness[(i + 1, i)] -= k;
        }
        Self {
            mass: DMatrix::from_diagonal(&DVector::from_column_slice(masses)),
            damping: &stiffness * damping,
            stiffness,
            force: DVector::zeros(n),
            rows: DMatrix::from_fn(1, n, |_, j| if j == 0 { 1.0 } else { 0.0 }),
            offsets: DVector::zeros(1),
            restitutions: vec![e],
        }
    }
}

/// An impact with its contact, or a release.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Event {
    pub(crate) time: f64,
    pub(crate) contact: usize,
    pub(crate) rate_before: f64,
    pub(crate) rate_after: f64,
    /// Zero for a release.
    pub(crate) impulse: f64,
}

/// Gaps and rates below this are zero.
const ZERO: f64 = 1e-9;
/// Instants of events after which the solution is not continued.
pub(crate) const MOST_INSTANTS: usize = 100;

#[derive(Debug, Clone)]
pub(crate) struct EventDriven {
    problem: Problem,
    pub(crate) time: f64,
    /// Positions, velocities and a one.
    z: DVector<f64>,
    closed: Vec<usize>,
    /// `ż = A z` with the present closed contacts, `L = B z` their loads.
    motion: DMatrix<f64>,
    loads: DMatrix<f64>,
    pub(crate) events: Vec<Event>,
    /// Instants of events passed.
    pub(crate) instants: usize,
}

impl EventDriven {
    pub(crate) fn new(problem: Problem, q: &[f64], v: &[f64]) -> Self {
        let z = DVector::from_iterator(2 * q.len() + 1, q.iter().chain(v).copied().chain([1.0]));
        let empty = DMatrix::zeros(0, 0);
        let mut new = Self {
            problem,
            time: 0.0,
            z,
            closed: Vec::new(),
            motion: empty.clone(),
            loads: empty,
            events: Vec::new(),
            instants: 0,
        };
        new.close_what_stays();
        new
    }

    pub(crate) fn q(&self) -> DVector<f64> {
        self.z.rows(0, self.z.len() / 2).into_owned()
    }

    pub(crate) fn v(&self) -> DVector<f64> {
        self.z.rows(self.z.len() / 2, self.z.len() / 2).into_owned()
    }

    fn gap(&self, z: &DVector<f64>, c: usize) -> f64 {
        let n = z.len() / 2;
        (self.problem.rows.row(c) * z.rows(0, n))[0] - self.problem.offsets[c]
    }

    fn rate(&self, z: &DVector<f64>, c: usize) -> f64 {
        let n = z.len() / 2;
        (self.problem.rows.row(c) * z.rows(n, n))[0]
    }

    /// Advances to the time `end`; `resolution` is shorter than the time between any two events of one contact.
    /// Stops after [`MOST_INSTANTS`], where events accumulate.
    pub(crate) fn advance(&mut self, end: f64, resolution: f64) {
        while self.time < end && self.instants < MOST_INSTANTS {
            let span = resolution.min(end - self.time);
            let map = (&self.motion * span).exp();
            let next = &map * &self.z;
            if !self.is_violated(&next) {
                self.z = next;
                self.time = if span < resolution { end } else { self.time + span };
                continue;
            }
            let (mut low, mut high) = (0.0, span);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                let there = (&self.motion * middle).exp() * &self.z;
                *(if self.is_violated(&there) { &mut high } else { &mut low }) = middle;
            }
            self.z = (&self.motion * high).exp() * &self.z;
            self.time += high;
            self.pass_event();
        }
    }

    /// Whether an open contact is closed or a closed one pulls.
    fn is_violated(&self, z: &DVector<f64>) -> bool {
        let loads = &self.loads * z;
        let is_open = |c: &usize| !self.closed.contains(c);
        loads.iter().any(|load| *load < 0.0)
            || (0..self.problem.restitutions.len())
                .filter(is_open)
                .any(|c| self.gap(z, c) < 0.0 && (self.rate(z, c) < 0.0 || self.gap(&self.z, c) > 0.0))
    }

    fn pass_event(&mut self) {
        self.instants += 1;
        let hits: Vec<usize> = (0..self.problem.restitutions.len())
            .filter(|c| {
                !self.closed.contains(c) && self.gap(&self.z, *c) < ZERO && self.rate(&self.z, *c) < 0.0
            })
            .collect();
        let before = self.closed.clone();
        if !hits.is_empty() {
            self.collide(&hits);
        }
        self.close_what_stays();
        for c in before.into_iter().filter(|c| !self.closed.contains(c)) {
            let rate = self.rate(&self.z, c);
            let release =
                Event { time: self.time, contact: c, rate_before: 0.0, rate_after: rate, impulse: 0.0 };
            self.events.push(release);
        }
    }

    fn collide(&mut self, hits: &[usize]) {
        let set: Vec<usize> = hits.iter().chain(&self.closed).copied().collect();
        let inverse = self.problem.mass.clone().try_inverse().unwrap_or_default();
        let h = self.problem.rows.select_rows(&set);
        let w = &h * &inverse * h.transpose();
        let before: Vec<f64> = set.iter().map(|&c| self.rate(&self.z, c)).collect();
        let offset = |(i, &c): (usize, &usize)| {
            before[i] * if i < hits.len() { 1.0 + self.problem.restitutions[c] } else { 1.0 }
        };
        let b = DVector::from_iterator(set.len(), set.iter().enumerate().map(offset));
        let p = complementary(&w, &b);
        let n = self.z.len() / 2;
        let jump = inverse * h.transpose() * &p;
        let after = self.z.rows(n, n) + jump;
        self.z.rows_mut(n, n).copy_from(&after);
        for (i, &c) in set.iter().enumerate().filter(|(i, _)| p[*i] > 0.0) {
            let rate_after = self.rate(&self.z, c);
            self.events.push(Event {
                time: self.time,
                contact: c,
                rate_before: before[i],
                rate_after,
                impulse: p[i],
            });
        }
    }

    /// The contacts at rest on each other, of which those stay closed that carry a load: complementarity of loads and
    /// accelerations.
    fn close_what_stays(&mut self) {
        let resting: Vec<usize> = (0..self.problem.restitutions.len())
            .filter(|&c| self.gap(&self.z, c).abs() < ZERO && self.rate(&self.z, c).abs() < ZERO)
            .collect();
        self.set_closed(Vec::new());
        if !resting.is_empty() {
            let n = self.z.len() / 2;
            let h = self.problem.rows.select_rows(&resting);
            let inverse = self.problem.mass.clone().try_inverse().unwrap_or_default();
            let acceleration = (&self.motion * &self.z).rows(n, n).into_owned();
            let load = complementary(&(&h * inverse * h.transpose()), &(h * acceleration));
            let closed =
                resting.iter().enumerate().filter(|(i, _)| load[*i] > 0.0).map(|(_, c)| *c).collect();
            self.set_closed(closed);
        }
    }

    fn set_closed(&mut self, closed: Vec<usize>) {
        let (n, m) = (self.z.len() / 2, closed.len());
        let h = self.problem.rows.select_rows(&closed);
        let mut kkt = DMatrix::zeros(n + m, n + m);
        kkt.view_mut((0, 0), (n, n)).copy_from(&self.problem.mass);
        kkt.view_mut((0, n), (n, m)).copy_from(&(-h.transpose()));
        kkt.view_mut((n, 0), (m, n)).copy_from(&h);
        let mut right = DMatrix::zeros(n + m, 2 * n + 1);
        right.view_mut((0, 0), (n, n)).copy_from(&-&self.problem.stiffness);
        right.view_mut((0, n), (n, n)).copy_from(&-&self.problem.damping);
        right.view_mut((0, 2 * n), (n, 1)).copy_from(&self.problem.force);
        let solution = kkt.lu().solve(&right).unwrap_or_default();
        self.motion = DMatrix::zeros(2 * n + 1, 2 * n + 1);
        self.motion.view_mut((0, n), (n, n)).fill_with_identity();
        self.motion.view_mut((n, 0), (n, 2 * n + 1)).copy_from(&solution.rows(0, n));
        self.loads = solution.rows(n, m).into_owned();
        self.closed = closed;
    }
}

/// The solution of `0 ≤ x ⟂ W x + b ≥ 0` by trying all active sets.
pub(crate) fn complementary(w: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    let n = b.len();
    let mut best = (-b.min().min(0.0), DVector::zeros(n));
    for mask in 1..1_usize << n {
        let set: Vec<usize> = (0..n).filter(|i| mask >> i & 1 == 1).collect();
        let matrix = w.select_rows(&set).select_columns(&set);
        let Some(values) = matrix.lu().solve(&-b.select_rows(&set)) else { continue };
        let mut x = DVector::zeros(n);
        set.iter().zip(values.iter()).for_each(|(i, value)| x[*i] = *value);
        let slack = w * &x + b;
        let violation = x.iter().chain(slack.iter()).fold(0.0_f64, |m, value| m.max(-value));
        if violation < best.0 {
            best = (violation, x);
        }
    }
    best.1
}
