//! Sockets, read and written with deadlines.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::bytes::{Bytes, Patience, SLICE};

/// How long a machine may be silent until it is taken for dead. One that is there answers to the system's own questions.
#[cfg(unix)]
const SILENCE: Duration = Duration::from_secs(4);

/// A socket whose calls wait for a slice at most.
#[derive(Debug)]
pub(crate) struct Socket(TcpStream);

impl Socket {
    pub(crate) fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SLICE))?;
        stream.set_write_timeout(Some(SLICE))?;
        #[cfg(unix)]
        ask_for_life(&stream)?;
        Ok(Self(stream))
    }
}

/// Has the system ask the other machine whether it is there.
#[cfg(unix)]
fn ask_for_life(stream: &TcpStream) -> io::Result<()> {
    use rustix::net::sockopt::{set_socket_keepalive, set_tcp_keepcnt, set_tcp_keepidle, set_tcp_keepintvl};
    let second = Duration::from_secs(1);
    set_socket_keepalive(stream, true)?;
    set_tcp_keepidle(stream, second)?;
    set_tcp_keepintvl(stream, second)?;
    set_tcp_keepcnt(stream, SILENCE.as_secs() as u32 - 1)?;
    #[cfg(target_os = "linux")]
    rustix::net::sockopt::set_tcp_user_timeout(stream, SILENCE.as_millis() as u32)?;
    Ok(())
}

/// Whether a call has waited in vain. Of a machine that is dead, unix says otherwise.
fn is_vain(error: &io::Error) -> bool {
    error.kind() == ErrorKind::WouldBlock || (cfg!(windows) && error.kind() == ErrorKind::TimedOut)
}

/// The error of a machine that is dead, which is none of a wait that was too short.
fn told(error: io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::TimedOut => io::Error::new(ErrorKind::NotConnected, "its machine does not answer"),
        _ => error,
    }
}

impl Bytes for Socket {
    fn read(&mut self, into: &mut [u8], patience: &mut Patience) -> io::Result<usize> {
        loop {
            match self.0.read(into) {
                Err(error) if is_vain(&error) => patience.spend()?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => return read.map_err(told),
            }
        }
    }

    fn write(&mut self, mut bytes: &[u8], patience: &mut Patience) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.0.write(bytes) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => bytes = &bytes[count..],
                Err(error) if is_vain(&error) => patience.spend()?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(told(error)),
            }
        }
        Ok(())
    }
}
