//! Step rules for smooth dynamics: two-step A/L-stable multistep and generalized-alpha.
