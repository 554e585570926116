//! One unit, from its instantiation to its end.
#![allow(unsafe_code, reason = "functions of a foreign library are called")]

use super::environment::{Change, Guard};
use super::error::BinaryError;
use super::host::{Host, logger_3};
use super::library::{Library, Own, Version};
use super::saved::Pool;
use super::shared::Component;
use super::symbols::Call;
use super::{v2, v3};
use std::ffi::{CString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

/// The interface type of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The unit computes steps. Variables that a unit requires in the middle of steps are not supported.
    CoSimulation {
        /// FMI 3: the master handles events (event mode and step mode).
        event_mode: bool,
        /// FMI 3: a step may end early.
        early_return: bool,
    },
    /// The unit computes derivatives. Numbers of the description, which FMI 2 cannot tell otherwise; FMI 3 is asked.
    ModelExchange {
        /// The number of continuous states.
        states: usize,
        /// The number of event indicators.
        event_indicators: usize,
    },
}

/// What an instance is made with.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// The name of the instance, in messages.
    pub name: &'a str,
    /// The `guid` (FMI 2) or `instantiationToken` (FMI 3) of the description.
    pub token: &'a str,
    /// The folder `resources` of the unpacked FMU; FMI 3 is told nothing where it is missing.
    pub resources: &'a Path,
    /// The interface type.
    pub kind: Kind,
    /// Whether the unit may show windows.
    pub visible: bool,
    /// Whether the unit gives messages beside those of errors.
    pub logging_on: bool,
}

/// How far a unit is in its life, as far as the end of it depends on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Not initialised.
    Before,
    /// Initialised: it must be terminated.
    Running,
    /// Terminated, or after an error: it may only be reset, restored, or freed.
    Ended,
    /// After a fatal error: nothing of it may be called.
    Dead,
}

/// A unit of an FMU: one interface over the functions of both versions.
///
/// The order of the calls is the caller's duty, as the standard has it; only what memory depends on is checked. The end is
/// safe in any case: dropped, the unit is terminated if that is allowed, and freed unless it failed for good.
#[derive(Debug)]
pub struct Instance {
    pub(super) component: Component,
    pub(super) library: Arc<Library>,
    pub(super) host: Arc<Host>,
    pub(super) phase: Phase,
    kind: Kind,
    /// The lengths of the lists of model exchange, where known.
    pub(super) states: Option<usize>,
    pub(super) event_indicators: Option<usize>,
    /// Memory for values of other types.
    pub(super) scratch: Vec<u64>,
    pub(super) pool: Pool,
    changes: Vec<Change>,
    warned: bool,
}

// SAFETY: the standard allows calls from any thread as long as they come one after the other; all take `&mut self`.
unsafe impl Send for Instance {}

/// Calls a function with the unit as first argument, and turns its status into a result.
macro_rules! call {
    ($self:ident, $call:expr $(, $argument:expr)*) => {{
        let call = $call;
        let function = $self.ready(&call)?;
        // SAFETY: the library is loaded and the unit alive (`ready`); lists go with their lengths, and outlive the call.
        let status = unsafe { function($self.component $(, $argument)*) };
        $self.settle(call.name, status)
    }};
}
pub(super) use call;

impl Instance {
    pub(super) fn new(library: &Arc<Library>, options: &Options<'_>) -> Result<Self, BinaryError> {
        let version = library.version();
        let resources = resources(options.resources, version)?;
        let host = Arc::new(Host::new(
            c_text(options.name, "the name")?,
            c_text(options.token, "the token")?,
            resources,
        ));
        require(library, options.kind)?;
        let guard = Guard::begin();
        let made = instantiate(library, &host, options);
        let changes = guard.finish();
        library.keep_if_needed(&changes);
        let (name, component) = made?;
        if component.is_null() {
            return Err(BinaryError::NotInstantiated { call: name, message: host.take_messages() });
        }
        let (states, event_indicators) = match options.kind {
            Kind::ModelExchange { states, event_indicators } if version == Version::Two => {
                (Some(states), Some(event_indicators))
            }
            _ => (None, None),
        };
        Ok(Self {
            component,
            library: Arc::clone(library),
            pool: Pool::new(host.number()),
            host,
            phase: Phase::Before,
            kind: options.kind,
            states,
            event_indicators,
            scratch: Vec::new(),
            changes,
            warned: false,
        })
    }

    /// The name of the instance.
    pub fn name(&self) -> &str {
        self.host.name()
    }

    /// The interface type.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The library.
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Whether the unit failed for good: every call is refused.
    pub fn is_dead(&self) -> bool {
        self.phase == Phase::Dead
    }

