//! Nonsmooth dynamics: unilateral contacts, impact laws, the one-step problem with sub-step impacts, Moreau-Jean time stepping.
