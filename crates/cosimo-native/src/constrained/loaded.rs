//! A constrained system with loads on its rows.

use cosimo_dynamics::{AngleWrap, ConstrainedSystem, Level, MatrixSink, Motion, Structure};
use cosimo_mechanics::Energy;

use super::rows::{ConstrainedRows, Directions};

/// The balance of a system less the loads on ports and contacts and what is remembered of them: `r − Zᵀ ℓ − f = 0`.
#[derive(Debug)]
pub(super) struct LoadedSystem<R: ConstrainedRows> {
    system: R::System,
    rows: R,
    /// `ℓ` (N, N m), one per row.
    loads: Vec<f64>,
    /// Forces on the coordinates that a rule takes off what it remembers of momenta (N, N m), and whether there are any.
    past: Vec<f64>,
    has_past: bool,
    /// Positions that give the directions of loads on contacts.
    aim: Vec<f64>,
}

impl<R: ConstrainedRows> LoadedSystem<R> {
    /// A system at these positions.
    pub(super) fn new(system: R::System, rows: R, q: &[f64]) -> Self {
        let (loads, past) = (vec![0.0; rows.len()], vec![0.0; system.structure().velocities()]);
        Self { system, loads, rows, past, has_past: false, aim: q.to_vec() }
    }

    /// Directs loads on contacts as at these positions, and gives back those before.
    pub(super) fn aim_at(&mut self, positions: &mut Vec<f64>) {
        std::mem::swap(&mut self.aim, positions);
    }

    /// Directions of loads where the positions are these.
    pub(super) fn directions<'a>(&'a self, q: &'a [f64]) -> Directions<'a> {
        Directions { ports: q, contacts: &self.aim }
    }

    pub(super) fn unloaded(&self) -> &R::System {
        &self.system
    }

    pub(super) fn rows(&self) -> &R {
        &self.rows
    }

    pub(super) fn rows_mut(&mut self) -> &mut R {
        &mut self.rows
    }

    /// Tells the response of these rows alone.
    pub(super) fn set_active_rows(&mut self, needed: &[bool]) {
        self.rows.set_active_rows(needed);
    }

    /// Sets the loads to these over `factor`.
    pub(super) fn set_loads(&mut self, loads: &[f64], factor: f64) {
        self.loads.iter_mut().zip(loads).for_each(|(own, load)| *own = load / factor);
    }

    /// Lets forces act on the coordinates: these momenta over `weight` (s).
    pub(super) fn set_past(&mut self, momenta: &[f64], weight: f64) {
        self.past.iter_mut().zip(momenta).for_each(|(own, momentum)| *own = momentum / weight);
        self.has_past = true;
    }

    pub(super) fn unload(&mut self) {
        self.loads.fill(0.0);
        self.has_past = false;
    }
}

impl<R: ConstrainedRows> ConstrainedSystem for LoadedSystem<R> {
    fn balance(&self, motion: Motion<'_>, a: &[f64], mu: &[f64], out: &mut [f64]) {
        self.system.balance(motion, a, mu, out);
        self.rows.add_forces(self.directions(motion.q), -1.0, &self.loads, out);
        if self.has_past {
            out.iter_mut().zip(&self.past).for_each(|(out, force)| *out -= force);
        }
    }

    fn tangents(&self, motion: Motion<'_>, a: &[f64], mu: &[f64], sink: &mut dyn MatrixSink) {
        self.system.tangents(motion, a, mu, sink);
        self.rows.stiffness(motion.q, &self.loads, &mut |i, j, turning| {
            let mut block = [0.0; 36];
            let block = &mut block[..turning.len()];
            block.iter_mut().zip(turning).for_each(|(own, x)| *own = -x);
            sink.stiffness(i, j, block);
        });
    }

    fn structure(&self) -> &Structure {
        self.system.structure()
    }

    fn mass_product(&self, q: &[f64], x: &[f64], out: &mut [f64]) {
        self.system.mass_product(q, x, out);
    }

    fn add_reactions(&self, t: f64, q: &[f64], mu: &[f64], out: &mut [f64]) {
        self.system.add_reactions(t, q, mu, out);
    }

    fn constraints(&self, level: Level, motion: Motion<'_>, a: &[f64], out: &mut [f64]) {
        self.system.constraints(level, motion, a, out);
    }

    fn masses(&self, q: &[f64], sink: &mut dyn MatrixSink) {
        self.system.masses(q, sink);
    }

    fn jacobian(&self, t: f64, q: &[f64], sink: &mut dyn MatrixSink) {
        self.system.jacobian(t, q, sink);
    }

    fn rate_gradient(&self, motion: Motion<'_>, sink: &mut dyn MatrixSink) {
        self.system.rate_gradient(motion, sink);
    }

    fn energy(&self, motion: Motion<'_>) -> Energy {
        self.system.energy(motion)
    }

    fn dissipated_power(&self, motion: Motion<'_>) -> f64 {
        self.system.dissipated_power(motion)
    }

    fn external_power(&self, motion: Motion<'_>) -> f64 {
        self.system.external_power(motion)
    }

    fn driving_power(&self, motion: Motion<'_>, mu: &[f64]) -> f64 {
        self.system.driving_power(motion, mu)
    }

    fn constraint_name(&self, constraint: usize) -> String {
        self.system.constraint_name(constraint)
    }

    fn coordinate_name(&self, block: usize) -> String {
        self.system.coordinate_name(block)
    }

    fn deviation(&self, t: f64, q: &[f64]) -> Option<(usize, f64)> {
        self.system.deviation(t, q)
    }

    fn ease(&mut self, t: f64, q: &[f64], share: f64) {
        self.system.ease(t, q, share);
    }

    fn jump(&self, motion: Motion<'_>, h: f64) -> Option<String> {
        self.system.jump(motion, h)
    }

    fn rejection(&self, motion: Motion<'_>) -> Option<String> {
        self.system.rejection(motion)
    }

    fn start(&mut self, motion: Motion<'_>) {
        self.system.start(motion);
    }

    fn angle_wrap(&self, q: &[f64], x: &[f64]) -> Option<AngleWrap> {
        self.system.angle_wrap(q, x)
    }

    fn accept(&mut self, motion: Motion<'_>) {
        self.system.accept(motion);
    }

    fn save_memory(&self, out: &mut Vec<f64>) {
        self.system.save_memory(out);
    }

    fn restore_memory(&mut self, saved: &[f64]) -> Option<usize> {
        self.system.restore_memory(saved)
    }
}
