//! The keys of a conversation.
//!
//! | key | what |
//! |---|---|
//! | `offer/@cosimo/SERVER` | a token: the server is there |
//! | `offer/@cosimo/SERVER/SESSION` | a token: the master is there |
//! | `offer/@cosimo/SERVER/SESSION/questions` | messages of the master |
//! | `offer/@cosimo/SERVER/SESSION/answers` | messages of the server |

use zenoh::key_expr::{KeyExpr, keyexpr};

use crate::error::NetworkError;
use crate::id::Id;

/// Separates the name of an offer from what is ours. Wildcards of others do not match it.
const OURS: &str = "@cosimo";

/// The name of an offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Offer(String);

impl Offer {
    /// Reads a key expression without wildcards.
    pub(crate) fn read(key: &str) -> Result<Self, NetworkError> {
        let refused = |reason: String| NetworkError::Key { key: key.to_owned(), reason };
        let valid = keyexpr::new(key).map_err(|error| refused(error.to_string()))?;
        if valid.is_wild() {
            return Err(refused("it has wildcards".to_owned()));
        }
        if key.split('/').any(|part| part == OURS) {
            return Err(refused(format!("`{OURS}` is for messages")));
        }
        Ok(Self(key.to_owned()))
    }

    /// The tokens of its servers.
    pub(crate) fn servers(&self) -> Result<KeyExpr<'static>, NetworkError> {
        made(format!("{}/{OURS}/*", self.0))
    }

    /// The token of a server.
    pub(crate) fn server(&self, server: Id) -> Result<KeyExpr<'static>, NetworkError> {
        made(format!("{}/{OURS}/{server}", self.0))
    }

    /// The tokens of masters of a server.
    pub(crate) fn masters(&self, server: Id) -> Result<KeyExpr<'static>, NetworkError> {
        made(format!("{}/{OURS}/{server}/*", self.0))
    }

    /// The token of a master.
    pub(crate) fn master(&self, server: Id, session: Id) -> Result<KeyExpr<'static>, NetworkError> {
        made(format!("{}/{OURS}/{server}/{session}", self.0))
    }

    /// Messages of all masters to a server.
    pub(crate) fn all_questions(&self, server: Id) -> Result<KeyExpr<'static>, NetworkError> {
        made(format!("{}/{OURS}/{server}/*/questions", self.0))
    }

    /// Messages of a master.
    pub(crate) fn questions(&self, server: Id, session: Id) -> Result<KeyExpr<'static>, NetworkError> {
        made(format!("{}/{OURS}/{server}/{session}/questions", self.0))
    }

    /// Messages to a master.
    pub(crate) fn answers(&self, server: Id, session: Id) -> Result<KeyExpr<'static>, NetworkError> {
        made(format!("{}/{OURS}/{server}/{session}/answers", self.0))
    }
}

/// The number at the end of the key of a token.
pub(crate) fn owner(key: &str) -> Option<Id> {
    key.rsplit('/').next().and_then(Id::read)
}

fn made(key: String) -> Result<KeyExpr<'static>, NetworkError> {
    let copy = key.clone();
    KeyExpr::try_from(key).map_err(|error| NetworkError::Key { key: copy, reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_have_plain_names() {
        let id = Id::random().unwrap();
        let offer = Offer::read("plant/blade").unwrap();
        let token = offer.server(id).unwrap();
        assert_eq!(owner(token.as_str()), Some(id));
        assert!(offer.servers().unwrap().includes(&token));
        assert!(!KeyExpr::try_from("plant/**").unwrap().includes(&token));
        for (key, why) in
            [("", "empty"), ("plant/*", "wildcards"), ("plant/@cosimo/x", "for messages"), ("a//b", "a//b")]
        {
            let error = Offer::read(key).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
