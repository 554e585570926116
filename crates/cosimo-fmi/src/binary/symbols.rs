//! Functions of a shared library by name.
#![allow(unsafe_code, reason = "symbols of a library have the types that FMI declares")]

use super::error::BinaryError;

/// A C function of the library, or its absence.
#[derive(Debug)]
pub(super) struct Call<F> {
    pub(super) name: &'static str,
    pub(super) function: Option<F>,
}

impl<F: Copy> Clone for Call<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Copy> Copy for Call<F> {}

impl<F: Copy> Call<F> {
    /// The function, or the error that names it.
    #[inline]
    pub(super) fn get(&self) -> Result<F, BinaryError> {
        // Not `ok_or`: it makes an error in every call, and drops it.
        match self.function {
            Some(function) => Ok(function),
            None => Err(BinaryError::Missing { call: self.name }),
        }
    }

    /// Nothing, or the error that names a function which must be there.
    pub(super) fn require(self) -> Result<Self, BinaryError> {
        self.get().map(|_| self)
    }
}

/// The names of a library.
pub(super) struct Symbols<'a> {
    pub(super) library: &'a libloading::Library,
    /// The model identifier: linked statically, functions have it as prefix, and some shared libraries kept it.
    pub(super) identifier: &'a str,
    /// Names that were asked for and are not there.
    pub(super) absent: Vec<&'static str>,
}

impl Symbols<'_> {
    /// Looks a function up, plain or with the identifier as prefix.
    ///
    /// # Safety
    /// `F` is a pointer to a function of the type that FMI gives this name.
    pub(super) unsafe fn find<F: Copy>(&mut self, name: &'static str) -> Call<F> {
        // SAFETY: the type is the caller's word, and `None` is the null that a weak symbol may have; the pointer is used no
        // longer than the library is loaded, since it lies beside it.
        let found =
            |name: &str| unsafe { self.library.get::<Option<F>>(name) }.ok().and_then(|symbol| *symbol);
        let function = found(name).or_else(|| found(&format!("{}_{name}", self.identifier)));
        if function.is_none() {
            self.absent.push(name);
        }
        Call { name, function }
    }
}

/// A table of functions: `field: required|optional names => type`. With two names, the first is that of FMI 2 and the
/// second that of FMI 3; `find` takes the index of the name.
macro_rules! table {
    ($(#[$about:meta])* $table:ident { $($field:ident: $need:ident [$($name:literal),+] => $kind:ty;)+ }) => {
        $(#[$about])*
        #[derive(Debug)]
        pub(super) struct $table { $(pub(super) $field: $crate::binary::symbols::Call<$kind>,)+ }

        impl $table {
            /// Looks all functions up; the first required one that is missing is an error.
            pub(super) fn find(
                symbols: &mut $crate::binary::symbols::Symbols<'_>,
                name: usize,
            ) -> Result<Self, $crate::binary::BinaryError> {
                Ok(Self { $($field: {
                    // SAFETY: the types of the table are those of the standard's header files.
                    let call = unsafe { symbols.find::<$kind>([$($name),+][name]) };
                    table!(@$need call)
                },)+ })
            }
        }
    };
    (@required $call:ident) => { $call.require()? };
    (@optional $call:ident) => { $call };
}
pub(super) use table;
