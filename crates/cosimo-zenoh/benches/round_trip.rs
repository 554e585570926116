//! What a message costs over a network: a round trip of ours against a bare one of zenoh of the same size, in the same run, over TCP on the
//! loopback address.
//!
//! Bare round trips are made by publications, as ours are, and by queries with replies. Both ends have a thread that waits for messages, or
//! the server answers where zenoh delivers, which a subsystem must not: it would hold up the network while it computes.

#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use std::net::TcpListener;
use std::time::Duration;

use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};
use cosimo_zenoh::{Network, Settings, ZenohSubsystem};
use divan::Bencher;
use zenoh::pubsub::Publisher;
use zenoh::qos::CongestionControl;
use zenoh::{Session, Wait};

fn main() {
    divan::main();
}

/// Bytes of a message: about those of a small subsystem.
const SIZE: usize = 256;

fn endpoint() -> String {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).unwrap().port();
    format!("tcp/127.0.0.1:{port}")
}

/// Two masses at the other end.
fn masses() -> ZenohSubsystem {
    let at = endpoint();
    let server = Network::open(&Settings::new().listen(&at)).unwrap();
    std::thread::spawn(move || server.offer("plant/masses", |_| Ok(Box::new(TwoMasses::default()))));
    let network = Network::open(&Settings::new().connect(&at)).unwrap();
    network.remote("masses", "plant/masses").connect().unwrap()
}

/// The shortest call there is: one round trip.
#[divan::bench]
fn round_trip(bencher: Bencher<'_, '_>) {
    let mut subsystem = masses();
    bencher.bench_local(|| subsystem.discard());
}

/// Two calls: two round trips.
#[divan::bench]
fn step(bencher: Bencher<'_, '_>) {
    let (mut subsystem, loads) = (masses(), StepLoads::zeros(3));
    bencher.bench_local(|| {
        subsystem.begin(MacroStep { time: 0.0, size: 1e-3 }, &[0.0; 3]).unwrap();
        subsystem.commit(&loads).unwrap();
    });
}

/// The sessions of a server and a master.
fn sessions() -> [Session; 2] {
    let at = format!(r#"["{}"]"#, endpoint());
    let sessions = [(&at[..], "[]"), ("[]", &at[..])].map(|(listen, connect)| {
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
    });
    // Until they are connected, and know of each other's declarations.
    std::thread::sleep(Duration::from_millis(500));
    sessions
}

fn publisher(session: &Session, key: &'static str) -> Publisher<'static> {
    let publisher = session.declare_publisher(key).congestion_control(CongestionControl::Block);
    publisher.express(true).wait().unwrap()
}

fn ping(bencher: Bencher<'_, '_>, master: &Session) {
    let (pings, pongs) = (publisher(master, "ping"), master.declare_subscriber("pong").wait().unwrap());
    std::thread::sleep(Duration::from_millis(200));
    bencher.bench_local(|| {
        pings.put(vec![0; SIZE]).wait().unwrap();
        pongs.recv().unwrap()
    });
}

/// The server answers in a thread that waits.
#[divan::bench]
fn bare_publications(bencher: Bencher<'_, '_>) {
    let [server, master] = sessions();
    std::thread::spawn(move || {
        let (pongs, pings) = (publisher(&server, "pong"), server.declare_subscriber("ping").wait().unwrap());
        while pings.recv().is_ok_and(|ping| pongs.put(ping.payload().clone()).wait().is_ok()) {}
    });
    ping(bencher, &master);
}

/// The server answers where zenoh delivers.
#[divan::bench]
fn bare_publications_answered_at_once(bencher: Bencher<'_, '_>) {
    let [server, master] = sessions();
    let pongs = publisher(&server, "pong");
    let answer = move |ping: zenoh::sample::Sample| pongs.put(ping.payload().clone()).wait().unwrap();
    let _pings = server.declare_subscriber("ping").callback(answer).wait().unwrap();
    ping(bencher, &master);
}

/// The server answers in a thread that waits.
#[divan::bench]
fn bare_queries(bencher: Bencher<'_, '_>) {
    let [server, master] = sessions();
    std::thread::spawn(move || {
        let queries = server.declare_queryable("ping").wait().unwrap();
        while queries
            .recv()
            .is_ok_and(|query| query.reply("ping", vec![0; SIZE]).express(true).wait().is_ok())
        {}
    });
    std::thread::sleep(Duration::from_millis(500));
    let querier = master.declare_querier("ping").congestion_control(CongestionControl::Block).express(true);
    let querier = querier.wait().unwrap();
    bencher.bench_local(|| querier.get().payload(vec![0; SIZE]).wait().unwrap().recv().unwrap());
}
