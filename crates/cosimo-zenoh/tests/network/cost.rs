//! What a message costs, against zenoh alone.

use std::time::{Duration, Instant};

use cosimo_subsystem::Subsystem;
use zenoh::pubsub::Publisher;
use zenoh::qos::CongestionControl;
use zenoh::{Session, Wait};

use super::{KEY, Served, endpoint, network, remote};

/// Messages in a row, and rows of each kind in turn: what else the machine does meets both.
const IN_A_ROW: usize = 100;
const ROWS: usize = 100;

/// A session of zenoh as it comes.
pub(super) fn session(listen: &str, connect: &str) -> Session {
    let mut config = zenoh::Config::default();
    for (key, value) in [
        ("scouting/multicast/enabled", "false"),
        ("scouting/gossip/enabled", "false"),
        ("listen/endpoints", listen),
        ("connect/endpoints", connect),
    ] {
        config.insert_json5(key, value).unwrap();
    }
    zenoh::open(config).wait().unwrap()
}

fn publisher(session: &Session, key: &'static str) -> Publisher<'static> {
    let publisher = session.declare_publisher(key).congestion_control(CongestionControl::Block);
    publisher.express(true).wait().unwrap()
}

/// A round trip of so many bytes, between threads that wait.
fn bare(size: usize) -> impl FnMut() {
    let at = format!(r#"["{}"]"#, endpoint());
    let (server, master) = (session(&at, "[]"), session("[]", &at));
    let (pongs, pings) = (publisher(&server, "pong"), server.declare_subscriber("ping").wait().unwrap());
    std::thread::spawn(move || {
        let _server = server;
        while pings.recv().is_ok_and(|ping| pongs.put(ping.payload().clone()).wait().is_ok()) {}
    });
    let (pings, pongs) = (publisher(&master, "ping"), master.declare_subscriber("pong").wait().unwrap());
    std::thread::sleep(Duration::from_secs(1));
    move || {
        let _master = &master;
        pings.put(vec![0; size]).wait().unwrap();
        pongs.recv().unwrap();
    }
}

/// `cargo test --release -p cosimo-zenoh --features zenoh --test network a_round_trip -- --ignored --nocapture`
#[test]
#[ignore = "it takes the time, for which the machine must be idle"]
fn a_round_trip_costs_half_as_much_again_as_a_bare_one_at_most() {
    let at = endpoint();
    let (_served, network) = (Served::masses(&at), network(&at));
    let (mut far, mut bare) = (remote(&network, KEY).unwrap(), bare(256));
    let mut times = [Vec::new(), Vec::new()];
    for row in 0..2 * ROWS {
        for _ in 0..IN_A_ROW {
            let since = Instant::now();
            if row % 2 == 0 {
                bare()
            } else {
                far.discard()
            }
            times[row % 2].push(since.elapsed());
        }
    }
    let [bare, ours] = times.map(|mut times| {
        times.sort();
        times[times.len() / 2].as_secs_f64()
    });
    let ratio = ours / bare;
    assert!(ratio <= 1.5, "{ratio:.2} times {:.0} µs", bare * 1e6);
}
