//! Model files: reading, complete checking with positions, and building subsystems and interfaces from them.
