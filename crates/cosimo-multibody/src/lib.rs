//! Rigid bodies, joints and forces as equations of motion.
