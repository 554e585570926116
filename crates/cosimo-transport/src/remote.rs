//! The decorator: to the master it is the subsystem, wherever that is.

use std::cell::RefCell;
use std::time::Duration;

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_subsystem::cost::RemoteCost;
use cosimo_subsystem::scene::Sight;
use cosimo_subsystem::{
    Begun, Call, Description, ExpectedLoads, LoadResponse, MacroStep, PortMotion, RowMatrix, RowState,
    Signal, Snapshot, Statistics, StepLoads, StepResponse, Subsystem, SubsystemError,
};

use crate::introduction::Introduction;
use crate::link::Link;
use crate::message::{Answer, Present, Request};
use crate::reply::Reply;
use crate::storage::Storage;
use crate::transport::Transport;

/// A subsystem at the other end of a transport; to the master it is that subsystem.
///
/// Every call is one message there and one back. What shows of the present state comes with the answers that change
/// it, so that [`rows`](Subsystem::rows), [`energy`](Subsystem::energy), [`observe`](Subsystem::observe) and
/// [`statistics`](Subsystem::statistics) ask nobody.
///
/// A prefetched `begin` or `evaluate` may stay away: its answer is dropped and the step that the master knows of, if
/// any, is begun again. A prefetched `commit` cannot be taken back: every other call is
/// [`SubsystemError::CommitPrefetched`] until it has followed; [`discard`](Subsystem::discard), which cannot fail, then
/// does nothing.
///
/// An answer that misses the deadline is [`SubsystemError::TimedOut`], one that cannot come any more
/// [`SubsystemError::Disconnected`], one that is none [`SubsystemError::Protocol`]; so is every later call.
#[derive(Debug)]
pub struct RemoteSubsystem<T: Transport> {
    description: Description,
    present: Present,
    statistics: Statistics,
    cost: Option<RemoteCost>,
    response: StepResponse,
    loads: LoadResponse,
    prepared: RowMatrix,
    /// `save` asks too, and it does not change what shows.
    link: RefCell<Link<T>>,
}

impl<T: Transport> RemoteSubsystem<T> {
    /// The subsystem at the other end of `transport`, which has introduced itself; its answers may take `deadline`.
    pub fn over(transport: T, introduction: Introduction, deadline: Duration) -> Self {
        let Introduction { description, present, statistics } = introduction;
        Self {
            link: RefCell::new(Link::new(description.name.clone(), transport, deadline)),
            description,
            present,
            statistics,
            cost: None,
            response: StepResponse::zeros(0),
            loads: LoadResponse::zeros(0),
            prepared: RowMatrix::zeros(0),
        }
    }

    /// The same with another deadline. It decides between an answer and an error, never about a result.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.link.get_mut().set_deadline(deadline);
        self
    }

    fn call(&mut self, call: Call<'_>) -> Result<Answer, SubsystemError> {
        let reply = self.link.get_mut().call(call)?;
        self.open(reply)
    }

    fn ask(
        &mut self,
        name: &'static str,
        request: impl FnOnce(&mut Storage) -> Request,
    ) -> Result<Answer, SubsystemError> {
        let reply = self.link.get_mut().ask(name, request)?;
        self.open(reply)
    }

    /// Makes a call that returns no error: one is that of the next call.
    fn tell(&mut self, name: &'static str, request: Request) {
        match self.ask(name, |_| request) {
            Ok(_) | Err(SubsystemError::CommitPrefetched { .. }) => {}
            Err(error) => self.link.get_mut().put_off(error),
        }
    }

    fn open(&mut self, reply: Reply) -> Result<Answer, SubsystemError> {
        self.statistics = reply.statistics;
        self.cost = reply.cost.or(self.cost);
        self.link.get_mut().take_back(reply.request);
        reply.answer
    }

    fn show_response(&mut self, answer: Answer) -> Result<&StepResponse, SubsystemError> {
        let Answer::Response(response) = answer else { return Err(self.confused()) };
        let used = std::mem::replace(&mut self.response, response);
        self.link.get_mut().take_back_answer(Answer::Response(used));
        Ok(&self.response)
    }

    fn show(&mut self, present: Present) -> Result<(), SubsystemError> {
        let used = std::mem::replace(&mut self.present, present);
        self.link.get_mut().take_back_answer(Answer::Moved(used));
        check_energy(&self.present, &self.description)
    }

    fn show_moved(&mut self, answer: Answer) -> Result<(), SubsystemError> {
        let Answer::Moved(present) = answer else { return Err(self.confused()) };
        self.show(present)
    }

    /// The other side answered something else than it was asked.
    fn confused(&self) -> SubsystemError {
        SubsystemError::Protocol {
            subsystem: self.description.name.clone(),
            reason: "its answer belongs to another call".to_owned(),
        }
    }
}

