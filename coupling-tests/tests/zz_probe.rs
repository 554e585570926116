//! probe
use coupling_tests::{Run, Table, fitted_order};
fn errors(overrides: &[&str], reference: &Table, end: f64, h: f64) -> (f64, usize, f64) {
    let step = format!("time.step={h:e}"); let e = format!("time.end={end}");
    let mut all = vec![step.as_str(), e.as_str()]; all.extend_from_slice(overrides);
    let run = Run::example("oscillator/model.toml", &all);
    let (t, lower, upper) = (reference.column("t"), reference.column("lower"), reference.column("upper"));
    let mut worst: f64 = 0.0;
    for (k, t) in t.iter().enumerate().filter(|(_, t)| **t <= end + 1e-9) {
        worst = worst.max((run.at("lower.z", *t) - 0.2 - lower[k]).abs()).max((run.at("upper.z", *t) - 0.7 - upper[k]).abs());
    }
    (worst, run.impacts().len(), run.report.energy.monitor_sum)
}
#[test]
fn probe() {
    for (case, k) in [("E1_oscillator_k1e3", "interface.spring.stiffness=1e3"), ("E2_oscillator_k1e4", "interface.spring.stiffness=1e4")] {
        let reference = Table::reference(&format!("{case}/reference.csv"));
        for solver in ["theta", "multistep", "{ method = \"multistep\", spectral_radius = 0.82 }", "generalized-alpha"] {
            let s = format!("subsystem.upper.solver={solver}");
            let o = [k, s.as_str()];
            let e: Vec<_> = [1e-3, 5e-4, 2e-4, 1e-4, 5e-5].iter().map(|h| errors(&o, &reference, 0.9, *h)).collect();
            println!("{case} {solver}: {:?} order {:.3}", e, (e[0].0 / e[4].0).ln() / 20f64.ln());
            let n: Vec<_> = [1e-3, 5e-4, 2e-4, 1e-4, 5e-5].iter().map(|h| errors(&o, &reference, 1.5, *h)).map(|e| e.1).collect();
            println!("  impacts to 1.5: {n:?}");
            for d in ["0", "2"] {
                let hs: Vec<f64> = (0..24).map(|i| (100.0 * 20f64.powf(i as f64 / 23.0)).round()).map(|m| 0.1 / m).collect();
                let at = |h: f64| -> Vec<f64> {
                    let step = format!("time.step={h:e}"); let dd = format!("interface.spring.damping={d}");
                    let run = Run::example("oscillator/model.toml", &[k, &s, "time.end=0.9", &step, &dd]);
                    (1..=9).flat_map(|i| [run.at("lower.z", 0.1 * i as f64), run.at("upper.z", 0.1 * i as f64)]).collect()
                };
                let fine = at(0.1 / 20000.0);
                let errs: Vec<f64> = hs.iter().map(|h| at(*h).iter().zip(&fine).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)).collect();
                println!("  d={d}: fitted order {:.3} from {:.2e} to {:.2e}", fitted_order(&hs, &errs), errs[0], errs[23]);
            }
        }
    }
}
