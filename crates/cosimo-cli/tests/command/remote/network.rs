//! Networks that are slow, lose what they carry, or break, and strangers on them.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{sleep, spawn};
use std::time::Duration;

use super::faults::Random;
use super::*;

/// What a way between two machines does to what it carries.
#[derive(Default)]
struct Weather {
    /// Delay of every piece (ms).
    delay: AtomicU64,
    /// One of so many pieces is lost; none for zero.
    loses: AtomicU64,
    /// Whether it carries nothing: connections break, and new ones too.
    is_down: AtomicBool,
}

/// A way to an address, over an address of its own.
fn way_to(address: &str, weather: &Arc<Weather>, seed: u64) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (own, address, weather) =
        (listener.local_addr().unwrap().to_string(), address.to_owned(), weather.clone());
    spawn(move || {
        for (number, near) in (0..).zip(listener.incoming().map_while(Result::ok)) {
            let Ok(far) = TcpStream::connect(&address) else { continue };
            for (k, (from, to)) in [(&near, &far), (&far, &near)].into_iter().enumerate() {
                let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                let (weather, random) = (weather.clone(), Random(seed + 2 * number + k as u64));
                spawn(move || carry(from, to, &weather, random));
            }
        }
    });
    own
}

fn carry(mut from: TcpStream, mut to: TcpStream, weather: &Weather, mut random: Random) {
    from.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    to.set_nodelay(true).unwrap();
    let mut piece = [0; 4096];
    while !weather.is_down.load(Ordering::Relaxed) {
        let count = match from.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => continue,
            Err(_) => break,
        };
        sleep(Duration::from_millis(weather.delay.load(Ordering::Relaxed)));
        let loses = weather.loses.load(Ordering::Relaxed);
        let is_lost = loses > 0 && random.below(loses) == 0;
        if !is_lost && to.write_all(&piece[..count]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}

/// A run over ways under this weather, which somebody changes meanwhile: the same bits.
fn run_under(sets: &[&str], change: impl FnOnce(&Weather)) {
    let (scratch, model) = (Scratch::new(""), example("chain/model-4-springs.toml"));
    let whole = expected(&scratch, &model, sets);
    let stations = Stations::of(&scratch, &model, sets);
    let weather = Arc::new(Weather::default());
    let ways = stations.all.iter().zip(1..).map(|(own, seed)| way_to(&own.address, &weather, 7919 * seed));
    let ways: Vec<String> = ways.collect();
    let arguments = ["--set", "master.on_loss=resume", "--set", "master.deadline=0.5", "--out", "there"];
    let mut command = stations.command_over(&ways, &arguments);
    let master = command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
    let master = master.spawn().unwrap();
    change(&weather);
    assert_code(&master.wait_with_output().unwrap(), 0);
    assert!(outcome(&scratch.path("there")) == whole);
}

#[test]
fn a_slow_network_changes_no_bit() {
    run_under(&["time.end=0.01"], |weather| weather.delay.store(50, Ordering::Relaxed));
}

#[test]
fn a_network_that_loses_what_it_carries_changes_no_bit() {
    let sets = ["time.end=0.5", "time.step=1e-3"];
    run_under(&sets, |weather| {
        // Greetings are not to be lost all the time.
        weather.loses.store(400, Ordering::Relaxed);
    });
}

#[test]
fn a_network_that_breaks_changes_no_bit() {
    run_under(&["time.end=1.0", "time.step=2e-4"], |weather| {
        for _ in 0..3 {
            sleep(Duration::from_millis(300));
            weather.is_down.store(true, Ordering::Relaxed);
            sleep(Duration::from_millis(500));
            weather.is_down.store(false, Ordering::Relaxed);
        }
    });
}

/// `cargo test --release -p cosimo-cli --test command ten_seconds -- --ignored`
#[test]
#[ignore = "it takes some time"]
fn a_network_that_is_away_for_ten_seconds_changes_no_bit() {
    run_under(&["time.end=1.0", "time.step=2e-4"], |weather| {
        sleep(Duration::from_millis(300));
        weather.is_down.store(true, Ordering::Relaxed);
        sleep(Duration::from_secs(10));
        weather.is_down.store(false, Ordering::Relaxed);
    });
}

#[test]
fn strangers_change_no_bit() {
    let (scratch, model) = (Scratch::new(""), example("chain/model-4-springs.toml"));
    let sets = ["time.end=0.5", "time.step=2e-4"];
    let whole = expected(&scratch, &model, &sets);
    let stations = Stations::of(&scratch, &model, &sets);
    let master = stations
        .command(&["--out", "there", "--quiet"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut random = Random(0x5eed_0201);
    for k in 0..300 {
        let address = &stations.all[k % stations.all.len()].address;
        let Ok(mut stranger) = TcpStream::connect(address) else { continue };
        let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.below(256) as u8).collect();
        // Some begin as masters do.
        let hello = if k % 2 == 0 { &b"\xC0CS1"[..] } else { b"" };
        let _ = stranger.write_all(&[hello, &bytes].concat());
        sleep(Duration::from_millis(1));
    }
    assert_code(&master.wait_with_output().unwrap(), 0);
    assert!(outcome(&scratch.path("there")) == whole);
}
