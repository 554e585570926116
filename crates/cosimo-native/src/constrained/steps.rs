//! Trial steps of a constrained system, what its rows answer, and the energy of a step.

mod saved;

use cosimo_dynamics::{Configuration, ConstrainedSystem};
use cosimo_mechanics::StepEnergy;
use cosimo_smooth::dae::{DaeError, DaeSolver, DaeState, StepAnswer};
use cosimo_subsystem::{ExpectedLoads, LoadWeights, RowMatrix, RowState, StepLoads, StepResponse};
use nalgebra::DMatrix;

use super::active::ActiveRows;
use super::base_loads::BaseLoads;
use super::controlled::Controlled;
use super::energy::energy;
use super::held::HeldRows;
use super::loaded::LoadedSystem;
use super::moment_answer::MomentAnswer;
use super::moved_rows::Moves;
use super::row_momenta::RowMomenta;
use super::rows::{ConstrainedRows, Increment};

/// The solver, the impulses that its trial step carries, and how its rows answer.
#[derive(Debug)]
pub(super) struct Stepping<R: ConstrainedRows> {
    pub(super) solver: DaeSolver<LoadedSystem<R>>,
    /// Of systems without ports whose steps follow the error.
    controlled: Option<Controlled>,
    /// Impulses of the trial step as the rule makes them (N s), those asked for less what it remembers of momenta; not a number where
    /// it is not solved.
    pub(super) loads: Vec<f64>,
    /// What a rule that remembers loads remembers of momenta.
    pub(super) momenta: Option<Box<RowMomenta>>,
    /// Finite loads at the start of the step (N).
    pub(super) start_loads: Vec<f64>,
    /// Loads that the trial step is solved with first, all others from there: as forces (N) and as impulses (N s).
    base: BaseLoads,
    /// Size of the steps that the matrices of the response belong to (s); not a number where they belong to none.
    pub(super) answered_size: f64,
    /// `Zᵀ` where the forces of the trial step balance, `n × r`.
    pub(super) forces: DMatrix<f64>,
    pub(super) answer: StepAnswer,
    pub(super) held: HeldRows,
    /// Whether the answer is that of these impulses.
    pub(super) is_answered: bool,
    /// How often the answer has been found.
    pub(super) refreshes: u64,
    /// The same for moments inside the step, one after the other.
    pub(super) moment: MomentAnswer,
    pub(super) moves: Moves,
    /// `J⁻¹ Zᵀ` of a jump that is prepared, `n × r`.
    pub(super) jump: DMatrix<f64>,
    /// Change of the end velocity for unit impulses, and `J⁻¹ C` times it, `n × r`.
    pub(super) unit_change: DMatrix<f64>,
    pub(super) damped: DMatrix<f64>,
    /// Work of prescribed motions at the last jump (J).
    pub(super) jump_work: f64,
    pub(super) displacement: Vec<f64>,
    /// Room for positions.
    pub(super) aim: Vec<f64>,
    pub(super) change: Vec<f64>,
    /// Ways of the slips since the start (m), one per row; zero for the other rows.
    pub(super) slips: Vec<f64>,
    /// ConstrainedRows whose response is reported.
    pub(super) active: ActiveRows,
    /// What one of them does to all rows.
    pub(super) column: Vec<f64>,
    pub(super) response: StepResponse,
    /// Of rules whose reactions are means.
    means: Option<MeanStage>,
}

/// Where in the last step the forces balanced, which the reactions belong to: time (s) and positions.
#[derive(Debug)]
struct MeanStage {
    time: f64,
    q: Vec<f64>,
}

/// The response of so many rows before the first answer.
fn unanswered(rows: usize) -> StepResponse {
    let nothing = RowMatrix::without_entries(rows);
    StepResponse {
        positions: vec![0.0; rows],
        velocities: vec![0.0; rows],
        inverse_mass: nothing.clone(),
        damped_inverse_mass: nothing,
        ..StepResponse::zeros(0)
    }
}

