//! Who gets what a server offers.

use std::thread::spawn;
use std::time::Duration;

use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{Subsystem, SubsystemError};
use cosimo_transport::{Key, Offering, Remote, Server, TcpSubsystem};

use super::threaded::step;

/// Two masses for those who ask for them.
struct Masses;

impl Offering for Masses {
    fn check(&self, assignment: &[u8]) -> Result<(), SubsystemError> {
        let action = "be another one".into();
        let refused = SubsystemError::Unsupported { subsystem: "masses".to_owned(), action };
        if assignment == b"masses" { Ok(()) } else { Err(refused) }
    }

    fn make(&self, _: &[u8]) -> Result<Box<dyn Subsystem>, SubsystemError> {
        Ok(Box::new(TwoMasses::default()))
    }
}

#[test]
fn who_is_refused_takes_nobodys_place() {
    let server = Server::bind("127.0.0.1:0", Key::NONE).unwrap();
    let address = server.address().to_string();
    spawn(move || server.serve_checked(Masses));
    let ask = |assignment: &[u8]| -> Result<TcpSubsystem, SubsystemError> {
        let remote = Remote::new("masses", &address).deadline(Duration::from_secs(10));
        remote.assignment(assignment.to_vec()).connect()
    };
    let mut first = ask(b"masses").unwrap();
    for index in 0..3 {
        first.begin(step(index), &[0.0; 3]).unwrap();
        let refused = ask(b"others").unwrap_err();
        assert!(matches!(&refused, SubsystemError::Unsupported { .. }), "{refused}");
        first.commit(&super::threaded::loads(index)).unwrap();
    }
    let mut second = ask(b"masses").unwrap();
    second.begin(step(0), &[0.0; 3]).unwrap();
    let error = first.begin(step(3), &[0.0; 3]).map(drop).unwrap_err();
    assert!(matches!(error, SubsystemError::Disconnected { .. }), "{error}");
}
