//! How one waits where nobody wakes one up.

use std::hint::spin_loop;
use std::thread::{sleep, yield_now};
use std::time::{Duration, Instant};

/// Looks in a row at first: a few hundred microseconds, within which most answers come. Who gives its processor away before, where others
/// want it too, has it back only milliseconds later.
const SPINS: u32 = 2000;

/// How long one gives way to others between two looks, which costs nothing where there are none.
const GIVING_WAY: Duration = Duration::from_millis(1);

/// How long one sleeps between two looks after that, at least and at most, and the part of the time waited so far that it is.
const SLEEP: [Duration; 2] = [Duration::from_micros(50), Duration::from_millis(1)];
const PART: u32 = 50;

/// What a pause between two looks counts at most: this process may have been stopped itself.
const PIECE: Duration = Duration::from_millis(100);

/// Looks for something until it is there, at most for `deadline`.
pub(crate) fn wait_for<T>(deadline: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    for _ in 0..SPINS {
        if let Some(found) = look() {
            return Some(found);
        }
        spin_loop();
    }
    let (mut last, mut waited) = (Instant::now(), Duration::ZERO);
    loop {
        if let Some(found) = look() {
            return Some(found);
        }
        let now = Instant::now();
        waited += now.duration_since(last).min(PIECE);
        last = now;
        if waited >= deadline {
            return None;
        }
        if waited < GIVING_WAY { yield_now() } else { sleep((waited / PART).clamp(SLEEP[0], SLEEP[1])) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_waits_for_what_comes_and_no_longer_than_it_may() {
        let mut looks = 0;
        let mut third = || {
            looks += 1;
            (looks == 3).then_some(looks)
        };
        assert_eq!(wait_for(Duration::MAX, &mut third), Some(3));
        let since = Instant::now();
        assert_eq!(wait_for::<()>(Duration::from_millis(20), || None), None);
        assert!((20..2000).contains(&since.elapsed().as_millis()));
    }
}
