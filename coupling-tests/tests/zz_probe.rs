//! probe
use coupling_tests::Run;
use std::ops::ControlFlow;
use cosimo::master::*;
#[test]
fn nonlinear() {
    for mass in ["1e-3", "1", "100"] { 
      let mut prev = [0.0; 2];
      for h in ["4e-3", "2e-3", "1e-3", "5e-4", "2.5e-4"] {
        let mm = format!("subsystem.node.mass={mass}"); let hh = format!("time.step={h}");
        let run = Run::example("droop-stop-nonlinear/model.toml", &[&mm, &hh]);
        let r = &run.report;
        println!("{mass} {h}: impacts {:?} its {:.4} max {} solves {:.4} angle {:e} S evals {:?} gap {:e} monitor {:e} E {:e}", run.impacts(), r.master_iterations_per_step(), r.most_iterations, r.interface_solves_per_step(), run.at("rod.rod.angle", 1.9), r.subsystems[1].statistics.evaluations as f64 / r.steps as f64, run.column("joint.gap").iter().fold(0.0f64, |a, b| a.max(b.abs())), r.energy.monitor_sum, r.energy.end);
        let _ = &mut prev;
      }
      // iteration histogram
      for tol in ["1e-6", "1e-9"] {
      let mm = format!("subsystem.node.mass={mass}"); let tt = format!("master.tolerance={tol}");
      let model = Run::model("droop-stop-nonlinear/model.toml", &[&mm, &tt]);
      let mut m = model.build().unwrap();
      let mut hist = [0; 12];
      for _ in 0..1900 { let s = m.step(1e-3).unwrap(); if s.parts == 1 { hist[s.iterations.min(11) as usize] += 1; } else { println!("parts {} its {}", s.parts, s.iterations); } }
      println!("{mass} {tol} hist {hist:?}");
      }
    }
    let _ = ControlFlow::<()>::Continue(()); let _ = NoObserver;
}
