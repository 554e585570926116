//! What may be offered, where, and to whom.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{Subsystem, SubsystemError, pass_on};
use cosimo_transport::Offering;
use cosimo_zenoh::{Network, NetworkError, Settings};

use super::{KEY, Served, endpoint, network, remote, settings, step, take_step};

#[test]
fn without_certificates_other_machines_cannot_connect() {
    for endpoint in ["tcp/0.0.0.0:7447", "tcp/[::]:7447", "tcp/192.0.2.1:7447", "tls/0.0.0.0:7447"] {
        let error = Network::open(&Settings::new().listen(endpoint)).unwrap_err();
        let text =
            format!("without certificates it listens on the loopback address only, not at `{endpoint}`");
        assert!(error.to_string().starts_with(&text), "{error}");
        assert!(matches!(error, NetworkError::Unprotected { .. }));
    }
    let network = Network::open(&Settings::new().connect("tcp/192.0.2.1:7447")).unwrap();
    let error = network.offer(KEY, |_| Ok(Box::new(TwoMasses::default()))).unwrap_err();
    assert!(matches!(error, NetworkError::OfferUnprotected { .. }), "{error}");
}

#[test]
fn a_file_leaves_to_the_settings_what_is_theirs() {
    let folder = tempfile::tempdir().unwrap();
    let open = |text: &str| {
        let path = folder.path().join("zenoh.json5");
        std::fs::write(&path, text).unwrap();
        Network::open(&settings().file(path)).map(drop)
    };
    open("{ /* nothing */ }").unwrap();
    open("{ scouting: { multicast: { enabled: false } } }").unwrap();
    for (text, why) in [
        (r#"{ listen: { endpoints: ["tcp/0.0.0.0:7447"] } }"#, "`listen/endpoints`"),
        (r#"{ connect: { endpoints: ["tcp/192.0.2.1:7447"] } }"#, "`connect/endpoints`"),
        (r#"{ mode: "router" }"#, "`mode`"),
        ("{ scouting: { multicast: { enabled: true } } }", "`scouting/multicast/enabled`"),
        ("{ scouting: { gossip: { enabled: true } } }", "`scouting/gossip/enabled`"),
        ("{ no_such_key: 1 }", "no_such_key"),
        ("{", "configuration"),
    ] {
        let error = open(text).unwrap_err();
        assert!(matches!(error, NetworkError::File { .. }), "{error}");
        assert!(error.to_string().contains(why), "{error}");
    }
    let error = Network::open(&settings().file(folder.path().join("none.json5"))).unwrap_err();
    assert!(error.to_string().contains("none.json5"), "{error}");
}

#[test]
fn an_endpoint_that_is_taken_is_an_error() {
    let endpoint = endpoint();
    let _served = Served::at(&endpoint);
    let error = Network::open(&settings().listen(&endpoint)).unwrap_err();
    assert!(matches!(error, NetworkError::Refused { .. }), "{error}");
}

#[test]
fn offers_have_plain_names() {
    let served = Served::at(&endpoint());
    let error = served.0.offer("plant/*", |_| Ok(Box::new(TwoMasses::default()))).unwrap_err();
    assert!(error.to_string().contains("wildcards"), "{error}");
    let error = remote(&served.0, "plant/**").unwrap_err();
    assert!(error.to_string().contains("wildcards"), "{error}");
}

#[test]
fn a_new_master_takes_the_place_of_the_one_before() {
    let endpoint = endpoint();
    let (_served, network) = (Served::masses(&endpoint), network(&endpoint));
    let mut first = remote(&network, KEY).unwrap();
    first.begin(step(0), &[0.0; 3]).unwrap();
    let mut second = remote(&network, KEY).unwrap();
    second.begin(step(0), &[0.0; 3]).unwrap();
    let error = first.evaluate(&[0.0; 3]).unwrap_err();
    assert!(matches!(error, SubsystemError::Disconnected { .. }), "{error}");
    second.evaluate(&[0.0; 3]).unwrap();
}

/// Tells that it was dropped.
struct Telling(TwoMasses, Arc<AtomicUsize>);

impl Drop for Telling {
    fn drop(&mut self) {
        self.1.fetch_add(1, Ordering::Release);
    }
}

impl Subsystem for Telling {
    pass_on!(0: description, rows, energy, begin, evaluate, commit, observe, save, restore, statistics, discard);
}

#[test]
fn a_master_that_leaves_is_let_go() {
    let endpoint = endpoint();
    let (served, dropped) = (Served::at(&endpoint), Arc::new(AtomicUsize::new(0)));
    let telling = Arc::clone(&dropped);
    served.offer(KEY, move || Telling(TwoMasses::default(), Arc::clone(&telling)));
    let wait_for = |count| {
        let has_come = (0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            dropped.load(Ordering::Acquire) == count
        });
        assert!(has_come);
    };
    let network = network(&endpoint);
    drop(remote(&network, KEY).unwrap());
    wait_for(1);
    let mut far = remote(&network, KEY).unwrap();
    network.close().unwrap();
    wait_for(2);
    let error = far.begin(step(0), &[0.0; 3]).unwrap_err();
    assert!(matches!(error, SubsystemError::Disconnected { .. }), "{error}");
}

#[test]
fn of_two_servers_none_is_taken() {
    let endpoint = endpoint();
    let (served, network) = (Served::masses(&endpoint), network(&endpoint));
    drop(remote(&network, KEY).unwrap());
    served.offer(KEY, TwoMasses::default);
    let found = (0..200).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        remote(&network, KEY).err()
    });
    assert_eq!(
        found.unwrap().to_string(),
        "subsystem `masses`: `plant/masses`: 2 servers offer it: only one may"
    );
}

