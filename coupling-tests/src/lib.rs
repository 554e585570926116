//! Acceptance tests of Cosimo against closed-form and event-driven reference solutions.
