//! Both ends greet and show their keys as the description says: the other end is written here after it, with BLAKE2b alone.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::spawn;
use std::time::Duration;

use blake2::digest::consts::{U16, U32};
use blake2::digest::{Digest, KeyInit, Mac, Output};
use blake2::{Blake2b, Blake2bMac};
use cosimo_subsystem::Subsystem;
use cosimo_transport::{Key, Remote, Server};

use super::examples::Governor;
use super::{blocks, hex};

const MARK: &[u8] = b"\xC0CS1";
const SECRET: &[u8] = b"correct horse battery staple";

/// BLAKE2b with a key, over these parts one behind the other.
fn keyed<M: Mac + KeyInit>(key: &[u8], parts: &[&[u8]]) -> Output<M> {
    let mut mac = <M as KeyInit>::new_from_slice(key).unwrap();
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes()
}

fn proof(key: &[u8], label: &str, numbers: [&[u8]; 2]) -> Vec<u8> {
    keyed::<Blake2bMac<U32>>(key, &[label.as_bytes(), numbers[0], numbers[1]]).to_vec()
}

/// A message in its frame, as the one after so many.
fn frame(key: &[u8], count: u64, message: &[u8]) -> Vec<u8> {
    let check = keyed::<Blake2bMac<U16>>(key, &[&count.to_le_bytes(), message]);
    [&u32::try_from(message.len()).unwrap().to_le_bytes(), message, &check[..]].concat()
}

fn read(stream: &mut impl Read, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    stream.read_exact(&mut bytes).unwrap();
    bytes
}

fn key() -> Vec<u8> {
    Blake2b::<U32>::digest(SECRET).to_vec()
}

/// The numbers of both ends, and without a key, then with this one, what crosses up to the greeting.
#[test]
fn proofs_are_those_of_the_description() {
    let numbers: Vec<u8> = (0..64).collect();
    let (master, server) = numbers.split_at(32);
    let of_key = |key: &[u8]| {
        let of = |label| proof(key, label, [master, server]);
        let answer = [MARK, server, &of("server")].concat();
        let greeting = &blocks("A conversation with a controller")[0];
        [[MARK, master].concat(), answer, of("master"), frame(&of("from master"), 0, greeting)]
    };
    let expected = of_key(&[0; 32]).into_iter().chain([key()]).chain(of_key(&key()));
    let hex_of = |all: Vec<Vec<u8>>| all.iter().map(|own| hex(own)).collect::<Vec<_>>();
    assert_eq!(hex_of(blocks("The stream").into()), hex_of(expected.collect()));
}

/// A master after the description, at a server with this key.
fn speak_as_master(mut stream: impl Read + Write, key: &[u8]) {
    let own = [7; 32];
    stream.write_all(&[MARK, &own].concat()).unwrap();
    let hello = read(&mut stream, 36);
    assert_eq!(hello[..4], *MARK);
    let of = |label| proof(key, label, [&own, &hello[4..]]);
    assert_eq!(read(&mut stream, 32), of("server"));
    stream.write_all(&of("master")).unwrap();
    let mut conversation = blocks("A conversation with a controller");
    for count in 0..2 {
        let request = conversation.pop_front().unwrap();
        stream.write_all(&frame(&of("from master"), count, &request)).unwrap();
        let length = u32::from_le_bytes(read(&mut stream, 4).try_into().unwrap());
        let answer = read(&mut stream, length as usize);
        let check = keyed::<Blake2bMac<U16>>(&of("from server"), &[&count.to_le_bytes(), &answer]);
        assert_eq!(read(&mut stream, 16), check.to_vec());
        let described = conversation.pop_front().unwrap();
        assert!(count > 0 || answer == described, "{}", hex(&answer));
    }
    // Far more than its description allows: it does not wait for that.
    stream.write_all(&200_000_000_u32.to_le_bytes()).unwrap();
    assert_eq!(stream.read(&mut [0]).unwrap(), 0);
}

#[test]
fn a_master_after_the_description_is_understood() {
    for (own, bytes) in [(Key::NONE, vec![0; 32]), (Key::new(SECRET).unwrap(), key())] {
        let server = Server::bind("127.0.0.1:0", own).unwrap();
        let address = server.address();
        spawn(move || server.serve(|_| Ok(Box::new(Governor::default()))));
        speak_as_master(TcpStream::connect(address).unwrap(), &bytes);
    }
}

/// A server after the description, which says what stands there.
fn speak_as_server(mut stream: impl Read + Write, key: &[u8]) {
    let own = [9; 32];
    let hello = read(&mut stream, 36);
    assert_eq!(hello[..4], *MARK);
    let of = |label| proof(key, label, [&hello[4..], &own]);
    stream.write_all(&[MARK, &own, &of("server")].concat()).unwrap();
    assert_eq!(read(&mut stream, 32), of("master"));
    let mut conversation = blocks("A conversation with a controller");
    for count in 0..2 {
        let expected = frame(&of("from master"), count, &conversation.pop_front().unwrap());
        assert_eq!(hex(&read(&mut stream, expected.len())), hex(&expected));
        stream.write_all(&frame(&of("from server"), count, &conversation.pop_front().unwrap())).unwrap();
    }
}

#[test]
fn a_server_after_the_description_is_understood() {
    for (own, bytes) in [(Key::NONE, vec![0; 32]), (Key::new(SECRET).unwrap(), key())] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = spawn(move || speak_as_server(listener.accept().unwrap().0, &bytes));
        let remote = Remote::new("governor", &address).key(own).deadline(Duration::from_secs(10));
        let governor = remote.connect().unwrap();
        let mut torque = [0.0];
        governor.outputs(&[4.0], &mut torque).unwrap();
        assert_eq!(torque, [48.0]);
        server.join().unwrap();
    }
}
