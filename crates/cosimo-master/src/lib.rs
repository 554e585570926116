//! The master algorithm: interface laws, discretisations, coupling schemes, energy monitor.
