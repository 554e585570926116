//! Messages as bytes: the greeting with the version of the protocol, requests and replies.

use cosimo_subsystem::codec::{self, CodecError};
use cosimo_subsystem::cost::RemoteCost;
use cosimo_subsystem::{
    Description, LoadResponse, RowMatrix, Statistics, StepResponse, Subsystem, SubsystemError,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::cost::WorkerCost;
use crate::fit::fits;
use crate::message::{Answer, Request};
use crate::storage::Storage;
use crate::transport::TransportError;
use crate::worker::answer;

/// Version of the protocol between the two ends of a stream; both ends speak the same one. `docs/reference/messages.md` describes every byte
/// of it, and tests compare: who changes one changes the version too.
pub const PROTOCOL: u32 = 13;

/// Writes a greeting: the version, in four bytes whatever the version, and what goes with it.
pub(crate) fn write_greeting(content: &impl Serialize, message: &mut Vec<u8>) -> Result<(), TransportError> {
    message.clear();
    message.extend_from_slice(&PROTOCOL.to_le_bytes());
    codec::encode_into(content, message).map_err(damaged)
}

/// What goes with a greeting of this version.
pub(crate) fn read_greeting<T: DeserializeOwned>(message: &[u8]) -> Result<T, TransportError> {
    let Some((version, content)) = message.split_first_chunk() else {
        return Err(TransportError::Protocol("its greeting is too short".to_owned()));
    };
    match u32::from_le_bytes(*version) {
        PROTOCOL => codec::decode(content).map_err(damaged),
        found => Err(TransportError::Protocol(format!(
            "it speaks version {found} of the protocol, this is version {PROTOCOL}"
        ))),
    }
}

fn damaged(error: CodecError) -> TransportError {
    TransportError::Protocol(format!("a message cannot be used: {error}"))
}

/// A reply on its way.
#[derive(Serialize, Deserialize)]
struct ReplyMessage {
    answer: Result<Answer, SubsystemError>,
    statistics: Statistics,
    cost: Option<RemoteCost>,
    /// Whether the matrices of the answer are those that crossed last, and stayed away.
    repeats: bool,
}

/// An answer, the work of the subsystem so far, and what that has cost where it is known.
pub(crate) type ReadReply = (Result<Answer, SubsystemError>, Statistics, Option<RemoteCost>);

/// Writes the bytes of a request.
pub(crate) fn write_request(request: &Request, message: &mut Vec<u8>) -> Result<(), TransportError> {
    message.clear();
    codec::encode_into(request, message).map_err(damaged)
}

/// The master's end: bytes become replies.
#[derive(Debug)]
pub(crate) struct NearEnd {
    description: Description,
    /// The last answers that crossed with their matrices.
    response: StepResponse,
    loads: LoadResponse,
}

impl NearEnd {
    pub(crate) fn new(description: Description) -> Self {
        Self { description, response: StepResponse::zeros(0), loads: LoadResponse::zeros(0) }
    }

    /// Whether the inverse mass that crossed last, if any did, is that of another conversation. What else crosses with it may be left from
    /// a state before.
    pub(crate) fn has_inverse_mass_of(&self, other: &Self) -> bool {
        let own = &self.response.inverse_mass;
        *own == other.response.inverse_mass || *own == StepResponse::zeros(0).inverse_mass
    }

    /// The reply in these bytes.
    pub(crate) fn read(&mut self, message: &[u8]) -> Result<ReadReply, TransportError> {
        let ReplyMessage { mut answer, statistics, cost, repeats } =
            codec::decode(message).map_err(damaged)?;
        if let Ok(answer) = &mut answer {
            self.complete(answer, repeats);
            if !fits(answer, &self.description) {
                let reason = "a message cannot be used: its lengths are not those of the description";
                return Err(TransportError::Protocol(reason.to_owned()));
            }
        }
        Ok((answer, statistics, cost))
    }

    /// Gives an answer the matrices that stayed away, or keeps those that crossed.
    fn complete(&mut self, answer: &mut Answer, repeats: bool) {
        match answer {
            Answer::Response(response) | Answer::ResponseUnderLoads(response) => {
                let (to, from) =
                    if repeats { (response, &self.response) } else { (&mut self.response, &*response) };
                to.inverse_mass.clone_from(&from.inverse_mass);
                to.damped_inverse_mass.clone_from(&from.damped_inverse_mass);
                to.move_mass.clone_from(&from.move_mass);
            }
            Answer::Loads(loads) => {
                let (to, from) = if repeats { (loads, &self.loads) } else { (&mut self.loads, &*loads) };
                to.position_tangent.clone_from(&from.position_tangent);
                to.velocity_tangent.clone_from(&from.velocity_tangent);
            }
            _ => {}
        }
    }
}

/// The subsystem's end: bytes become requests, and answers bytes.
#[derive(Debug, Default)]
pub(crate) struct FarEnd {
    storage: Storage,
    /// Since the first request.
    cost: Option<WorkerCost>,
    /// Revision of the matrices that crossed last.
    revision: Option<u64>,
    /// The tangents that crossed last.
    tangents: Option<(RowMatrix, RowMatrix)>,
}

impl FarEnd {
    /// That of a subsystem whose thread works for others too.
    pub(crate) fn among_others() -> Self {
        Self { cost: Some(WorkerCost::start_among_others()), ..Self::default() }
    }

    /// Makes the call that is requested and writes the reply over the request.
    pub(crate) fn answer(
        &mut self,
        subsystem: &mut dyn Subsystem,
        message: &mut Vec<u8>,
    ) -> Result<(), TransportError> {
        let request: Request = codec::decode(message).map_err(damaged)?;
        if matches!(
            request,
            Request::Restore { .. } | Request::LimitResponse { .. } | Request::ReportMoves { .. }
        ) {
            self.revision = None;
        }
        let (cost, storage) = (self.cost.get_or_insert_with(WorkerCost::start), &mut self.storage);
        let mut answer = cost.measure(&request, || answer(subsystem, &request, storage));
        let cost = Some(cost.count());
        let repeats = answer.as_mut().is_ok_and(|answer| self.shorten(answer));
        let reply = ReplyMessage { answer, statistics: subsystem.statistics(), cost, repeats };
        write_reply(&reply, message)?;
        self.storage.take_back(request);
        if let Ok(answer) = reply.answer {
            self.storage.take_back_answer(answer);
        }
        Ok(())
    }

    /// Writes the reply of a call that has failed before it could answer.
    pub(crate) fn refuse(error: SubsystemError, message: &mut Vec<u8>) -> Result<(), TransportError> {
        let statistics = Statistics::default();
        let reply = ReplyMessage { answer: Err(error), statistics, cost: None, repeats: false };
        write_reply(&reply, message)
    }

    /// Takes the matrices out of an answer if they are those that crossed last; whether they are.
    fn shorten(&mut self, answer: &mut Answer) -> bool {
        match answer {
            Answer::Response(response) | Answer::ResponseUnderLoads(response) => {
                let repeats = self.revision.replace(response.revision) == Some(response.revision);
                if repeats {
                    response.inverse_mass = RowMatrix::zeros(0);
                    response.damped_inverse_mass = RowMatrix::zeros(0);
                    response.move_mass = RowMatrix::zeros(0);
                }
                repeats
            }
            Answer::Loads(loads) => {
                let now = (&loads.position_tangent, &loads.velocity_tangent);
                let repeats =
                    self.tangents.as_ref().is_some_and(|(p, v)| is_same(p, now.0) && is_same(v, now.1));
                if repeats {
                    loads.position_tangent = RowMatrix::zeros(0);
                    loads.velocity_tangent = RowMatrix::zeros(0);
                } else {
                    self.tangents = Some((now.0.clone(), now.1.clone()));
                }
                repeats
            }
            _ => false,
        }
    }
}

fn write_reply(reply: &ReplyMessage, message: &mut Vec<u8>) -> Result<(), TransportError> {
    message.clear();
    codec::encode_into(reply, message).map_err(damaged)
}

/// Whether two matrices have the same form and the same bits.
fn is_same(a: &RowMatrix, b: &RowMatrix) -> bool {
    a == b && a.stored().zip(b.stored()).all(|((_, a), (_, b))| a.to_bits() == b.to_bits())
}
