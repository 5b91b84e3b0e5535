//! Tree-PLRU replacement: an approximation of the least recently used way of a set.
//!
//! `ways - 1` bits a set form a tree whose nodes point to the half to replace next. Node 0 is the
//! root, node i has its children at 2i+1 (the lower ways) and 2i+2.

use hdl::{
    Bundle, Module, Sig, assert, hardware, index_width, input, lit, memory, output, ports, when,
};

/// The trees of all sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Plru {
    /// How many ways, at least 2 and a power of two.
    pub ways: usize,
    /// How many sets.
    pub sets: usize,
}

/// Ports of [`Plru`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct PlruIo {
    /// `read_set` is looked up in this cycle.
    pub read_valid: Sig,
    /// Number of the set to look up.
    pub read_set: Sig,
    /// The way to replace in the set looked up; valid from the cycle after the lookup until the
    /// next one.
    pub victim: Sig,
    /// `way` of `set` is used in this cycle.
    pub touch: Sig,
    /// The uses recorded for `set` are cleared in this cycle; never together with `touch`.
    pub clear: Sig,
    /// The set that is used or cleared; valid with `touch` or `clear`.
    pub set: Sig,
    /// The way that is used; valid with `touch`.
    pub way: Sig,
}

/// One memory per node of the tree, one bit per set. A use writes the nodes on the path to its way,
/// without reading them.
#[hardware]
impl Module for Plru {
    type Io = PlruIo;

    fn name(&self) -> String {
        format!("plru_{}x{}", self.sets, self.ways)
    }

    fn build(&self) -> PlruIo {
        let way_width = index_width(self.ways);
        let set_width = index_width(self.sets);
        let io = ports(PlruIo {
            read_valid: input(1),
            read_set: input(set_width),
            victim: output(way_width),
            touch: input(1),
            clear: input(1),
            set: input(set_width),
            way: input(way_width),
        });
        let mut nodes = Vec::new();
        for node in 0..self.ways - 1 {
            // The node covers the ways whose highest bits are its path from the root.
            let depth = (node + 1).ilog2() as usize;
            let path = node + 1 - (1 << depth);
            let below = way_width - depth;
            let on_path = match depth {
                0 => lit(1, 1),
                _ => io.way.bits(below..).eq(path),
            };
            /// 0: the lower half is to be replaced next, 1: the higher.
            let pointer = memory(self.sets, 1).ignore_collisions();
            let away = !io.way.bit(below - 1);
            when(io.clear | io.touch & on_path, || pointer.write(io.set, away & !io.clear));
            nodes.push(pointer.read_sync(io.read_set, io.read_valid));
        }
        io.victim.set(follow(&nodes, 0));
        assert("clear_and_touch_apart", !(io.clear & io.touch), "nothing is used while clearing");
        io
    }
}

/// The way, in as many bits as there are levels from `node` down, that the pointers lead to.
#[track_caller]
fn follow(nodes: &[Sig], node: usize) -> Sig {
    let pointer = nodes[node];
    let (lower, higher) = (2 * node + 1, 2 * node + 2);
    if lower >= nodes.len() {
        return pointer;
    }
    let rest = pointer.mux(follow(nodes, higher), follow(nodes, lower));
    hdl::cat([pointer, rest])
}
