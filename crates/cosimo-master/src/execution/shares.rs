//! How a round of calls is shared among threads.
//!
//! Every thread has a share of its own, the same in every round, so that its cache holds what its subsystems work on. Of it the
//! thread takes a few calls at a time; when nothing is left, it takes from the far ends of the shares of others.

use std::sync::{Mutex, PoisonError};

use super::calls::{Round, SubsystemCalls};
use super::slot::SubsystemCall;
use super::team::Team;

/// The calls of a share that nobody has taken yet. Alone on its lines of the cache, two of which are fetched at a time.
#[repr(align(128))]
struct Share<'a>(Mutex<Option<SubsystemCalls<'a>>>);

/// Storage of shares, empty between rounds.
#[derive(Default)]
pub(crate) struct ShareStorage(Vec<Share<'static>>);

impl<'a> Share<'a> {
    /// Takes the last or the first `count` calls, or those that are left.
    fn take(&self, count: usize, is_from_end: bool) -> Option<SubsystemCalls<'a>> {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = left.take()?;
        if calls.len() <= count {
            return Some(calls);
        }
        let at = if is_from_end { calls.len() - count } else { count };
        let (first, last) = calls.split_at(at);
        let (taken, others) = if is_from_end { (last, first) } else { (first, last) };
        *left = Some(others);
        Some(taken)
    }
}

impl ShareStorage {
    /// Makes all calls of a round by a team, each of whose threads takes `count` at a time.
    pub(crate) fn call(
        &mut self,
        team: &Team,
        calls: SubsystemCalls<'_>,
        count: usize,
        round: &Round<'_, impl Fn(SubsystemCall<'_>) + Sync>,
    ) {
        let mut shares = emptied(std::mem::take(&mut self.0));
        let parts = calls.len().div_ceil(count);
        let mut left = calls;
        for threads in (1..=team.size()).rev() {
            let equal = left.len().div_ceil(threads);
            let (own, others) = left.split_at(equal);
            shares.push(Share(Mutex::new(Some(own))));
            left = others;
        }
        team.work(parts, |own| work_off(&shares, own, count, round));
        self.0 = emptied(shares);
    }
}

/// The same storage for other shares.
fn emptied<'b>(shares: Vec<Share<'_>>) -> Vec<Share<'b>> {
    // Collected in place: the two types differ in a lifetime alone.
    shares.into_iter().map_while(|_| None).collect()
}

/// Makes the calls of share `own`, and then those that are left in others.
fn work_off(
    shares: &[Share<'_>],
    own: usize,
    count: usize,
    round: &Round<'_, impl Fn(SubsystemCall<'_>) + Sync>,
) {
    for k in 0..shares.len() {
        let share = &shares[(own + k) % shares.len()];
        let is_from_end = round.is_backward != (k > 0);
        while let Some(mut calls) = share.take(count, is_from_end) {
            calls.call(round);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_storage_of_shares_stays() {
        let mut shares: Vec<Share<'_>> = Vec::with_capacity(17);
        shares.extend((0..5).map(|_| Share(Mutex::new(None))));
        let before = shares.as_ptr() as usize;
        let after: Vec<Share<'static>> = emptied(shares);
        assert_eq!((after.len(), after.capacity(), after.as_ptr() as usize), (0, 17, before));
    }
}
