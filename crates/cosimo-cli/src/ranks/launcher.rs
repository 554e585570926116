//! What the environment says of a job that this process is part of.

use std::env;

/// Variables of the number of processes and of this one's place among them: of Open MPI, of MPICH and its kin, of Slurm with PMIx.
const VARIABLES: [(&str, &str); 3] = [
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("PMI_SIZE", "PMI_RANK"),
    ("SLURM_STEP_NUM_TASKS", "PMIX_RANK"),
];

/// The place of this process among several that were started together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seat {
    pub(crate) rank: usize,
    pub(crate) size: usize,
}

impl Seat {
    /// As the environment has it; none where this process was started alone.
    pub(crate) fn of_this_process() -> Option<Self> {
        let number = |name: &str| env::var(name).ok().and_then(|text| text.parse().ok());
        let seat = |(size, rank): &(&str, &str)| Some(Self { size: number(size)?, rank: number(rank)? });
        VARIABLES.iter().find_map(seat).filter(|seat| seat.size > 1)
    }

    /// Whether it is the one that speaks for all.
    pub(crate) fn speaks(self) -> bool {
        self.rank == 0
    }
}