impl<R: ConstrainedRows> Stepping<R> {
    pub(super) fn new(solver: DaeSolver<LoadedSystem<R>>, controlled: Option<Controlled>) -> Self {
        let system = solver.system();
        let (n, r) = (system.structure().velocities(), system.rows().len());
        let DaeState { time, q, .. } = solver.state();
        let positions = q.clone();
        let means = solver.takes_means().then(|| MeanStage { time: *time, q: q.clone() });
        // Of many contacts that come and go, room is made for those that are there.
        let active = ActiveRows::new(system, vec![system.rows().pools().is_none(); r]);
        let columns = active.columns();
        Self {
            means,
            answer: StepAnswer::new(system, columns),
            held: HeldRows::new(system, q, r),
            is_answered: false,
            refreshes: 0,
            moment: MomentAnswer::new(system),
            moves: Moves::new(n),
            momenta: (r > 0 && !solver.takes_means()).then(|| Box::new(RowMomenta::zeros(n, system.rows()))),
            controlled,
            solver,
            loads: vec![0.0; r],
            start_loads: vec![0.0; r],
            base: BaseLoads::zeros(r),
            answered_size: f64::NAN,
            forces: DMatrix::zeros(n, columns),
            jump: DMatrix::zeros(n, columns),
            unit_change: DMatrix::zeros(n, columns),
            damped: DMatrix::zeros(n, columns),
            jump_work: 0.0,
            displacement: vec![0.0; n],
            aim: positions,
            change: vec![0.0; n],
            slips: vec![0.0; r],
            active,
            column: vec![0.0; r],
            response: unanswered(r),
        }
    }

    /// Whether the sizes of the steps follow the error.
    pub(super) fn follows_error(&self) -> bool {
        self.controlled.is_some()
    }

    /// The matrices of the response are to be found anew.
    pub(super) fn forget_answer(&mut self) {
        self.response.revision += 1;
        self.answered_size = f64::NAN;
        self.forget_trial();
    }

    /// What the trial step holds is not the solution for its impulses.
    pub(super) fn forget_trial(&mut self) {
        self.loads.fill(f64::NAN);
    }

    /// Solves the step of size `h` (s) without loads, and its answer. The loads of the start matter where the rule has no
    /// past. Steps that follow the error are solved when they are taken: nothing is there to answer.
    pub(super) fn begin(&mut self, h: f64, start_loads: &[f64]) -> Result<(), DaeError> {
        if self.controlled.is_some() {
            return Ok(());
        }
        self.start((h, start_loads), None)?;
        self.base.clear();
        self.act_past();
        self.loads.copy_from_slice(&self.base.impulses);
        self.solve(h)?;
        self.observe_end();
        self.respond(h)
    }

    /// The same under the loads expected; the answer only where it is needed, or where there is none for steps of this size and of these weights. Steps
    /// that follow the error have no ports.
    pub(super) fn begin_predicted(
        &mut self,
        h: f64,
        start_loads: &[f64],
        expected: ExpectedLoads<'_>,
    ) -> Result<(), DaeError> {
        self.start((h, start_loads), Some(expected.momenta))?;
        self.base.expect(expected, self.solver.share_of_end());
        self.act_past();
        self.is_answered = false;
        self.loads.fill(f64::NAN);
        self.solve_base(h)?;
        self.base.weigh(expected, self.weights());
        if let Some(momenta) = &self.momenta {
            momenta.take_off(1.0, &mut self.base.impulses);
        }
        self.loads.copy_from_slice(&self.base.impulses);
        self.observe_end();
        let is_old = self.answered_size != h || self.response.weights != self.weights();
        if expected.needs_matrices {
            return self.respond(h);
        }
        if is_old {
            // Nobody has asked for it: it is given for want of another, and once more by a system that was restored.
            let asked_for = self.refreshes;
            self.respond(h)?;
            (self.refreshes, self.is_answered) = (asked_for, false);
        }
        Ok(())
    }

