//! A server that comes back is found again, and brought to where it was.

use std::time::Duration;

use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{Subsystem, SubsystemError};
use cosimo_transport::OnLoss;

use super::{KEY, PATIENCE, Served, endpoint, network, remote, step, take_step};

#[test]
fn a_server_that_was_dropped_and_came_back_gives_the_same_bits() {
    let endpoint = endpoint();
    let (mut served, network) = (Served::masses(&endpoint), network(&endpoint));
    let mut near = TwoMasses::default();
    let resuming = network.remote("masses", KEY).deadline(PATIENCE).on_loss(OnLoss::Resume(PATIENCE));
    let mut far = resuming.connect().unwrap();
    for index in 0..150 {
        if index % 50 == 30 {
            drop(served);
            let endpoint = endpoint.clone();
            let starting = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(200));
                Served::masses(&endpoint)
            });
            take_step(&mut near, &mut far, index);
            served = starting.join().unwrap();
            continue;
        }
        take_step(&mut near, &mut far, index);
    }
    drop(served);
}

#[test]
fn without_patience_a_loss_is_the_end() {
    let endpoint = endpoint();
    let (served, network) = (Served::masses(&endpoint), network(&endpoint));
    let mut far = remote(&network, KEY).unwrap();
    far.begin(step(0), &[0.0; 3]).unwrap();
    drop(served);
    let error = far.evaluate(&[0.0; 3]).unwrap_err();
    assert!(matches!(error, SubsystemError::Disconnected { .. }), "{error}");
}
