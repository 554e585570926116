//! Running a subsystem elsewhere: in a thread of its own, over channels.