    /// Starts a trial step of size `h` (s) with these finite loads, of which a part may belong to momenta: a rule without past
    /// remembers it.
    fn start(&mut self, (h, start_loads): (f64, &[f64]), of_momenta: Option<&[f64]>) -> Result<(), DaeError> {
        self.start_loads.copy_from_slice(start_loads);
        self.aim(0.0);
        self.solver.system_mut().unload();
        self.solver.system_mut().set_loads(start_loads, 1.0);
        let started = self.solver.start_trial();
        self.solver.system_mut().unload();
        started?;
        self.aim(self.solver.share_of_end() * h);
        if let Some(part) = of_momenta {
            self.start_loads.iter_mut().zip(part).for_each(|(load, part)| *load -= part);
        }
        let Some(own) = &mut self.momenta else { return Ok(()) };
        let (rows, q) = (self.solver.system().rows(), &self.solver.state().q);
        match of_momenta {
            _ if !self.solver.is_at_start() => {}
            Some(loads) => own.restart(loads, rows, q),
            None => own.clear(),
        }
        own.begin((h, self.solver.quadrature(h)), rows, q);
        Ok(())
    }

    /// Directs loads on contacts as where the present motion gets in the time `ahead` (s), which is near where forces balance.
    fn aim(&mut self, ahead: f64) {
        let Self { solver, displacement, aim, .. } = self;
        let DaeState { q, v, .. } = solver.state();
        displacement.iter_mut().zip(v).for_each(|(displacement, v)| *displacement = ahead * v);
        solver.system().structure().coordinates().move_by(q, displacement, aim);
        solver.system_mut().aim_at(aim);
    }

    /// Lets act what the rule remembers of momenta, and takes what lasts of them off the loads that the step is solved with first.
    fn act_past(&mut self) {
        let Some(own) = &self.momenta else { return };
        if let Some((past, weight)) = own.past() {
            self.solver.system_mut().set_past(past, weight);
        }
        own.take_off(own.end(), &mut self.base.forces);
        own.take_off(1.0, &mut self.base.impulses);
    }

    /// Takes the impulses that the rule makes of these; whether they are others than before.
    fn take_loads(&mut self, impulses: &[f64]) -> bool {
        let Some(off) = self.momenta.as_deref().and_then(RowMomenta::off) else {
            let is_new = self.loads != impulses;
            self.loads.copy_from_slice(impulses);
            return is_new;
        };
        let mut is_new = false;
        for ((own, x), off) in self.loads.iter_mut().zip(impulses).zip(off) {
            let native = x - off;
            is_new |= *own != native;
            *own = native;
        }
        is_new
    }

    /// Forgets the momenta: the rule begins anew.
    pub(super) fn forget_momenta(&mut self) {
        if let Some(own) = &mut self.momenta {
            own.clear();
        }
    }

    /// Solves the step begun with these impulses, and its answer, unless they are those that it was solved with last.
    pub(super) fn evaluate(&mut self, h: f64, impulses: &[f64]) -> Result<(), DaeError> {
        self.evaluate_rows(h, impulses)?;
        if self.controlled.is_some() || self.is_answered { Ok(()) } else { self.respond(h) }
    }

    /// The same without the answer.
    pub(super) fn evaluate_rows(&mut self, h: f64, impulses: &[f64]) -> Result<(), DaeError> {
        if self.controlled.is_some() || !self.take_loads(impulses) {
            return Ok(());
        }
        self.solve(h)?;
        self.observe_end();
        Ok(())
    }

    /// Solves the step with the loads set. What comes out depends on them and on how the step has begun: it starts from the
    /// solution without loads, or under those expected, and with its factors.
    fn solve(&mut self, h: f64) -> Result<(), DaeError> {
        self.is_answered = false;
        let solved = self.solve_step(h);
        if solved.is_err() {
            self.forget_trial();
        }
        solved
    }

    fn solve_step(&mut self, h: f64) -> Result<(), DaeError> {
        let is_base = self.loads == self.base.impulses;
        if is_base || !self.solver.has_first_factors() {
            self.solve_base(h)?;
        }
        if !is_base {
            let [weight, _] = self.solver.trial_weights();
            self.solver.system_mut().set_loads(&self.loads, weight);
            self.solver.solve_again()?;
        }
        Ok(())
    }

