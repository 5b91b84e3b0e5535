//! What a hart tells of each instruction: its RVFI record.

use hdl::{SignalId, Simulator};

/// One RVFI record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    pub cycle: u64,
    pub order: u64,
    pub insn: u32,
    pub trap: bool,
    pub intr: bool,
    pub mode: u32,
    pub rs1_addr: u32,
    pub rs2_addr: u32,
    pub rs1_rdata: u32,
    pub rs2_rdata: u32,
    pub rd_addr: u32,
    pub rd_wdata: u32,
    pub pc_rdata: u32,
    pub pc_wdata: u32,
    pub mem_addr: u32,
    pub mem_rmask: u32,
    pub mem_wmask: u32,
    pub mem_rdata: u32,
    pub mem_wdata: u32,
    pub cause: u32,
}

impl Record {
    /// All but when it happened.
    pub fn timeless(self) -> Record {
        Record { cycle: 0, ..self }
    }
}

/// The fields of RVFI that a record is made of, in the order of [`Fields::record`].
const NAMES: [&str; 20] = [
    "valid",
    "order",
    "insn",
    "trap",
    "intr",
    "mode",
    "rs1_addr",
    "rs2_addr",
    "rs1_rdata",
    "rs2_rdata",
    "rd_addr",
    "rd_wdata",
    "pc_rdata",
    "pc_wdata",
    "mem_addr",
    "mem_rmask",
    "mem_wmask",
    "mem_rdata",
    "mem_wdata",
    "cause",
];

/// The ports that carry a record.
pub struct Fields([SignalId; NAMES.len()]);

impl Fields {
    /// Those of a hart.
    pub fn of(sim: &Simulator) -> Fields {
        Fields(NAMES.map(|name| sim.port(&format!("rvfi_{name}")).expect("a field of RVFI")))
    }

    /// What the hart tells in this cycle, if anything.
    pub fn record(&self, sim: &mut Simulator, cycle: u64) -> Option<Record> {
        let values = self.0.map(|field| sim.get(field));
        let word = |place: usize| values[place] as u32;
        (values[0] == 1).then(|| Record {
            cycle,
            order: values[1],
            insn: word(2),
            trap: values[3] == 1,
            intr: values[4] == 1,
            mode: word(5),
            rs1_addr: word(6),
            rs2_addr: word(7),
            rs1_rdata: word(8),
            rs2_rdata: word(9),
            rd_addr: word(10),
            rd_wdata: word(11),
            pc_rdata: word(12),
            pc_wdata: word(13),
            mem_addr: word(14),
            mem_rmask: word(15),
            mem_wmask: word(16),
            mem_rdata: word(17),
            mem_wdata: word(18),
            cause: word(19),
        })
    }
}
