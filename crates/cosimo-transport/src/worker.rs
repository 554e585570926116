//! The subsystem's side: answers requests until the channel closes.

use cosimo_subsystem::{Begun, Description, ExpectedLoads, Subsystem, SubsystemError};
use crossbeam_channel::{Receiver, Sender};

use crate::cost::WorkerCost;
use crate::message::{Answer, Present, Request};
use crate::reply::Reply;
use crate::storage::Storage;

/// Answers every request in turn; returns when the other side is gone.
pub(crate) fn work(
    subsystem: &mut dyn Subsystem,
    requests: &Receiver<(Request, Storage)>,
    replies: &Sender<Reply>,
) {
    let mut cost = WorkerCost::start();
    for (request, mut storage) in requests {
        let answer = cost.measure(&request, || answer(subsystem, &request, &mut storage));
        let (statistics, cost) = (subsystem.statistics(), Some(cost.count()));
        if replies.send(Reply { request, answer, statistics, cost, storage }).is_err() {
            return;
        }
    }
}

/// Makes the call that is requested.
pub(crate) fn answer(
    subsystem: &mut dyn Subsystem,
    request: &Request,
    storage: &mut Storage,
) -> Result<Answer, SubsystemError> {
    Ok(match request {
        Request::Begin { step, start_loads } => {
            Answer::Response(storage.response(subsystem.begin(*step, start_loads)?))
        }
        Request::BeginPredicted { step, start_loads, start, end, momenta, needs_matrices } => {
            let expected = ExpectedLoads { start, end, momenta, needs_matrices: *needs_matrices };
            begun(subsystem.begin_predicted(*step, start_loads, expected)?, storage)
        }
        Request::Evaluate { impulses } => Answer::Response(storage.response(subsystem.evaluate(impulses)?)),
        Request::EvaluateRows { impulses } => {
            Answer::Response(storage.response(subsystem.evaluate_rows(impulses)?))
        }
        Request::Respond { motion } => Answer::Loads(storage.load_response(subsystem.respond(motion)?)),
        Request::SetInputs { inputs } => subsystem.set_inputs(inputs).map(|()| Answer::InputsSet)?,
        Request::Outputs { inputs } => {
            let mut out = storage.numbers(&[]);
            out.resize(subsystem.description().outputs.len(), 0.0);
            subsystem.outputs(inputs, &mut out).map(|()| Answer::Outputs(out))?
        }
        Request::Commit { loads } => {
            let ledger = subsystem.commit(loads)?;
            Answer::Committed(ledger, present(subsystem, storage.present()))
        }
        Request::LimitResponse { needed } => {
            subsystem.set_active_rows(needed);
            Answer::Limited
        }
        Request::ReportMoves { wanted } => {
            subsystem.report_moves(*wanted);
            Answer::Limited
        }
        Request::Discard => {
            subsystem.discard();
            Answer::Discarded
        }
        Request::PrepareJump { size } => Answer::Prepared(storage.matrix(subsystem.prepare_jump(*size)?)),
        Request::Jump { impulses } => {
            subsystem.jump(impulses)?;
            moved(subsystem, storage)
        }
        Request::Shift { weights } => {
            subsystem.project_positions(weights)?;
            moved(subsystem, storage)
        }
        Request::Look { loads } => {
            let mut sight = storage.sight();
            subsystem.look(loads, &mut sight).map(|()| Answer::Seen(sight))?
        }
        Request::Save => Answer::Saved(subsystem.save()?),
        Request::Restore { snapshot } => {
            subsystem.restore(snapshot)?;
            moved(subsystem, storage)
        }
    })
}

/// The answer to the beginning of a step under expected loads.
fn begun(begun: Begun<'_>, storage: &mut Storage) -> Answer {
    match begun {
        Begun::Free(response) => Answer::Response(storage.response(response)),
        Begun::UnderLoads(response) => Answer::ResponseUnderLoads(storage.response(response)),
    }
}

/// The answer of a subsystem that has moved at once.
fn moved(subsystem: &dyn Subsystem, storage: &mut Storage) -> Answer {
    Answer::Moved(present(subsystem, storage.present()))
}

/// What shows of the present state, written into `into`.
pub(crate) fn present(subsystem: &dyn Subsystem, mut into: Present) -> Present {
    let rows = subsystem.rows();
    into.rows.positions.clone_from(&rows.positions);
    into.rows.velocities.clone_from(&rows.velocities);
    into.rows.surface_velocities.clone_from(&rows.surface_velocities);
    into.rows.orientations.clone_from(&rows.orientations);
    into.rows.absent.clone_from(&rows.absent);
    into.rows.holders.clone_from(&rows.holders);
    into.rows.scales.clone_from(&rows.scales);
    into.energy = subsystem.energy();
    into.jump_work = subsystem.jump_work();
    into.observed.resize(subsystem.description().quantities.len(), 0.0);
    subsystem.observe(&mut into.observed);
    into.outputs.clear();
    present_outputs(subsystem, &mut into.outputs);
    into
}

/// Writes the outputs where they depend on the state alone; none where they do not, or are not known.
fn present_outputs(subsystem: &dyn Subsystem, outputs: &mut Vec<f64>) {
    let Description { inputs, outputs: all, .. } = subsystem.description();
    if all.is_empty() || all.iter().any(|output| !output.feed_through.is_empty()) {
        return;
    }
    // What the inputs are does not matter.
    let of_inputs = &ZEROS[..inputs.len().min(ZEROS.len())];
    outputs.resize(all.len(), 0.0);
    if subsystem.outputs(of_inputs, outputs).is_err() {
        outputs.clear();
    }
}

/// Inputs of a subsystem none of whose outputs depends on them; of more, the outputs are asked for.
static ZEROS: [f64; 64] = [0.0; 64];

#[cfg(test)]
mod tests {
    use super::*;
    use cosimo_subsystem::conformance::TwoMasses;
    use cosimo_subsystem::{Call, MacroStep, StepLoads};
    use crossbeam_channel::bounded;

    /// Allocations of the worker's thread while it serves this many steps.
    fn allocations_of_the_worker(steps: u32) -> u64 {
        let (requests, received) = bounded(1);
        let (answered, replies) = bounded::<Reply>(1);
        let worker = std::thread::spawn(move || {
            let mut subsystem = TwoMasses::default();
            allocation_counter::measure(|| work(&mut subsystem, &received, &answered)).count_total
        });
        let mut storage = Storage::default();
        let loads = StepLoads::zeros(3);
        for step in 0..steps {
            let step = MacroStep { time: f64::from(step) * 1e-3, size: 1e-3 };
            for call in [Call::Begin(step, &[0.0; 3]), Call::Evaluate(&[0.1; 3]), Call::Commit(&loads)] {
                let request = storage.request(call);
                requests.send((request, storage)).unwrap();
                let reply = replies.recv().unwrap();
                storage = reply.storage;
                storage.take_back(reply.request);
                storage.take_back_answer(reply.answer.unwrap());
            }
        }
        drop(requests);
        worker.join().unwrap()
    }

    #[test]
    fn the_worker_allocates_in_the_first_step_only() {
        let first = allocations_of_the_worker(1);
        assert!(first > 0, "the counter does not count");
        // The channel allocates twice when a thread waits for the first time, which may be in any step or in none.
        let later = allocations_of_the_worker(1000);
        assert!(later <= first + 2, "{first} allocations in one step, {later} in 1000");
    }
}
