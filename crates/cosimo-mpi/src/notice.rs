//! What the two ends of a conversation tell each other about their messages.

/// About a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Notice {
    /// A long message of so many bytes is ready.
    Long(usize),
    /// The other end waits for it.
    Go,
    /// The conversation is over; why, if there is a reason.
    Ended(String),
}

/// Bytes of a reason at most.
const REASON: usize = 1000;

impl Notice {
    /// The bytes of it.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Long(length) => [&[0][..], &(*length as u64).to_le_bytes()].concat(),
            Self::Go => vec![1],
            Self::Ended(reason) => {
                let reason = reason.as_bytes();
                [&[2][..], &reason[..reason.len().min(REASON)]].concat()
            }
        }
    }

    /// The notice of these bytes, if they are one.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (0, length) => {
                let length = u64::from_le_bytes(length.try_into().ok()?);
                usize::try_from(length).ok().map(Self::Long)
            }
            (1, []) => Some(Self::Go),
            (2, reason) => Some(Self::Ended(String::from_utf8_lossy(reason).into_owned())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_cross_as_bytes() {
        for notice in [Notice::Long(70_000), Notice::Go, Notice::Ended("why".to_owned())] {
            assert_eq!(Notice::of(&notice.to_bytes()), Some(notice));
        }
        assert!(Notice::of(&[]).is_none() && Notice::of(&[3]).is_none() && Notice::of(&[0, 1]).is_none());
        assert!(Notice::Ended("x".repeat(5000)).to_bytes().len() <= 1 + REASON);
    }
}