    /// What the unit has changed in this process since this was asked last, each kind of change once.
    pub fn take_changes(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.changes)
    }

    /// Before initialisation (FMI 3): structural parameters may be set until [`exit_configuration`](Self::exit_configuration).
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn enter_configuration(&mut self) -> Result<(), BinaryError> {
        call!(self, self.library.three("configuration modes")?.enter_configuration)
    }

    /// Back from the configuration (FMI 3). The numbers of states and event indicators are asked again when needed.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn exit_configuration(&mut self) -> Result<(), BinaryError> {
        let exit = self.library.three("configuration modes")?.exit_configuration;
        (self.states, self.event_indicators) = (None, None);
        call!(self, exit)
    }

    /// Starts the initialisation, for a simulation from `start` on (FMI 2: with the set-up of the experiment).
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn enter_initialization(
        &mut self,
        start: f64,
        stop: Option<f64>,
        tolerance: Option<f64>,
    ) -> Result<(), BinaryError> {
        let (has_stop, stop) = (stop.is_some(), stop.unwrap_or(0.0));
        let (has_tolerance, tolerance) = (tolerance.is_some(), tolerance.unwrap_or(0.0));
        self.guarded(|unit| match &unit.library.own {
            Own::Two(own) => {
                let enter = own.enter_initialization;
                let (has_stop, has_tolerance) = (c_int::from(has_stop), c_int::from(has_tolerance));
                call!(unit, own.setup_experiment, has_tolerance, tolerance, start, has_stop, stop)?;
                call!(unit, enter)
            }
            Own::Three(own) => {
                let (has_stop, has_tolerance) = (u8::from(has_stop), u8::from(has_tolerance));
                call!(unit, own.enter_initialization, has_tolerance, tolerance, start, has_stop, stop)
            }
        })
    }

    /// Ends the initialisation. Then follow steps, or events: in model exchange, and in the event mode of FMI 3.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn exit_initialization(&mut self) -> Result<(), BinaryError> {
        self.guarded(|unit| call!(unit, unit.library.shared.exit_initialization))?;
        self.phase = Phase::Running;
        Ok(())
    }

    /// Ends the simulation. Does nothing where the unit is not initialised, has ended, or has failed.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn terminate(&mut self) -> Result<(), BinaryError> {
        if self.phase != Phase::Running {
            return Ok(());
        }
        self.phase = Phase::Ended;
        self.guarded(|unit| call!(unit, unit.library.shared.terminate))
    }

    /// Puts the unit back into the state after its instantiation, after errors too.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn reset(&mut self) -> Result<(), BinaryError> {
        self.guarded(|unit| call!(unit, unit.library.shared.reset))?;
        self.phase = Phase::Before;
        Ok(())
    }

    /// Switches messages on or off; without categories for all of them.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn set_debug_logging(&mut self, on: bool, categories: &[&str]) -> Result<(), BinaryError> {
        let texts = c_texts(categories, "a category")?;
        let pointers: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
        match &self.library.own {
            Own::Two(own) => {
                call!(self, own.set_debug_logging, c_int::from(on), pointers.len(), pointers.as_ptr())
            }
            Own::Three(own) => {
                call!(self, own.set_debug_logging, u8::from(on), pointers.len(), pointers.as_ptr())
            }
        }
    }

    /// The function, if it is there and the unit alive.
    #[inline]
    pub(super) fn ready<F: Copy>(&self, call: &Call<F>) -> Result<F, BinaryError> {
        if self.phase == Phase::Dead {
            return Err(BinaryError::Dead { call: call.name });
        }
        call.get()
    }

    /// The result that a status means.
    #[inline]
    pub(super) fn settle(&mut self, call: &'static str, status: c_int) -> Result<(), BinaryError> {
        if status == 0 { Ok(()) } else { self.settle_other(call, status) }
    }

    #[cold]
    fn settle_other(&mut self, call: &'static str, status: c_int) -> Result<(), BinaryError> {
        match status {
            1 => {
                if !std::mem::replace(&mut self.warned, true) {
                    let instance = self.name();
                    tracing::warn!(target: "fmu", instance, "`{call}` warns; further warnings are not repeated here");
                }
                return Ok(());
            }
            2 => return Err(BinaryError::Discarded { call, message: self.host.take_messages() }),
            4 | 5 => self.phase = Phase::Dead,
            _ => self.phase = Phase::Ended,
        }
        Err(match status {
            3 => BinaryError::Refused { call, message: self.host.take_messages() },
            4 => BinaryError::Fatal { call, message: self.host.take_messages() },
            5 => BinaryError::Asynchronous { call },
            _ => BinaryError::UnknownStatus { call, status },
        })
    }

    /// Does something while changes of the process are watched.
    fn guarded<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        let guard = Guard::begin();
        let result = act(self);
        let changes = guard.finish();
        self.library.keep_if_needed(&changes);
        for change in changes {
            self.note(change);
        }
        result
    }

    /// Keeps a change, unless one like it is kept.
    #[cold]
    pub(super) fn note(&mut self, change: Change) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if let Err(error) = self.terminate() {
            tracing::warn!("{}: {error}", self.name());
        }
        if self.phase == Phase::Dead {
            // The unit may still run: its library stays loaded, and what it was given stays valid.
            std::mem::forget((Arc::clone(&self.library), Arc::clone(&self.host)));
            return;
        }
        self.guarded(|unit| {
            unit.free_states();
            if let Ok(free) = unit.ready(&unit.library.shared.free) {
                // SAFETY: the unit is alive and nothing of it is used after this; its states are freed.
                unsafe { free(unit.component) };
            }
        });
        for change in &self.changes {
            tracing::warn!("{} changed {change}", self.name());
        }
    }
}

