//! What a unit may change in this process although it should not.
#![allow(unsafe_code, reason = "signal handlers and the locale are asked of the C library")]

use super::registers::FloatControl;
use std::ffi::{CStr, CString, OsStr, c_int};
use std::fmt;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// A change that a unit made to the process it runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The current directory; undone.
    Directory {
        /// Where the unit went.
        to: PathBuf,
    },
    /// Rounding, denormals or traps of floating point; undone.
    FloatingPoint,
    /// The locale of the C library; undone.
    Locale {
        /// What the unit chose.
        to: String,
    },
    /// The handler of a signal. Undone for the signals by which this process is told to end; the handlers of faults are
    /// left, since the runtimes of managed languages (as Java) in a unit rely on theirs.
    SignalHandler {
        /// The name of the signal.
        signal: &'static str,
        /// Whether it was undone.
        undone: bool,
    },
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory { to } => write!(f, "the current directory (to {}; undone)", to.display()),
            Self::FloatingPoint => write!(f, "the rounding, denormals or traps of floating point (undone)"),
            Self::Locale { to } => write!(f, "the locale (to {to}; undone)"),
            Self::SignalHandler { signal, undone: true } => write!(f, "the handler of {signal} (undone)"),
            Self::SignalHandler { signal, undone: false } => write!(f, "the handler of {signal} (left)"),
        }
    }
}

/// The signals watched, and whether their handlers are put back.
const SIGNALS: [(c_int, &str, bool); 13] = [
    (libc::SIGINT, "SIGINT", true),
    (libc::SIGTERM, "SIGTERM", true),
    (libc::SIGQUIT, "SIGQUIT", true),
    (libc::SIGHUP, "SIGHUP", true),
    (libc::SIGPIPE, "SIGPIPE", true),
    (libc::SIGCHLD, "SIGCHLD", true),
    (libc::SIGALRM, "SIGALRM", true),
    (libc::SIGABRT, "SIGABRT", false),
    (libc::SIGSEGV, "SIGSEGV", false),
    (libc::SIGBUS, "SIGBUS", false),
    (libc::SIGILL, "SIGILL", false),
    (libc::SIGFPE, "SIGFPE", false),
    (libc::SIGTRAP, "SIGTRAP", false),
];

/// Flags of handlers that a program chooses; the C library sets another one where a handler is put back.
const FLAGS: c_int = libc::SA_NOCLDSTOP
    | libc::SA_NOCLDWAIT
    | libc::SA_NODEFER
    | libc::SA_ONSTACK
    | libc::SA_RESETHAND
    | libc::SA_RESTART
    | libc::SA_SIGINFO;

/// What of the process a unit should leave alone. Memory is used again: looks between steps allocate nothing after the first.
struct Surroundings {
    /// The current directory, and the locale; empty where they are unknown.
    directory: Vec<u8>,
    locale: Vec<u8>,
    handlers: [Option<libc::sigaction>; SIGNALS.len()],
}

impl Surroundings {
    const UNKNOWN: Self = Self { directory: Vec::new(), locale: Vec::new(), handlers: [None; SIGNALS.len()] };

    fn look(&mut self) {
        read_directory(&mut self.directory);
        read_locale(&mut self.locale);
        self.handlers = SIGNALS.map(|(signal, ..)| handler(signal));
    }
}

/// The surroundings before the call that is watched, and after it.
struct Watched {
    before: Surroundings,
    now: Surroundings,
    /// Whether the former are those that the process keeps, whatever call is watched.
    are_kept: bool,
}

/// Calls that are watched happen one at a time in the process, so that a change is blamed on the unit that made it.
static WATCHED: Mutex<Watched> =
    Mutex::new(Watched { before: Surroundings::UNKNOWN, now: Surroundings::UNKNOWN, are_kept: false });

/// Says that this process keeps its present directory, locale and handlers of signals. What differs from them when a unit is watched next
/// is then the doing of a unit, also where it happened between the calls that are watched, and is undone.
///
/// For programs that own their process, as the command does. In others, only what changes during a watched call is known to be a unit's.
pub fn keep_process() {
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    watched.before.look();
    watched.are_kept = true;
}

