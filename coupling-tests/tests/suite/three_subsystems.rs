//! Three subsystems joined by rigid ports of three coordinates, with two contacts and a constrained member, against
//! the same system in one piece, whose joints are constraints.
//!
//! Both are the same equations: a rigid joint says `ġ₁ = 0` of the gap `g = q_a − q_b`, and the θ rule says the
//! same of a constraint `φ = 0`. Only the solution differs: an interface matrix of six unknowns here, one system of
//! equations with all multipliers there.

use cosimo::master::ContactEventKind;
use coupling_tests::{Event, Run};
use nalgebra::DMatrix;

const SPLIT: &str = "three-subsystems/model.toml";
const WHOLE: &str = "three-subsystems/model-one-piece.toml";

fn names(kind: &str) -> Vec<(String, String)> {
    let part = move |(part, count): (&'static str, usize)| {
        let kind = kind.to_owned();
        (0..count).map(move |i| (format!("{part}.{kind}q{i}"), format!("whole.{kind}{part}{i}")))
    };
    [("a", 5), ("b", 6), ("c", 5)].into_iter().flat_map(part).collect()
}

/// Largest difference among all coordinates before time `end` (s), and the largest value.
fn largest_difference(split: &Run, whole: &Run, kind: &str, end: f64) -> (f64, f64) {
    let count = split.times.partition_point(|t| *t < end);
    let compare = |(a, b): (String, String)| {
        let (a, b) = (split.column(&a), whole.column(&b));
        assert_eq!(a.len(), b.len());
        let size = b.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let differences = a[..count].iter().zip(&b[..count]).map(|(a, b)| (a - b).abs());
        (differences.fold(0.0, f64::max), size)
    };
    names(kind).into_iter().map(compare).fold((0.0, 0.0), |most, x| (most.0.max(x.0), most.1.max(x.1)))
}

/// Runs both models and compares everything to 1e-11, in SI units, as long as the same contacts open and close: the end
/// of a series of rebounds is a decision, which round-off may turn. Returns the time of the first decision that differs.
fn assert_equal(about: &str, split: &[&str], whole: &[&str]) -> f64 {
    let (split, whole) = (Run::example(SPLIT, split), Run::example(WHOLE, whole));
    assert_eq!((split.report.steps, split.report.interface_solves), (1000, 1000), "{about}");
    for contact in ["a.stop", "c.stop"] {
        let count = split.events_at(contact, ContactEventKind::Impact).len();
        assert!(count >= 3, "{about}: {count} impacts at {contact}");
    }
    let contact =
        |event: &Event| event.contact.replace("whole.", "").replace("_stop", "").replace(".stop", "");
    let mut pairs = split.events.iter().zip(&whole.events);
    let differing = pairs.find(|(a, b)| a.kind != b.kind || contact(a) != contact(b));
    let end = match differing {
        Some((a, b)) => a.time.min(b.time) - 1e-3,
        None => f64::INFINITY,
    };
    for (a, b) in split.events.iter().zip(&whole.events).filter(|(a, _)| a.time < end) {
        assert!(
            (a.time - b.time).abs() < 1e-11 && (a.impulse - b.impulse).abs() < 1e-11,
            "{about}: {a:?} {b:?}"
        );
    }
    for (kind, unit) in [("", "m"), ("v_", "m/s")] {
        let (difference, size) = largest_difference(&split, &whole, kind, end);
        assert!(size > 1e-3 && difference <= 1e-11, "{about}: off by {difference:e} of {size:e} {unit}");
    }
    if end == f64::INFINITY {
        assert_eq!(split.events.len(), whole.events.len(), "{about}");
        let (a, b) = (split.report.energy, whole.report.energy);
        assert!((a.end - b.end).abs() < 1e-11 && (a.contact - b.contact).abs() < 1e-11, "{a:?} {b:?}");
    }
    end
}

