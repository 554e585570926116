//! What strangers publish under the keys of a conversation changes nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cosimo_subsystem::Subsystem;
use cosimo_subsystem::conformance::TwoMasses;
use cosimo_transport::{Channel, ChannelSubsystem, TransportError};
use cosimo_zenoh::{Network, ZenohChannel};
use zenoh::qos::CongestionControl;
use zenoh::{Session, Wait};

use super::cost::session;
use super::{KEY, PATIENCE, Served, endpoint, settings, take_step};

/// Numbers by chance that are the same in every run.
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next(256) as u8).collect()
    }

    /// Bytes by chance; some begin as a message does, some are the first message of a session that none has opened, but damaged, and some were
    /// heard before.
    fn message(&mut self, heard: &[Vec<u8>]) -> Vec<u8> {
        let count = self.next(300);
        let mut message = self.bytes(count);
        match self.next(4) {
            0 => {}
            1 => message.splice(0..4.min(count), [0xC0, b'Z', b'N', 1]).for_each(drop),
            2 => {
                message.splice(0..5.min(count), [0xC0, b'Z', b'N', 1, self.next(4) as u8]).for_each(drop);
                if count >= 29 {
                    message[21..29].fill(0);
                }
            }
            _ => message = heard.get(self.next(heard.len())).cloned().unwrap_or(message),
        }
        message
    }
}

/// Keys under which there are tokens: of the server, of its master. None as long as one of them is missing.
fn tokens(stranger: &Session) -> Option<[String; 2]> {
    let replies = stranger.liveliness().get(format!("{KEY}/@cosimo/**")).wait().unwrap();
    let found =
        replies.iter().filter_map(|reply| reply.result().ok().map(|token| token.key_expr().to_string()));
    let mut found: Vec<String> = found.collect();
    found.sort();
    found.try_into().ok()
}

/// Publishes ten thousand messages under all keys of the conversation.
fn disturb(stranger: &Session, heard: &Mutex<Vec<Vec<u8>>>) {
    let [server, master] = std::iter::repeat_with(|| {
        std::thread::sleep(Duration::from_millis(20));
        tokens(stranger)
    })
    .take(500)
    .find_map(|found| found)
    .unwrap();
    let keys = [format!("{master}/questions"), format!("{master}/answers"), server, master];
    let mut chance = Chance(3);
    for index in 0..10_000_usize {
        let message = chance.message(&heard.lock().unwrap());
        let key = &keys[chance.next(keys.len())];
        let published = match index % 50 {
            0 => stranger.delete(key).congestion_control(CongestionControl::Block).wait(),
            _ => stranger.put(key, message).congestion_control(CongestionControl::Block).wait(),
        };
        published.unwrap();
    }
}

/// A channel that tells how many strays have come.
struct Counting(ZenohChannel, Arc<Mutex<u64>>);

impl Channel for Counting {
    fn send(&mut self, message: &[u8], deadline: Duration) -> Result<(), TransportError> {
        self.0.send(message, deadline)
    }

    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError> {
        self.0.receive(message, deadline)?;
        *self.1.lock().unwrap() = self.0.strays();
        Ok(())
    }
}

#[test]
fn ten_thousand_strange_messages_change_nothing() {
    let [at, of_master] = [endpoint(), endpoint()];
    let (_served, network) =
        (Served::masses(&at), Network::open(&settings().connect(&at).listen(&of_master)).unwrap());
    let (channel, strays) = (network.channel(KEY, PATIENCE).unwrap(), Arc::new(Mutex::new(0)));
    let channel = Counting(channel, Arc::clone(&strays));
    let mut far = ChannelSubsystem::over_channel("masses", channel, PATIENCE).unwrap();

    let heard = Arc::new(Mutex::new(Vec::new()));
    // Connected to both ends of the conversation.
    let stranger = session("[]", &format!(r#"["{at}","{of_master}"]"#));
    let hearing = Arc::clone(&heard);
    let _ear = stranger
        .declare_subscriber(format!("{KEY}/@cosimo/**"))
        .callback(move |sample| {
            let mut heard = hearing.lock().unwrap();
            if heard.len() < 200 {
                heard.push(sample.payload().to_bytes().into_owned());
            }
        })
        .wait()
        .unwrap();
    let is_over = Arc::new(AtomicBool::new(false));
    let ending = Arc::clone(&is_over);
    let disturbing = std::thread::spawn(move || {
        disturb(&stranger, &heard);
        ending.store(true, Ordering::Release);
    });

    let mut near = TwoMasses::default();
    let mut index = 0;
    while !is_over.load(Ordering::Acquire) && !disturbing.is_finished() || index < 300 {
        take_step(&mut near, &mut far, index);
        index += 1;
    }
    disturbing.join().unwrap();
    take_step(&mut near, &mut far, index);
    assert!(*strays.lock().unwrap() > 1000, "the stranger was not heard");
    assert_eq!(far.statistics().steps, u64::from(index) + 1);
}
