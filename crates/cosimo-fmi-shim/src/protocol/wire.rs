//! How values are written as bytes and read from them.

/// What can be sent.
pub trait Wire: Sized {
    /// Appends the value to `bytes`.
    fn put(&self, bytes: &mut Vec<u8>);

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// If the bytes are none of this type.
    fn take(input: &mut Input<'_>) -> Result<Self, String>;

    /// Appends a list of values: its length and its elements.
    fn put_list(list: &[Self], bytes: &mut Vec<u8>) {
        put_length(list.len(), bytes);
        for element in list {
            element.put(bytes);
        }
    }

    /// Reads a list of values.
    ///
    /// # Errors
    ///
    /// If the bytes are none of this type.
    fn take_list(input: &mut Input<'_>) -> Result<Vec<Self>, String> {
        let length = u32::take(input)?;
        // Grows as elements come: the length is what somebody claims.
        let mut list = Vec::with_capacity((length as usize).min(input.remaining()));
        for _ in 0..length {
            list.push(Self::take(input)?);
        }
        Ok(list)
    }
}

/// Bytes that are read from the front.
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// Reads `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// How many bytes are left.
    pub fn remaining(&self) -> usize {
        self.0.len()
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (front, rest) = self.0.split_at_checked(count).ok_or("a message ends too early")?;
        self.0 = rest;
        Ok(front)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (front, rest) = self.0.split_first_chunk().ok_or("a message ends too early")?;
        self.0 = rest;
        Ok(*front)
    }
}

/// Frames are bounded below `u32::MAX` bytes, so lengths that do not fit are refused where they are sent.
fn put_length(length: usize, bytes: &mut Vec<u8>) {
    u32::try_from(length).unwrap_or(u32::MAX).put(bytes);
}

macro_rules! number {
    ($($type:ty),*) => {
        $(impl Wire for $type {
            fn put(&self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn take(input: &mut Input<'_>) -> Result<Self, String> {
                Ok(Self::from_le_bytes(input.array()?))
            }
        })*
    };
}

number!(u32, u64, i32, f64);

impl Wire for u8 {
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.push(*self);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, String> {
        let [byte] = input.array()?;
        Ok(byte)
    }

    fn put_list(list: &[Self], bytes: &mut Vec<u8>) {
        put_length(list.len(), bytes);
        bytes.extend_from_slice(list);
    }

    fn take_list(input: &mut Input<'_>) -> Result<Vec<Self>, String> {
        let length = u32::take(input)? as usize;
        Ok(input.take(length)?.to_vec())
    }
}

impl Wire for bool {
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(*self));
    }

    fn take(input: &mut Input<'_>) -> Result<Self, String> {
        match u8::take(input)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(format!("{other} is no boolean")),
        }
    }
}

impl Wire for String {
    fn put(&self, bytes: &mut Vec<u8>) {
        u8::put_list(self.as_bytes(), bytes);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, String> {
        Self::from_utf8(u8::take_list(input)?).map_err(|_| "a text is no UTF-8".to_owned())
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, bytes: &mut Vec<u8>) {
        T::put_list(self, bytes);
    }

    fn take(input: &mut Input<'_>) -> Result<Self, String> {
        T::take_list(input)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.is_some().put(bytes);
        if let Some(value) = self {
            value.put(bytes);
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, String> {
        if bool::take(input)? { T::take(input).map(Some) } else { Ok(None) }
    }
}

impl<T: Wire, E: Wire> Wire for Result<T, E> {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.is_ok().put(bytes);
        match self {
            Ok(value) => value.put(bytes),
            Err(error) => error.put(bytes),
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Self, String> {
        if bool::take(input)? { T::take(input).map(Ok) } else { E::take(input).map(Err) }
    }
}