/// The functions without which an instance of this kind is of no use.
fn require(library: &Library, kind: Kind) -> Result<(), BinaryError> {
    match (kind, &library.own) {
        (Kind::CoSimulation { .. }, Own::Two(own)) => own.do_step.require().map(drop),
        (Kind::CoSimulation { .. }, Own::Three(own)) => {
            own.instantiate_co_simulation.require()?;
            own.do_step.require().map(drop)
        }
        (Kind::ModelExchange { .. }, own) => {
            if let Own::Three(own) = own {
                own.instantiate_model_exchange.require()?;
            }
            library.shared.set_time.require()?;
            library.shared.enter_continuous_time_mode.require().map(drop)
        }
    }
}

/// The name of the function that makes instances, and what it made.
fn instantiate(
    library: &Library,
    host: &Host,
    options: &Options<'_>,
) -> Result<(&'static str, Component), BinaryError> {
    match &library.own {
        Own::Two(own) => instantiate_2(own, host, options),
        Own::Three(own) => instantiate_3(own, host, options),
    }
}

fn instantiate_2(
    own: &v2::Functions,
    host: &Host,
    options: &Options<'_>,
) -> Result<(&'static str, Component), BinaryError> {
    let kind = match options.kind {
        Kind::CoSimulation { .. } => v2::CO_SIMULATION,
        Kind::ModelExchange { .. } => v2::MODEL_EXCHANGE,
    };
    let resources = host.resources.as_ref().map_or(std::ptr::null(), |text| text.as_ptr());
    let (visible, logging) = (c_int::from(options.visible), c_int::from(options.logging_on));
    let function = own.instantiate.get()?;
    // SAFETY: the library is loaded; the texts and callbacks lie in the host, which outlives the unit.
    let component = unsafe {
        function(
            host.name.as_ptr(),
            kind,
            host.token.as_ptr(),
            resources,
            &raw const host.callbacks,
            visible,
            logging,
        )
    };
    Ok((own.instantiate.name, component))
}

fn instantiate_3(
    own: &v3::Functions,
    host: &Host,
    options: &Options<'_>,
) -> Result<(&'static str, Component), BinaryError> {
    let (name, token) = (host.name.as_ptr(), host.token.as_ptr());
    let resources = host.resources.as_ref().map_or(std::ptr::null(), |text| text.as_ptr());
    let (visible, logging) = (u8::from(options.visible), u8::from(options.logging_on));
    let environment = host.callbacks.environment;
    match options.kind {
        Kind::CoSimulation { event_mode, early_return } => {
            let function = own.instantiate_co_simulation.get()?;
            let (event_mode, early) = (u8::from(event_mode), u8::from(early_return));
            let none = std::ptr::null();
            // SAFETY: the library is loaded; the texts lie in the host, which outlives the unit.
            let component = unsafe {
                function(
                    name,
                    token,
                    resources,
                    visible,
                    logging,
                    event_mode,
                    early,
                    none,
                    0,
                    environment,
                    logger_3,
                    None,
                )
            };
            Ok((own.instantiate_co_simulation.name, component))
        }
        Kind::ModelExchange { .. } => {
            let function = own.instantiate_model_exchange.get()?;
            // SAFETY: as above.
            let component =
                unsafe { function(name, token, resources, visible, logging, environment, logger_3) };
            Ok((own.instantiate_model_exchange.name, component))
        }
    }
}

/// The folder of the resources as the version wants it: a URI, or a path that ends with a separator.
fn resources(folder: &Path, version: Version) -> Result<Option<CString>, BinaryError> {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let bytes = absolute.as_os_str().as_bytes();
    let text = match version {
        Version::Two => {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
            let escape = |&byte: &u8| {
                if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
            };
            format!("file://{}", bytes.iter().map(escape).collect::<String>()).into_bytes()
        }
        Version::Three if !absolute.is_dir() => return Ok(None),
        Version::Three if bytes.ends_with(b"/") => bytes.to_vec(),
        Version::Three => [bytes, b"/"].concat(),
    };
    CString::new(text)
        .map(Some)
        .map_err(|_| BinaryError::ZeroCharacter { what: "the folder of the resources" })
}

fn c_text(text: &str, what: &'static str) -> Result<CString, BinaryError> {
    CString::new(text).map_err(|_| BinaryError::ZeroCharacter { what })
}

/// Texts for C functions.
pub(super) fn c_texts(texts: &[&str], what: &'static str) -> Result<Vec<CString>, BinaryError> {
    texts.iter().map(|text| c_text(text, what)).collect()
}
