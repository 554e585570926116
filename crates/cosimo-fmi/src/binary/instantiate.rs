//! Making a unit: the functions it needs, its texts, and the call.
#![allow(unsafe_code, reason = "functions of a foreign library are called")]

use super::error::BinaryError;
use super::host::{Host, logger_3};
use super::library::{Library, Own, Version};
use super::options::{Kind, Options};
use super::shared::Component;
use super::{v2, v3};
use std::ffi::{CString, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The functions without which an instance of this kind is of no use.
pub(super) fn require(library: &Library, kind: Kind) -> Result<(), BinaryError> {
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
pub(super) fn instantiate(
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
pub(super) fn resources(folder: &Path, version: Version) -> Result<Option<CString>, BinaryError> {
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

/// A text for C functions; `what` names it in the error.
pub(super) fn c_text(text: &str, what: &'static str) -> Result<CString, BinaryError> {
    CString::new(text).map_err(|_| BinaryError::ZeroCharacter { what })
}

/// Texts for C functions.
pub(super) fn c_texts(texts: &[&str], what: &'static str) -> Result<Vec<CString>, BinaryError> {
    texts.iter().map(|text| c_text(text, what)).collect()
}