#[test]
fn a_master_may_have_several_servers_and_be_the_one_that_listens() {
    let [first, second] = [endpoint(), endpoint()];
    let served = Served::at(&first);
    served.offer("plant/a", TwoMasses::default);
    let network = Network::open(&settings().connect(&first).listen(&second)).unwrap();
    let other = Network::open(&settings().connect(&second)).unwrap();
    let offering = other.clone();
    std::thread::spawn(move || offering.offer("plant/b", |_| Ok(Box::new(TwoMasses::default()))));
    let mut far = ["plant/a", "plant/b"].map(|key| remote(&network, key).unwrap());
    let mut near = [TwoMasses::default(), TwoMasses::default()];
    for index in 0..20 {
        near.iter_mut().zip(&mut far).for_each(|(near, far)| take_step(near, far, index));
    }
    other.close().unwrap();
}

#[test]
fn an_assignment_makes_the_subsystem_and_its_error_comes_back() {
    let endpoint = endpoint();
    let (served, network) = (Served::at(&endpoint), network(&endpoint));
    let offering = served.0.clone();
    std::thread::spawn(move || {
        offering.offer(KEY, |assignment| match assignment {
            b"masses" => Ok(Box::new(TwoMasses::default())),
            other => {
                let action = format!("be made of {} bytes", other.len());
                Err(SubsystemError::Unsupported { subsystem: "masses".into(), action: action.into() })
            }
        })
    });
    let assigned = |assignment: &[u8]| {
        network.remote("masses", KEY).deadline(super::PATIENCE).assignment(assignment.to_vec()).connect()
    };
    assert!(matches!(assigned(b"other").unwrap_err(), SubsystemError::Unsupported { .. }));
    assigned(b"masses").unwrap();
}

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
    let endpoint = endpoint();
    let (served, network) = (Served::at(&endpoint), network(&endpoint));
    let offering = served.0.clone();
    std::thread::spawn(move || offering.offer_checked(KEY, Masses));
    let ask = |assignment: &[u8]| {
        network.remote("masses", KEY).deadline(super::PATIENCE).assignment(assignment.to_vec()).connect()
    };
    let mut first = ask(b"masses").unwrap();
    let mut near = TwoMasses::default();
    for index in 0..100 {
        let refused = ask(b"others").unwrap_err();
        assert!(matches!(&refused, SubsystemError::Unsupported { .. }), "{refused}");
        take_step(&mut near, &mut first, index);
    }
    ask(b"masses").unwrap();
    let error = first.begin(step(100), &[0.0; 3]).map(drop).unwrap_err();
    assert!(matches!(error, SubsystemError::Disconnected { .. }), "{error}");
}
