//! probe
use coupling_tests::Run;
use cosimo::master::NoObserver;
#[test]
fn mismatch() {
    let m = Run::model("droop-stop/model.toml", &["subsystem.node.mass=1e-3", "time.end=0.25", "time.step=1e-3", "interface.joint={ name = \"joint\", between = [\"node.top\", \"rod.arm\"], law = \"compliant\", stiffness = 2e8 }"]);
    let mut m = m.build().unwrap();
    let mut last = (0.0, 0.0, 0.0, 0);
    for k in 1..=250 {
        let r = m.run(k as f64 * 1e-3, 1e-3, &mut NoObserver).unwrap();
        let e = r.energy;
        let now = (e.end - e.start - e.contact - e.external + e.dissipated, e.monitor_sum, e.contact, r.contact_steps);
        if (now.0 - last.0 - now.1 + last.1).abs() > 1e-12 { 
            let s = m.subsystems();
            println!("step {k}: measured {:e} monitor {:e} (interfaces {:e}, subsystems {:e}; numerical {:?}) contact {:e} closed {} node {:?} {:?} rod {:?} {:?} impacts {}", now.0 - last.0, now.1 - last.1, e.interfaces, e.subsystems, r.subsystems.iter().map(|s| s.energy_numerical).collect::<Vec<_>>(), now.2 - last.2, now.3 - last.3, s[0].rows().positions, s[0].rows().velocities, s[1].rows().positions, s[1].rows().velocities, r.impacts);
        }
        last = now;
    }
}
