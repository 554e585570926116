//! Numbers by chance that tell servers and sessions apart.

use std::fmt;

use crate::error::NetworkError;

/// Bytes of a number.
pub(crate) const LENGTH: usize = 16;

/// Of 128 random bits, so that nobody else has it and nobody can guess it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id(pub(crate) [u8; LENGTH]);

impl Id {
    /// One that is new.
    pub(crate) fn random() -> Result<Self, NetworkError> {
        let mut bytes = [0; LENGTH];
        getrandom::fill(&mut bytes).map_err(|error| NetworkError::Refused {
            action: "the system gives no random numbers".to_owned(),
            reason: error.to_string(),
        })?;
        Ok(Self(bytes))
    }

    /// The one that is written so, in 32 hexadecimal digits.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 2 * LENGTH && text.bytes().all(is_digit))
            .then(|| u128::from_str_radix(text, 16).ok())
            .flatten()
            .map(|number| Self(number.to_be_bytes()))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let id = Id::random().unwrap();
        assert_eq!(Id::read(&id.to_string()), Some(id));
        assert_ne!(id, Id::random().unwrap());
        for text in ["", "+0000000000000000000000000000001", "0000000000000000000000000000000G", "00"] {
            assert_eq!(Id::read(text), None);
        }
    }
}
