//! What the ranks other than the first do.

use std::collections::BTreeMap;
use std::time::Duration;

use cosimo_subsystem::{Subsystem, SubsystemError};
use cosimo_transport::{Served, TransportError};

use crate::notice::Notice;
use crate::parcel::{Address, Arrival, Kind, LONGEST, SHORT, look_at_all};
use crate::patience::wait_for;
use crate::world::{World, say_goodbye};

/// Serves the subsystems that rank 0 assigns to this rank, each made of its assignment, until rank 0 ends the job.
///
/// A subsystem that panics is that error to the master, and serves no longer; the others go on.
///
/// # Errors
/// What comes from rank 0 is not understood.
pub fn serve_ranks(
    world: &World,
    make: impl FnMut(&[u8]) -> Result<Box<dyn Subsystem>, SubsystemError>,
) -> Result<(), TransportError> {
    debug_assert!(world.rank() > 0, "rank 0 is the master");
    let mut desk = Desk { make, seats: BTreeMap::new(), message: Vec::new() };
    while let Some(arrival) = wait_for(Duration::MAX, || look_at_all(0)) {
        if desk.take(arrival)? {
            say_goodbye();
            break;
        }
    }
    Ok(())
}

/// A subsystem on this rank.
struct Seat {
    served: Served,
    /// Longest message expected (bytes).
    longest: usize,
    /// A long answer that the master does not wait for yet.
    answer: Vec<u8>,
}

struct Desk<M> {
    make: M,
    /// By the numbers of the subsystems.
    seats: BTreeMap<i32, Seat>,
    message: Vec<u8>,
}

impl<M: FnMut(&[u8]) -> Result<Box<dyn Subsystem>, SubsystemError>> Desk<M> {
    /// Deals with what has come; whether it is the end of the job.
    fn take(&mut self, arrival: Arrival) -> Result<bool, TransportError> {
        let from = arrival.from;
        if arrival.kind == Kind::Message {
            arrival.receive(&mut self.message);
            self.answer(from);
            return Ok(false);
        }
        match arrival.receive_notice()? {
            Notice::Ended(_) if from.number == 0 => return Ok(true),
            Notice::Ended(_) => drop(self.seats.remove(&from.number)),
            Notice::Go => {
                if let Some(seat) = self.seats.get(&from.number) {
                    from.send(&seat.answer);
                }
            }
            Notice::Long(length) => self.take_long(from, length),
        }
        Ok(false)
    }

    /// Receives a long message, which is sent as soon as it is waited for.
    fn take_long(&mut self, from: Address, length: usize) {
        let longest = self.seats.get(&from.number).map_or(LONGEST, |seat| seat.longest);
        if length > longest {
            let reason = format!("a message of {length} bytes has come, where {longest} are the most");
            self.end(from, reason);
            return;
        }
        from.notify(&Notice::Go);
        if let Some(arrival) = wait_for(Duration::MAX, || from.look_for(Kind::Message)) {
            arrival.receive(&mut self.message);
            self.answer(from);
        }
    }

    /// Answers the message.
    fn answer(&mut self, from: Address) {
        if let Err(error) = self.write_answer(from.number) {
            self.end(from, error.to_string());
            return;
        }
        match (self.message.len(), self.seats.get_mut(&from.number)) {
            (length @ SHORT.., Some(seat)) if length > SHORT => {
                std::mem::swap(&mut seat.answer, &mut self.message);
                from.notify(&Notice::Long(length));
            }
            _ => from.send(&self.message),
        }
    }

    /// Writes the answer over the message, be it a request or a greeting.
    fn write_answer(&mut self, number: i32) -> Result<(), TransportError> {
        if let Some(seat) = self.seats.get_mut(&number) {
            return seat.served.answer(&mut self.message);
        }
        let served = Served::greet(&mut self.make, &mut self.message)?.among_others();
        let longest = served.longest_request().max(SHORT);
        self.seats.insert(number, Seat { served, longest, answer: Vec::new() });
        Ok(())
    }

    /// Ends the conversation about a subsystem.
    fn end(&mut self, with: Address, reason: String) {
        self.seats.remove(&with.number);
        with.notify(&Notice::Ended(reason));
    }
}