impl<T: Transport> Subsystem for RemoteSubsystem<T> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.present.rows
    }

    fn energy(&self) -> Energy {
        self.present.energy
    }

    fn set_active_rows(&mut self, needed: &[bool]) {
        self.tell("set_active_rows", Request::LimitResponse { needed: needed.to_vec() });
    }

    fn report_moves(&mut self, wanted: bool) {
        self.tell("report_moves", Request::ReportMoves { wanted });
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let answer = self.call(Call::Begin(step, start_loads))?;
        self.show_response(answer)
    }

    fn begin_predicted(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        expected: ExpectedLoads<'_>,
    ) -> Result<Begun<'_>, SubsystemError> {
        match self.call(Call::BeginPredicted(step, start_loads, expected))? {
            Answer::ResponseUnderLoads(response) => {
                self.show_response(Answer::Response(response)).map(Begun::UnderLoads)
            }
            answer => self.show_response(answer).map(Begun::Free),
        }
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let answer = self.call(Call::Evaluate(impulses))?;
        self.show_response(answer)
    }

    fn evaluate_rows(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let answer = self.call(Call::EvaluateRows(impulses))?;
        self.show_response(answer)
    }

    fn respond(&mut self, motion: &PortMotion) -> Result<&LoadResponse, SubsystemError> {
        let Answer::Loads(response) = self.call(Call::Respond(motion))? else { return Err(self.confused()) };
        let used = std::mem::replace(&mut self.loads, response);
        self.link.get_mut().take_back_answer(Answer::Loads(used));
        Ok(&self.loads)
    }

    /// The answer is awaited with the next call: inputs of several subsystems are set side by side.
    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.description.check_inputs(inputs)?;
        self.link.get_mut().post(|storage| Request::SetInputs { inputs: storage.signals(inputs) })
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        if !self.present.outputs.is_empty() {
            self.description.check_outputs(inputs, out)?;
            out.copy_from_slice(&self.present.outputs);
            return Ok(());
        }
        let mut link = self.link.borrow_mut();
        let reply = link.ask("outputs", |storage| Request::Outputs { inputs: storage.numbers(inputs) })?;
        link.take_back(reply.request);
        match reply.answer? {
            Answer::Outputs(values) if values.len() == out.len() => {
                out.copy_from_slice(&values);
                link.take_back_answer(Answer::Outputs(values));
                Ok(())
            }
            _ => Err(self.confused()),
        }
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        let Answer::Committed(ledger, present) = self.call(Call::Commit(loads))? else {
            return Err(self.confused());
        };
        self.show(present)?;
        Ok(ledger)
    }

    fn discard(&mut self) {
        self.tell("discard", Request::Discard);
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        let Answer::Prepared(matrix) = self.ask("prepare_jump", |_| Request::PrepareJump { size })? else {
            return Err(self.confused());
        };
        let used = std::mem::replace(&mut self.prepared, matrix);
        self.link.get_mut().take_back_answer(Answer::Prepared(used));
        Ok(&self.prepared)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        let answer = self.ask("jump", |storage| Request::Jump { impulses: storage.numbers(impulses) })?;
        self.show_moved(answer)
    }

    fn jump_work(&self) -> f64 {
        self.present.jump_work
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        let answer =
            self.ask("project_positions", |storage| Request::Shift { weights: storage.numbers(weights) })?;
        self.show_moved(answer)
    }

    fn observe(&self, out: &mut [f64]) {
        out.copy_from_slice(&self.present.observed);
    }

    fn look(&self, loads: &[f64], out: &mut Sight) -> Result<(), SubsystemError> {
        let mut link = self.link.borrow_mut();
        let reply = link.ask("look", |storage| Request::Look { loads: storage.numbers(loads) })?;
        link.take_back(reply.request);
        let Answer::Seen(mut sight) = reply.answer? else { return Err(self.confused()) };
        std::mem::swap(out, &mut sight);
        link.take_back_answer(Answer::Seen(sight));
        Ok(())
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        match self.link.borrow_mut().ask("save", |_| Request::Save)?.answer? {
            Answer::Saved(snapshot) => Ok(snapshot),
            _ => Err(self.confused()),
        }
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let answer = self.ask("restore", |_| Request::Restore { snapshot: snapshot.clone() })?;
        self.show_moved(answer)
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }

    fn remote_cost(&self) -> Option<RemoteCost> {
        self.cost
    }

    fn prefetch(&mut self, call: Call<'_>) {
        self.link.get_mut().prefetch(call);
    }

    fn is_asynchronous(&self) -> bool {
        true
    }
}

/// Refuses energies that are not finite, of a motion that is; one that is not is named by who looks at its rows.
pub(crate) fn check_energy(present: &Present, description: &Description) -> Result<(), SubsystemError> {
    let Present { rows, energy, jump_work, .. } = present;
    let are_finite = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite());
    if are_finite(&[energy.kinetic, energy.potential, *jump_work])
        || !(are_finite(&rows.positions) && are_finite(&rows.velocities))
    {
        return Ok(());
    }
    Err(SubsystemError::NotFinite { subsystem: description.name.clone(), what: "its energy".to_owned() })
}
