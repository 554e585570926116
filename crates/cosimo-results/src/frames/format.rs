//! The bytes of a frame.
//!
//! A record, little-endian, one behind the other without a header:
//!
//! | what | type |
//! |---|---|
//! | time (s) | f64 |
//! | energies (J), see [`FrameEnergy`] | 5 × f64 |
//! | of every body of the scene: position (m); quaternion `w, x, y, z` | 3 × f64; 4 × f32 |
//! | number of contacts that carry load | u32 |
//! | of each: its number; point (m), force (N) | u32; 6 × f32 |

use cosimo_master::FrameRecord;
use cosimo_subsystem::scene::{ContactForce, Frame, Pose, Sight};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::energy::FrameEnergy;
use super::frame::RecordedFrame;

/// Appends the bytes of a frame.
pub(crate) fn encode(record: &FrameRecord<'_>, out: &mut Vec<u8>) {
    let mut number = |x: f64| out.extend_from_slice(&x.to_le_bytes());
    number(record.time);
    FrameEnergy::from(record.energy).numbers().into_iter().for_each(&mut number);
    for pose in &record.sight.poses {
        pose.position.iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes()));
        let q = pose.orientation;
        [q.w, q.i, q.j, q.k].iter().for_each(|x| out.extend_from_slice(&(*x as f32).to_le_bytes()));
    }
    out.extend_from_slice(&(record.sight.forces.len() as u32).to_le_bytes());
    for ContactForce { contact, point, force } in &record.sight.forces {
        out.extend_from_slice(&contact.to_le_bytes());
        point.iter().chain(force.iter()).for_each(|x| out.extend_from_slice(&(*x as f32).to_le_bytes()));
    }
}

/// Takes a frame of so many bodies from the front of these bytes; `None` where they end before it does.
pub(crate) fn decode(bytes: &mut &[u8], bodies: usize) -> Option<RecordedFrame> {
    let time = double(bytes)?;
    let mut energies = [0.0; 5];
    for energy in &mut energies {
        *energy = double(bytes)?;
    }
    let mut sight = Sight::default();
    for _ in 0..bodies {
        let position = Vector3::new(double(bytes)?, double(bytes)?, double(bytes)?);
        let turn = Quaternion::new(single(bytes)?, single(bytes)?, single(bytes)?, single(bytes)?);
        sight.poses.push(Pose { position, orientation: UnitQuaternion::new_normalize(turn) });
    }
    for _ in 0..u32::from_le_bytes(take(bytes)?) {
        let contact = u32::from_le_bytes(take(bytes)?);
        let point = Vector3::new(single(bytes)?, single(bytes)?, single(bytes)?);
        let force = Vector3::new(single(bytes)?, single(bytes)?, single(bytes)?);
        sight.forces.push(ContactForce { contact, point, force });
    }
    Some(RecordedFrame { frame: Frame { time, sight }, energy: FrameEnergy::from_numbers(energies) })
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (own, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*own)
}

fn double(bytes: &mut &[u8]) -> Option<f64> {
    take(bytes).map(f64::from_le_bytes)
}

fn single(bytes: &mut &[u8]) -> Option<f64> {
    take(bytes).map(|bytes| f32::from_le_bytes(bytes).into())
}
