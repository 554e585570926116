//! scratch
#![allow(clippy::unwrap_used, missing_docs)]
use divan::Bencher;
use zenoh::Wait;
use zenoh::qos::CongestionControl;

fn main() {
    divan::main();
}
fn pair(port: u16) -> (zenoh::Session, zenoh::Session) {
    let make = |listen: &str, connect: &str| {
        let mut c = zenoh::Config::default();
        c.insert_json5("scouting/multicast/enabled", "false").unwrap();
        c.insert_json5("scouting/gossip/enabled", "false").unwrap();
        c.insert_json5("listen/endpoints", listen).unwrap();
        c.insert_json5("connect/endpoints", connect).unwrap();
        zenoh::open(c).wait().unwrap()
    };
    let e = format!("[\"tcp/127.0.0.1:{port}\"]");
    let s = make(&e, "[]");
    let m = make("[]", &e);
    std::thread::sleep(std::time::Duration::from_millis(500));
    (s, m)
}

#[divan::bench]
fn pubsub_callback(bencher: Bencher<'_, '_>) {
    let (s, m) = pair(21001);
    let p = s.declare_publisher("a/pong").congestion_control(CongestionControl::Block).express(true).wait().unwrap();
    let _sub = s.declare_subscriber("a/ping").callback(move |x| p.put(x.payload().clone()).wait().unwrap()).wait().unwrap();
    let sub = m.declare_subscriber("a/pong").wait().unwrap();
    let p = m.declare_publisher("a/ping").congestion_control(CongestionControl::Block).express(true).wait().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(200));
    bencher.bench_local(|| { p.put(vec![0u8; 256]).wait().unwrap(); sub.recv().unwrap() });
}
#[divan::bench]
fn pubsub_thread(bencher: Bencher<'_, '_>) {
    let (s, m) = pair(21002);
    std::thread::spawn(move || {
        let p = s.declare_publisher("a/pong").congestion_control(CongestionControl::Block).express(true).wait().unwrap();
        let sub = s.declare_subscriber("a/ping").wait().unwrap();
        while let Ok(x) = sub.recv() { if p.put(x.payload().clone()).wait().is_err() { break } }
    });
    let sub = m.declare_subscriber("a/pong").wait().unwrap();
    let p = m.declare_publisher("a/ping").congestion_control(CongestionControl::Block).express(true).wait().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(200));
    bencher.bench_local(|| { p.put(vec![0u8; 256]).wait().unwrap(); sub.recv().unwrap() });
}
#[divan::bench]
fn query_thread(bencher: Bencher<'_, '_>) {
    let (s, m) = pair(21003);
    std::thread::spawn(move || {
        let sub = s.declare_queryable("a/q").wait().unwrap();
        while let Ok(x) = sub.recv() { if x.reply("a/q", x.payload().cloned().unwrap()).congestion_control(CongestionControl::Block).express(true).wait().is_err() { break } }
    });
    std::thread::sleep(std::time::Duration::from_millis(200));
    let q = m.declare_querier("a/q").congestion_control(CongestionControl::Block).express(true).wait().unwrap();
    bencher.bench_local(|| { q.get().payload(vec![0u8; 256]).wait().unwrap().recv().unwrap() });
}
#[divan::bench]
fn query_callback(bencher: Bencher<'_, '_>) {
    let (s, m) = pair(21004);
    let _q = s.declare_queryable("a/q").callback(|x| { let p = x.payload().cloned().unwrap(); x.reply("a/q", p).congestion_control(CongestionControl::Block).express(true).wait().unwrap() }).wait().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(200));
    let q = m.declare_querier("a/q").congestion_control(CongestionControl::Block).express(true).wait().unwrap();
    bencher.bench_local(|| { q.get().payload(vec![0u8; 256]).wait().unwrap().recv().unwrap() });
}
