//! Damaged descriptions and archives give errors or are read: no panic, no hang, no memory without end.

use std::io::Cursor;
use std::time::{Duration, Instant};

use cosimo_fmi::archive::Archive;
use cosimo_fmi::description::{decode, parse, parse_terminals};

use crate::{archives, random};

/// Random numbers (xorshift), the same in each run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() >> 11) as usize % count.max(1)
    }

    fn numbers(&mut self, count: usize) -> Vec<u32> {
        (0..count).map(|_| self.next() as u32).collect()
    }

    /// Flips, cuts, inserts, repeats or overwrites at one to four places.
    fn damage(&mut self, bytes: &mut Vec<u8>) {
        const WORDS: [&[u8]; 8] =
            [b"<", b">", b"\"", b"&#0;", b"-1", b"99999999999999999999", b"\xff\xff\xff\xff", b"PK\x01\x02"];
        for _ in 0..1 + self.below(4) {
            let at = self.below(bytes.len());
            let end = (at + 1 + self.below(40)).min(bytes.len());
            match self.below(6) {
                0 if !bytes.is_empty() => bytes[at] ^= 1 << self.below(8),
                1 => drop(bytes.drain(at..end)),
                2 => drop(bytes.splice(at..at, WORDS[self.below(WORDS.len())].iter().copied())),
                3 => bytes.extend_from_within(at..end),
                4 if self.below(8) == 0 => bytes.truncate(at),
                _ => bytes[at..end].fill(self.next() as u8),
            }
        }
    }
}

/// Most memory that the process had so far, in kB; zero where that cannot be told.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Calls with damaged copies of the samples, and returns the share of calls that gave true.
fn damaged(samples: &[Vec<u8>], cases: usize, read: impl Fn(Vec<u8>) -> bool) -> f64 {
    let mut random = Random(88_172_645_463_325_252);
    let mut good = 0;
    for case in 0..cases {
        let mut bytes = samples[case % samples.len()].clone();
        random.damage(&mut bytes);
        let started = Instant::now();
        good += usize::from(read(bytes));
        assert!(started.elapsed() < Duration::from_secs(5), "case {case} took {:?}", started.elapsed());
    }
    assert!(peak_memory() < 1 << 20, "{} kB", peak_memory());
    good as f64 / cases as f64
}

#[test]
fn damaged_descriptions() {
    let mut random = Random(1);
    let texts: Vec<_> = (0..50).map(|_| random::texts(random.numbers(600))).collect();
    let samples: Vec<_> = texts.iter().map(|(_, main, _)| main.clone().into_bytes()).collect();
    let read = |bytes: Vec<u8>| decode(&bytes, "file").is_ok_and(|text| parse(&text, "file").is_ok());
    let good = damaged(&samples, 60_000, read);
    assert!((0.01..0.9).contains(&good), "{good} of the descriptions are still readable");
    for (model, _, terminals) in &texts {
        let read = |bytes: Vec<u8>| {
            decode(&bytes, "file").is_ok_and(|text| parse_terminals(&text, "file", model).is_ok())
        };
        damaged(&[terminals.clone().into_bytes()], 200, read);
    }
}

#[test]
fn damaged_archives() {
    let mut random = Random(2);
    let (_, main, terminals) = random::texts(random.numbers(200));
    let files = [
        ("modelDescription.xml", main.as_bytes()),
        ("terminalsAndIcons/terminalsAndIcons.xml", terminals.as_bytes()),
    ];
    let samples = [archives::fmu(), archives::zip(&files)];
    let read = |bytes: Vec<u8>| {
        let archive = Archive::read(Cursor::new(bytes), "the.fmu");
        archive.is_ok_and(|mut archive| archive.read_description().is_ok())
    };
    let good = damaged(&samples, 60_000, read);
    assert!((0.01..0.9).contains(&good), "{good} of the archives are still readable");
    let unpack = |bytes: Vec<u8>| {
        Archive::read(Cursor::new(bytes), "the.fmu").is_ok_and(|mut archive| archive.unpack().is_ok())
    };
    damaged(&samples, 2000, unpack);
}
