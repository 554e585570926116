//! Damaged files give errors, in little time and memory.

use std::time::{Duration, Instant};

use cosimo_fmi::ssp::{System, write};

use crate::round_trip::{Dice, fmus, outline};
use crate::{component, connection, connector, description, set, zip};

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

    /// Flips, cuts, inserts, repeats or overwrites at one to four places.
    fn damage(&mut self, bytes: &mut Vec<u8>) {
        const WORDS: [&[u8]; 9] =
            [b"<", b">", b"\"", b"&#0;", b"-1", b"1e999", b"\xff\xff", b"PK\x01\x02", b"../"];
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

/// A system with levels, a parameter set, a mapping and a system of its own.
fn sample() -> (String, String, String) {
    let ports =
        connector("u", "input", "<ssc:Real unit='mm'/>") + &connector("y", "output", "<ssc:Real unit='m'/>");
    let motor = component("motor", &ports);
    let inner = format!(
        "<ssd:System name='s' id='s'><ssd:Connectors>{ports}</ssd:Connectors><ssd:Elements>{motor}</ssd:Elements>
        <ssd:Connections>{}{}</ssd:Connections></ssd:System>",
        connection("u", "motor.u", "<ssc:LinearTransformation factor='2' offset='1'/>"),
        connection("motor.y", "y", "")
    );
    let system = format!(
        "<ssd:ParameterBindings><ssd:ParameterBinding source='p.ssv' prefix='s.'>
        <ssd:ParameterMapping source='m.ssm'/></ssd:ParameterBinding></ssd:ParameterBindings>
        <ssd:Elements>{inner}<ssd:Component name='t' source='#s' type='application/x-ssp-definition'/></ssd:Elements>
        <ssd:Connections>{}{}</ssd:Connections>",
        connection("s.y", "t.u", ""),
        connection("t.y", "s.u", "")
    );
    let units = "<ssd:Units><ssc:Unit name='m'><ssc:BaseUnit m='1'/></ssc:Unit>
        <ssc:Unit name='mm'><ssc:BaseUnit m='1' factor='0.001'/></ssc:Unit></ssd:Units>";
    let parameters = "<ssv:Parameter name='u'><ssv:Real value='1' unit='m'/></ssv:Parameter>
        <ssv:Parameter name='k'><ssv:Enumeration value='x'/></ssv:Parameter>";
    let mapping = format!(
        "<ssm:ParameterMapping {}><ssm:MappingEntry source='s.k' target='t.motor.k'/></ssm:ParameterMapping>",
        crate::NAMES
    );
    (description(&system, units), set(parameters), mapping)
}

/// Writes a new file: file systems wait for the disk where one is overwritten.
fn replace(path: &std::path::Path, bytes: &[u8]) {
    std::fs::remove_file(path).unwrap();
    std::fs::write(path, bytes).unwrap();
}

fn timed(path: &std::path::Path) -> bool {
    let started = Instant::now();
    let good = System::open(path).is_ok();
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    good
}

#[test]
fn damaged_descriptions_sets_and_mappings() {
    let folder = fmus();
    std::fs::create_dir(folder.path().join("resources")).unwrap();
    std::fs::write(folder.path().join("resources/a.fmu"), "fmu").unwrap();
    let (description, set, mapping) = sample();
    let files = [("the.ssd", description), ("p.ssv", set), ("m.ssm", mapping)];
    let paths = files.each_ref().map(|(name, _)| folder.path().join(name));
    for ((_, text), path) in files.iter().zip(&paths) {
        std::fs::write(path, text).unwrap();
    }
    System::open(&paths[0]).unwrap();
    let (mut random, mut good) = (Random(88_172_645_463_325_252), 0);
    for (which, cases) in [7000, 3500, 3500].into_iter().enumerate() {
        for _ in 0..cases {
            let mut bytes = files[which].1.clone().into_bytes();
            random.damage(&mut bytes);
            replace(&paths[which], &bytes);
            good += usize::from(timed(&paths[0]));
        }
        replace(&paths[which], files[which].1.as_bytes());
    }
    assert!((140..12_000).contains(&good), "{good} of 14000 are still readable");
}

#[test]
fn damaged_archives() {
    let folder = fmus();
    let path = folder.path().join("the.ssp");
    let mut random = Random(1);
    let numbers: Vec<_> = (0..300).map(|_| random.next() as u32).collect();
    write(&path, &outline(&mut Dice::new(numbers), folder.path())).unwrap();
    let (description, set, mapping) = sample();
    let nested = zip(&[
        ("SystemStructure.ssd", description.as_bytes()),
        ("p.ssv", set.as_bytes()),
        ("m.ssm", mapping.as_bytes()),
        ("resources/a.fmu", b"fmu"),
    ]);
    let samples = [std::fs::read(&path).unwrap(), nested];
    for case in 0..6000 {
        let mut bytes = samples[case % 2].clone();
        random.damage(&mut bytes);
        replace(&path, &bytes);
        timed(&path);
    }
}