/// The process before a call that may take long; [`finish`](Self::finish) compares.
pub(super) struct Guard {
    floats: FloatControl,
    watched: MutexGuard<'static, Watched>,
}

impl Guard {
    pub(super) fn begin() -> Self {
        Self::of(WATCHED.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The same where no other call is watched at present.
    pub(super) fn try_begin() -> Option<Self> {
        match WATCHED.try_lock() {
            Ok(watched) => Some(Self::of(watched)),
            Err(TryLockError::Poisoned(poisoned)) => Some(Self::of(poisoned.into_inner())),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    fn of(mut watched: MutexGuard<'static, Watched>) -> Self {
        if !watched.are_kept {
            watched.before.look();
        }
        Self { floats: FloatControl::read(), watched }
    }

    /// What has changed since, in order of the fields; undone where that is safe.
    pub(super) fn finish(mut self) -> Vec<Change> {
        let mut changes = Vec::new();
        if FloatControl::read() != self.floats {
            self.floats.write();
            changes.push(Change::FloatingPoint);
        }
        let Watched { before, now, .. } = &mut *self.watched;
        now.look();
        compare_directory(&before.directory, &now.directory, &mut changes);
        compare_locale(&before.locale, &now.locale, &mut changes);
        compare_handlers(&mut before.handlers, &now.handlers, &mut changes);
        changes
    }
}

fn compare_directory(before: &[u8], now: &[u8], changes: &mut Vec<Change>) {
    if now == before {
        return;
    }
    let path = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
    if !before.is_empty()
        && let Err(error) = std::env::set_current_dir(path(before))
    {
        tracing::error!("the current directory cannot be put back to {}: {error}", path(before).display());
    }
    changes.push(Change::Directory { to: path(now) });
}

fn compare_locale(before: &[u8], now: &[u8], changes: &mut Vec<Change>) {
    if now == before {
        return;
    }
    if let (false, Ok(before)) = (before.is_empty(), CString::new(before)) {
        // SAFETY: the text is one that the C library gave; calls that change it are made one at a time.
        unsafe { libc::setlocale(libc::LC_ALL, before.as_ptr()) };
    }
    changes.push(Change::Locale { to: String::from_utf8_lossy(now).into_owned() });
}

/// Handlers that are left are told once: they are those of the process from now on.
fn compare_handlers(
    before: &mut [Option<libc::sigaction>],
    now: &[Option<libc::sigaction>],
    changes: &mut Vec<Change>,
) {
    for (((signal, name, undone), before), now) in SIGNALS.into_iter().zip(before).zip(now) {
        let (Some(old), Some(new)) = (*before, *now) else { continue };
        if (new.sa_sigaction, new.sa_flags & FLAGS) == (old.sa_sigaction, old.sa_flags & FLAGS) {
            continue;
        }
        if undone {
            // SAFETY: the handler is the one that was in force before.
            unsafe { libc::sigaction(signal, &raw const old, std::ptr::null_mut()) };
        } else {
            *before = Some(new);
        }
        changes.push(Change::SignalHandler { signal: name, undone });
    }
}

fn read_directory(out: &mut Vec<u8>) {
    /// Longest path (bytes).
    const LONGEST: usize = 4096;
    out.resize(LONGEST, 0);
    // SAFETY: the list is as long as is said.
    let found = unsafe { libc::getcwd(out.as_mut_ptr().cast(), out.len()) };
    let end = out.iter().position(|byte| *byte == 0).filter(|_| !found.is_null());
    out.truncate(end.unwrap_or(0));
}

fn read_locale(out: &mut Vec<u8>) {
    out.clear();
    // SAFETY: with null the locale is only asked for; the answer is copied before another call can change it.
    unsafe {
        let name = libc::setlocale(libc::LC_ALL, std::ptr::null());
        if !name.is_null() {
            out.extend_from_slice(CStr::from_ptr(name).to_bytes());
        }
    }
}

fn handler(signal: c_int) -> Option<libc::sigaction> {
    let mut found = MaybeUninit::uninit();
    // SAFETY: with null as the new handler only the present one is written to `found`, which success fills.
    unsafe {
        let status = libc::sigaction(signal, std::ptr::null(), found.as_mut_ptr());
        (status == 0).then(|| found.assume_init())
    }
}
