//! The control words of floating point of this thread: rounding, denormals, traps.
#![allow(unsafe_code, reason = "registers are read and written by assembly")]

/// The control words. Flags of exceptions that have happened are no part of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FloatControl {
    #[cfg(target_arch = "x86_64")]
    mxcsr: u32,
    #[cfg(target_arch = "x86_64")]
    x87: u16,
    #[cfg(target_arch = "aarch64")]
    fpcr: u64,
}

#[cfg(target_arch = "x86_64")]
impl FloatControl {
    #[inline]
    pub(super) fn read() -> Self {
        let (mut mxcsr, mut x87) = (0_u32, 0_u16);
        // SAFETY: both instructions store a register to the place given, and change nothing else.
        unsafe {
            std::arch::asm!("stmxcsr [{m}]", "fnstcw [{x}]", m = in(reg) &raw mut mxcsr, x = in(reg) &raw mut x87,
                options(nostack, preserves_flags));
        }
        Self { mxcsr: mxcsr & !0x3f, x87 }
    }

    pub(super) fn write(self) {
        // SAFETY: the words were read before, with the process running as it should; flags are cleared first, so that no
        // pending exception traps.
        unsafe {
            std::arch::asm!("fnclex", "fldcw [{x}]", "ldmxcsr [{m}]", m = in(reg) &raw const self.mxcsr,
                x = in(reg) &raw const self.x87, options(nostack, preserves_flags));
        }
    }
}

#[cfg(target_arch = "aarch64")]
impl FloatControl {
    #[inline]
    pub(super) fn read() -> Self {
        let fpcr: u64;
        // SAFETY: a register is read.
        unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) fpcr, options(nomem, nostack, preserves_flags)) };
        Self { fpcr }
    }

    pub(super) fn write(self) {
        // SAFETY: the word was read before, with the process running as it should.
        unsafe {
            std::arch::asm!("msr fpcr, {}", in(reg) self.fpcr, options(nomem, nostack, preserves_flags))
        };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
impl FloatControl {
    pub(super) fn read() -> Self {
        Self {}
    }

    pub(super) fn write(self) {}
}
