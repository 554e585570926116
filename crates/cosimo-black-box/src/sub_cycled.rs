//! A subsystem that takes several micro steps per macro step.

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{
    Description, InverseMass, LoadWeights, MacroStep, RowMatrix, RowState, Snapshot, Statistics, StepLoads,
    StepResponse, Subsystem, SubsystemError, pass_on,
};

use crate::error::check_step;
use crate::saved;

/// Name in snapshots.
const DECORATOR: &str = "micro steps";

/// How a load varies over a macro step, of which its impulse `X` is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadHistory {
    /// Constant, `λ = X/H`, each micro step passing on the momentum `X/k`. Of joints that pass impulses.
    Mean,
    /// Linear from the load `λ₀` at the start, `λ(t) = λ₀ + (λ₁ − λ₀) t/H` with `λ₁ = 2X/H − λ₀`: without jumps at
    /// communication points that excite fast modes. For loads that are known at the start, those of compliant joints.
    Linear,
}

/// Steps a subsystem with `H/k` where the master steps with `H`.
///
/// Every answer is a run of `k` micro steps from the communication point, with the load of each row interpolated as
/// its [`LoadHistory`] says; then the subsystem is put back.
///
/// A row that passes on momenta is joined by its **mean rate**, by the trapezoidal rule over its micro steps: momentum times it is the
/// work, on both sides of the joint alike, so that no joint between any rules and any numbers of micro steps makes energy. End rates
/// would: fast motions that the micro steps resolve and the other side does not grow. The velocity `w` that such a row shows is the one
/// whose trapezoidal mean is that of the micro steps,
///
/// ```text
///   ½ (w₀ + w₁) = 1/k Σ ½ (ż_j + ż_{j+1})
/// ```
///
/// from `w = ż` at the start on; velocity jumps change both alike. Of other rows, what the load gets done counts as if it were constant over
/// the macro step, because the other side of the joint sees it so; the difference stands in [`StepEnergy::numerical`].
///
/// The inverse mass of such a step is not known: to be put into a
/// [`DifferencedInverseMass`](crate::DifferencedInverseMass). Contacts are refused, because their impulses would have to
/// act at instants between communication points, and so are impulses inside a step; jumps between steps are those of the
/// subsystem inside, with its micro steps. Saving and restoring the subsystem allocates, once an answer.
#[derive(Debug)]
pub struct SubCycled<S> {
    inner: S,
    description: Description,
    count: u32,
    histories: Vec<LoadHistory>,
    response: StepResponse,
    /// The rows shown: those of the subsystem inside, with `w` for the velocities of rows that pass on momenta.
    rows: RowState,
    /// Mean rates of the last run of micro steps (m/s), and the true rates before a jump.
    mean_rates: Vec<f64>,
    before: Vec<f64>,
    begun: Option<(MacroStep, Snapshot)>,
    start_loads: Vec<f64>,
    micro_start: Vec<f64>,
    micro_loads: StepLoads,
    /// Zeros, one per row.
    nothing: Vec<f64>,
    steps: u64,
}

/// Refuses what cannot take `count` micro steps with so many histories.
fn check(description: &Description, count: u32, histories: usize) -> Result<(), SubsystemError> {
    let r = description.rows();
    let refuse =
        |reason: String| Err(SubsystemError::BadDescription { subsystem: description.name.clone(), reason });
    if let Some(contact) = description.contacts.first() {
        return refuse(format!(
            "contact `{}` cannot act between the communication points of {count} micro steps; take one step, or \
             move the contact to a subsystem of its own on a compliant interface",
            contact.name
        ));
    }
    if let Some(port) = description.ports.iter().find(|port| port.is_frame) {
        return refuse(format!(
            "port `{}` is a frame, whose rotations of {count} micro steps do not add up; take one step, or give it \
             points as ports",
            port.name
        ));
    }
    if let Some(port) = description.load_ports.first() {
        return refuse(format!(
            "port `{}` is a load port, which answers a motion of whole steps, not of {count} micro steps; take one step",
            port.name
        ));
    }
    if !description.capabilities.can_roll_back {
        return refuse(format!("{count} micro steps need a subsystem that can be saved and restored"));
    }
    if count == 0 || histories != r {
        return refuse(format!("{count} micro steps with {histories} load histories for {r} rows"));
    }
    Ok(())
}

