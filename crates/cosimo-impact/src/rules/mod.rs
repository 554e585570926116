//! The rules that only systems with contacts know; the others are those of [`cosimo_dynamics::rules`].

mod dissipative_theta;
mod half_implicit_euler;
mod joined_schatzman_paoli;
mod schatzman_paoli;

pub(crate) use dissipative_theta::DissipativeTheta;
pub(crate) use half_implicit_euler::HalfImplicitEuler;
pub(crate) use joined_schatzman_paoli::JoinedSchatzmanPaoli;
pub(crate) use schatzman_paoli::SchatzmanPaoli;
