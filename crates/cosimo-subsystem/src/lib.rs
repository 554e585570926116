//! The contract between a subsystem and the master: ports, macro steps, compliance, snapshots, energy ledger, conformance suite.