impl<S: Subsystem> SubCycled<S> {
    /// Decorates a subsystem that can roll back, with `count` micro steps a macro step and a history for every row.
    ///
    /// # Errors
    /// [`SubsystemError::BadDescription`]: the subsystem has contacts or cannot roll back, the count is zero, or there
    /// is not one history a row.
    pub fn new(inner: S, count: u32, histories: Vec<LoadHistory>) -> Result<Self, SubsystemError> {
        let mut description = inner.description().clone();
        let r = description.rows();
        check(&description, count, histories.len())?;
        description.capabilities.inverse_mass = InverseMass::Unknown;
        description.capabilities.takes_impulses = false;
        description.capabilities.takes_jumps = false;
        description.capabilities.takes_moves = false;
        let inputs = std::mem::take(&mut description.excitations);
        description.excitations = inputs.into_iter().map(|input| input.sampled(count)).collect();
        // One row has one position weight; several do not answer by a common one.
        description.capabilities.is_affine &= r <= 1;
        if count > 1 {
            description.rule = format!("{} in {count} micro steps", description.rule);
        }
        Ok(Self {
            response: StepResponse::zeros(r),
            rows: inner.rows().clone(),
            mean_rates: vec![0.0; r],
            before: vec![0.0; r],
            begun: None,
            start_loads: vec![0.0; r],
            micro_start: vec![0.0; r],
            micro_loads: StepLoads::zeros(r),
            nothing: vec![0.0; r],
            steps: 0,
            inner,
            description,
            count,
            histories,
        })
    }

    /// Micro steps a macro step.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The subsystem inside.
    #[must_use]
    pub fn inner(&self) -> &S {
        &self.inner
    }

    /// Load on row `row` at the share `s` of the macro step of size `h`.
    fn load(&self, row: usize, impulse: f64, h: f64, s: f64) -> f64 {
        let mean = impulse / h;
        match self.histories[row] {
            LoadHistory::Mean => mean,
            LoadHistory::Linear => {
                let start = self.start_loads[row];
                start + 2.0 * s * (mean - start)
            }
        }
    }

    /// Takes all micro steps with these impulses over the macro step; the ledgers added up.
    fn cycle(&mut self, step: MacroStep, impulses: &[f64]) -> Result<StepEnergy, SubsystemError> {
        let micro = step.size / f64::from(self.count);
        let mut sum = StepEnergy::default();
        self.mean_rates.fill(0.0);
        // The mean weight of the micro steps: where a rule begins with another one, it tells that the answer is another.
        let mut weight = 0.0;
        let count = f64::from(self.count);
        let share = |k: u32| f64::from(k) / count;
        for k in 0..self.count {
            self.add_mean_rates(0.5 / count);
            for row in 0..impulses.len() {
                self.micro_start[row] = match self.histories[row] {
                    LoadHistory::Mean => 0.0,
                    LoadHistory::Linear => self.load(row, impulses[row], step.size, share(k)),
                };
            }
            let time = step.time + f64::from(k) * micro;
            let weights = self.inner.begin(MacroStep { time, size: micro }, &self.micro_start)?.weights;
            let LoadWeights { end, start, damping, .. } = weights;
            weight += damping / count;
            let (end, start) = if end + start == 0.0 { (0.5 * micro, 0.5 * micro) } else { (end, start) };
            for row in 0..impulses.len() {
                let momentum = impulses[row] / f64::from(self.count);
                let after = self.load(row, impulses[row], step.size, share(k + 1));
                (self.micro_loads.impulses[row], self.micro_loads.momenta[row]) = match self.histories[row] {
                    LoadHistory::Mean => (momentum, momentum),
                    LoadHistory::Linear => (end * after + start * self.micro_start[row], 0.0),
                };
            }
            let ledger = self.inner.commit(&self.micro_loads)?;
            self.add_mean_rates(0.5 / count);
            sum.energy = ledger.energy;
            sum.port_work += ledger.port_work;
            sum.external_work += ledger.external_work;
            sum.dissipated += ledger.dissipated;
            sum.inner_contacts += ledger.inner_contacts;
            sum.jumps += ledger.jumps;
            sum.numerical += ledger.numerical;
        }
        if weight != self.response.weights.damping {
            self.response.weights.damping = weight;
            self.response.revision += 1;
        }
        Ok(sum)
    }

    /// Adds a share of the present rates to the mean rates.
    fn add_mean_rates(&mut self, share: f64) {
        let rates = self.mean_rates.iter_mut().zip(&self.inner.rows().velocities);
        rates.for_each(|(mean, rate)| *mean += share * rate);
    }

    /// The velocity that a row shows after the last run of micro steps.
    fn shown_rate(&self, row: usize) -> f64 {
        match self.histories[row] {
            LoadHistory::Mean => 2.0 * self.mean_rates[row] - self.rows.velocities[row],
            LoadHistory::Linear => self.inner.rows().velocities[row],
        }
    }