    /// Solves the step with the first loads.
    fn solve_base(&mut self, h: f64) -> Result<(), DaeError> {
        self.solver.system_mut().set_loads(&self.base.forces, 1.0);
        self.solver.solve_trial(h)?;
        Ok(())
    }

    /// Weights of finite loads in the trial step: a mean load is that of both ends, other rules take that of the end.
    pub(super) fn weights(&self) -> LoadWeights {
        let ([velocity, position], share) = (self.solver.trial_weights(), self.solver.trial_share());
        LoadWeights {
            end: share * velocity,
            start: (1.0 - share) * velocity,
            position: position / velocity,
            damping: share * velocity,
        }
    }

    /// Fills the rows of the response with the trial step.
    pub(super) fn observe_end(&mut self) {
        let Self { solver, response, slips, .. } = self;
        let (system, start, end) = (solver.system(), solver.trial_start(), solver.trial_end());
        let (rows, by) = (system.rows(), solver.trial_increment());
        rows.positions(system.unloaded(), &end.q, Increment { start: &start.q, by }, &mut response.positions);
        rows.velocities(&end.q, &end.v, &mut response.velocities);
        let own = rows.slips();
        response.positions[own.clone()].copy_from_slice(&slips[own]);
        rows.add_ways(solver.trial_stage().q, by, &mut response.positions);
        rows.sweep(&start.q, by, &response.positions, &mut response.touches);
    }

    /// Writes the ways of the slips into the positions of their rows.
    pub(super) fn write_slips(&self, out: &mut [f64]) {
        let own = self.solver.system().rows().slips();
        out[own.clone()].copy_from_slice(&self.slips[own]);
    }

    /// Adds what an increment of the present positions is to the ways of the slips.
    pub(super) fn move_slips(&mut self) {
        let Self { solver, slips, displacement, .. } = self;
        solver.system().rows().add_ways(&solver.state().q, displacement, slips);
    }

    /// Takes the step with these loads, its end at the time `time` (s); `start` are the rows at its start.
    pub(super) fn commit(
        &mut self,
        (h, time): (f64, f64),
        start: &RowState,
        loads: &StepLoads,
    ) -> Result<StepEnergy, DaeError> {
        if let Some(controlled) = &mut self.controlled {
            return controlled.advance(&mut self.solver, time);
        }
        self.evaluate_rows(h, &loads.impulses)?;
        if loads.has_moves {
            self.move_end(&loads.moves)?;
        }
        let mut ledger = self.balance(h, start, loads);
        let own = self.solver.system().rows().slips();
        self.slips[own.clone()].copy_from_slice(&self.response.positions[own]);
        if let Some(means) = &mut self.means {
            let stage = self.solver.trial_stage();
            means.time = stage.t;
            means.q.copy_from_slice(stage.q);
        }
        if loads.has_moments {
            let smooth = energy(&self.solver, self.solver.trial_end()).total();
            self.answer_moments(&loads.moments)?;
            // The loads of the step go on: they take part in the balance after the jump.
            let [weight, _] = self.solver.trial_weights();
            self.solver.system_mut().set_loads(&self.loads, weight);
            let taken = self.solver.take_trial_with_jump(time, &self.displacement, &self.change);
            self.solver.system_mut().unload();
            taken?;
            self.forget_momenta();
            self.move_slips();
            ledger.energy = energy(&self.solver, self.solver.state());
            ledger.jumps = ledger.energy.total() - smooth;
        } else {
            if let Some(own) = &mut self.momenta {
                let system = self.solver.system();
                let along = system.directions(self.solver.trial_stage().q);
                own.commit((h, &loads.momenta), system.rows(), along);
            }
            self.solver.system_mut().unload();
            self.solver.take_trial(time);
            if loads.has_moves {
                self.move_past();
            }
        }
        Ok(ledger)
    }

    /// Time (s) and positions that the reactions belong to: of rules that take means, the middle of the last step.
    pub(super) fn stage_of_reactions(&self) -> Configuration<'_> {
        let means = self.means.as_ref().map(|means| Configuration { t: means.time, q: &means.q });
        means.unwrap_or_else(|| self.solver.state().motion().configuration())
    }
}