/// The figures of the example's description: 42 impacts, positions equal to 1e-15 m, velocities to 1e-13 m/s.
#[test]
fn split_system_equals_the_system_in_one_piece() {
    for impacts in ["sub-step", "plain"] {
        let setting = format!("master.impacts={impacts}");
        assert_eq!(assert_equal(impacts, &[&setting], &[&setting]), f64::INFINITY);
    }
    let (split, whole) = (Run::example(SPLIT, &[]), Run::example(WHOLE, &[]));
    assert_eq!(split.impacts().len(), 42);
    for (kind, allowed) in [("", 1e-15), ("v_", 1e-13)] {
        let (difference, _) = largest_difference(&split, &whole, kind, f64::INFINITY);
        assert!(difference <= allowed, "`{kind}q` differ by {difference:e}");
    }
}

/// A generator of numbers in [0, 1) that is the same everywhere (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A full mass matrix, `B Bᵀ + ½ I` with entries of `B` in [−1, 1).
    fn mass(&mut self, n: usize) -> DMatrix<f64> {
        let b = DMatrix::from_fn(n, n, |_, _| 2.0 * self.next() - 1.0);
        let m = &b * b.transpose();
        // Symmetric to the last bit.
        0.5 * (&m + m.transpose()) + DMatrix::identity(n, n) * 0.5
    }
}

fn written(m: &DMatrix<f64>) -> String {
    let row = |i: usize| m.row(i).iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ");
    let rows: Vec<String> = (0..m.nrows()).map(|i| format!("[{}]", row(i))).collect();
    format!("[{}]", rows.join(", "))
}

#[test]
fn random_masses_make_no_difference() {
    let mut equal_to_the_end = 0;
    for seed in 1..=8 {
        let mut random = Random(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
        let parts = [5, 6, 5].map(|n| random.mass(n));
        let mut all = DMatrix::zeros(16, 16);
        for (m, first) in parts.iter().zip([0, 5, 11]) {
            all.view_mut((first, first), m.shape()).copy_from(m);
        }
        let whole = format!("subsystem.whole.mass={}", written(&all));
        let split = ["a", "b", "c"].iter().zip(&parts);
        let split: Vec<String> =
            split.map(|(name, m)| format!("subsystem.{name}.mass={}", written(m))).collect();
        for impacts in ["sub-step", "plain"] {
            let setting = format!("master.impacts={impacts}");
            let split: Vec<&str> = split.iter().map(String::as_str).chain([setting.as_str()]).collect();
            let about = format!("seed {seed}, {impacts}");
            let end = assert_equal(&about, &split, &[&whole, &setting]);
            assert!(end > 0.45, "{about}: equal to {end} s only");
            equal_to_the_end += usize::from(end == f64::INFINITY);
        }
    }
    assert!(equal_to_the_end >= 14, "{equal_to_the_end} of 16 runs are equal to the end");
}

#[test]
fn joints_and_guide_stay_closed() {
    let run = Run::example(SPLIT, &[]);
    for name in ["ab.gap_0", "ab.gap_1", "ab.gap_2", "bc.gap_0", "bc.gap_1", "bc.gap_2", "b.guide.residual"] {
        let largest = run.column(name).iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        assert!(largest < 1e-14, "{name}: {largest:e} m");
    }
}

#[test]
fn contacts_are_kept_and_the_balance_closes() {
    let run = Run::example(SPLIT, &[]);
    for name in ["a.stop.gap", "c.stop.gap"] {
        let least = run.column(name).iter().copied().fold(f64::INFINITY, f64::min);
        // To the error of the parabola between impacts.
        assert!(least > -1e-6, "{name}: {least:e} m");
    }
    let e = run.report.energy;
    assert!(e.contact < -1e-3 && e.dissipated > 1e-3, "{e:?}");
    let open = e.end - e.start - e.contact - e.external + e.dissipated - e.monitor_sum;
    assert!(open.abs() < 1e-12, "{open:e} J are not accounted for");
}