    /// Shows the present positions, and these velocities.
    fn show(&mut self, velocity: impl Fn(&Self, usize) -> f64) {
        for row in 0..self.histories.len() {
            self.rows.velocities[row] = velocity(self, row);
        }
        let rows = self.inner.rows();
        self.rows.positions.clone_from(&rows.positions);
        self.rows.orientations.clone_from(&rows.orientations);
        self.rows.surface_velocities.clone_from(&rows.surface_velocities);
        self.rows.absent.clone_from(&rows.absent);
        self.rows.holders.clone_from(&rows.holders);
    }

    /// Changes the state between steps: the velocities shown change as the true ones do.
    fn change(
        &mut self,
        action: impl FnOnce(&mut S) -> Result<(), SubsystemError>,
    ) -> Result<(), SubsystemError> {
        self.before.copy_from_slice(&self.inner.rows().velocities);
        action(&mut self.inner)?;
        self.show(|own, row| own.rows.velocities[row] + (own.inner.rows().velocities[row] - own.before[row]));
        Ok(())
    }

    /// The answer to these impulses, from a run that is taken back.
    fn answer(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let Some((step, saved)) = self.begun.take() else {
            return Err(self.not_begun("evaluate"));
        };
        let done = self.cycle(step, impulses);
        if done.is_ok() {
            self.response.positions.copy_from_slice(&self.inner.rows().positions);
            for row in 0..self.histories.len() {
                self.response.velocities[row] = self.shown_rate(row);
            }
        }
        self.inner.restore(&saved)?;
        self.begun = Some((step, saved));
        done.map(|_| &self.response)
    }

    fn not_begun(&self, call: &'static str) -> SubsystemError {
        SubsystemError::NotBegun { subsystem: self.description.name.clone(), call: call.into() }
    }

    fn unsupported<T>(&self, action: &'static str) -> Result<T, SubsystemError> {
        Err(SubsystemError::Unsupported { subsystem: self.description.name.clone(), action: action.into() })
    }
}

impl<S: Subsystem> Subsystem for SubCycled<S> {
    pass_on!(inner: energy, set_inputs, outputs, observe, remote_cost);

    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        check_step(&self.description.name, step)?;
        self.begun = None;
        self.start_loads.copy_from_slice(start_loads);
        self.begun = Some((step, self.inner.save()?));
        let nothing = std::mem::take(&mut self.nothing);
        let answered = self.answer(&nothing).map(|_| ());
        self.nothing = nothing;
        if let Err(error) = answered {
            self.begun = None;
            return Err(error);
        }
        Ok(&self.response)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(impulses)?;
        self.answer(impulses)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.description.check_loads(&loads.impulses)?;
        self.description.check_momenta(&loads.momenta)?;
        if loads.has_moves {
            self.description.check_moves(&loads.moves)?;
        }
        if loads.has_moments {
            return self.unsupported("take impulses inside a step: it takes micro steps");
        }
        let Some((step, saved)) = self.begun.take() else {
            return Err(self.not_begun("commit"));
        };
        match self.cycle(step, &loads.impulses) {
            Ok(mut ledger) => {
                let ends = self.inner.rows().positions.iter().zip(&self.rows.positions);
                let displacements = ends.map(|(after, before)| (after - before) / step.size);
                let rates = displacements.zip(&self.mean_rates).zip(&self.histories);
                let mean = rates.map(|((displacement, mean), history)| match history {
                    LoadHistory::Mean => *mean,
                    LoadHistory::Linear => displacement,
                });
                let work: f64 = mean.zip(&loads.impulses).map(|(rate, x)| rate * x).sum();
                ledger.numerical += ledger.port_work - work;
                ledger.port_work = work;
                self.show(Self::shown_rate);
                self.steps += 1;
                Ok(ledger)
            }
            Err(error) => {
                self.inner.restore(&saved)?;
                self.begun = Some((step, saved));
                Err(error)
            }
        }
    }

    fn discard(&mut self) {
        self.begun = None;
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        check_step(&self.description.name, MacroStep { time: 0.0, size })?;
        self.begun = None;
        self.inner.prepare_jump(size / f64::from(self.count))
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.change(|inner| inner.jump(impulses))
    }

    fn jump_work(&self) -> f64 {
        self.inner.jump_work()
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.change(|inner| inner.project_positions(weights))
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        let (name, shown) = (&self.description.name, self.rows.velocities.clone());
        saved::pack(DECORATOR, name, self.inner.save()?, shown)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let rows = self.rows.velocities.len();
        let saved = saved::unpack(DECORATOR, &self.description.name, snapshot, rows)?;
        self.inner.restore(&saved.inner)?;
        self.begun = None;
        self.show(|_, row| saved.values[row]);
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        Statistics { steps: self.steps, ..self.inner.statistics() }
    }
}
