//! The breakpoint comparators beside a hart: they find that the hart is at a breakpoint, and hold
//! it there.
//!
//! Pcs are compared in D and the match is kept in a register, so that X gets no new late path. Everything that
//! goes to the rendezvous comes from a register too: a hart that stands somewhere is held meanwhile.

use border::breakpoint::{Local, PARTIES, Value};
use hdl::{Bundle, Sig, array, bits, cat, cover, hardware, lit, reg, select, set_when, when};

use super::entries::{PARTY_BITS, PLACE_BITS, Place};
use super::rendezvous::{Rendezvous, Standing, Told};
use crate::geometry::WORD_BITS;
use crate::hart::beside::{Acts, Beside, HartUnit};
use crate::observer::{Lane, LinkShape, Opaque};
use crate::one_hot;

/// The name of the link between rendezvous and comparators.
pub(crate) const LINK: &str = "breakpoints";

/// The comparators of one hart.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparators {
    /// What they report to.
    pub rendezvous: Rendezvous,
    /// Bytes of a line.
    pub line: usize,
}

/// What the rendezvous drives to a hart.
#[derive(Clone, Debug, Bundle)]
pub struct ToHart {
    /// The state of this hart's visit to a breakpoint, as the rendezvous has decided it.
    pub told: Told,
    /// The entries that are armed, a bit each: harts stop at their locations.
    pub armed: Sig,
    /// The entries whose `control` register is written in this cycle, a bit each.
    pub cleared: Sig,
    /// The settings of each entry.
    pub place: Vec<Place>,
}

/// The link, as shapes.
pub(crate) fn link(rendezvous: &Rendezvous) -> Lane<LinkShape> {
    let to_hart = ToHart {
        told: rendezvous.told(),
        armed: bits(rendezvous.entries),
        cleared: bits(rendezvous.entries),
        place: (0..rendezvous.entries).map(|_| Place::shape()).collect(),
    };
    let of = LinkShape { to_hart: Opaque::of(to_hart), from_hart: Opaque::of(rendezvous.heard()) };
    Lane { name: LINK.into(), doc: "Between the breakpoints' rendezvous and the hart.", of }
}

/// One entry, as the instruction in X sees it.
struct Compared {
    /// Some party has its pc.
    is_at: Sig,
    /// The parties that it can be, the local predicates included.
    parties: Vec<Sig>,
    /// Its value.
    first: Sig,
    second: Sig,
}

#[hardware]
impl HartUnit for Comparators {
    fn name(&self) -> String {
        format!("breakpoints_{}_l{}", self.rendezvous.entries, self.line)
    }

    fn holds(&self) -> bool {
        true
    }

    fn link(&self) -> Option<Lane<LinkShape>> {
        Some(link(&self.rendezvous))
    }

    fn attach(&self, beside: &Beside) -> Acts {
        let to =
            beside.to_hart.as_ref().expect("a hart with comparators has the link").get::<ToHart>();
        let retired = &beside.retired;
        let execute = &beside.execute;
        let is_user = execute.valid & !execute.machine_mode;
        /// Everything before the instruction in X has retired.
        let is_next = is_user & !beside.memory_valid & !beside.write_valid;

        let user_ended = retired.valid & retired.mode.none();
        let retired_place = retired.pc_rdata.bits(2..);
        let regions = self.regions(&to, user_ended & !retired.trap, retired_place);
        let compared: Vec<Compared> = (0..self.rendezvous.entries)
            .map(|entry| self.compare(beside, &to.place[entry], regions[entry]))
            .collect();

        // The visit that the hart is in. What is on its way to the rendezvous counts already.
        let heard = reg(self.rendezvous.heard());
        let visit_place = reg(PLACE_BITS).reset(0);
        let visiting = to.told.visiting & !heard.ended;
        let is_same = visiting & execute.pc.bits(2..).eq(visit_place);
        let waits = is_same & to.told.waits;
        /// The visit is at the instruction in X, which may go on.
        let gone = is_same & to.told.gone;

        // Where it stands. That takes a cycle, in which the instruction is held: so what is late in X, its operands
        // and address, goes to registers only.
        let armed = one_hot::apart(to.armed);
        let is_at: Vec<Sig> =
            compared.iter().zip(&armed).map(|(entry, &armed)| entry.is_at & armed).collect();
        let at_any = one_hot::any(&is_at);
        let matches: Vec<Sig> = compared
            .iter()
            .zip(&armed)
            .map(|(entry, &armed)| one_hot::any(&entry.parties) & armed)
            .collect();
        let found = one_hot::first(&matches);
        let matches_any = one_hot::any(&matches);
        /// The instruction in X was compared, and matches nothing.
        let is_passed = reg(1).reset(0);
        let is_elsewhere = visiting & is_next & !is_same;
        let is_open = is_next & !is_passed & !gone & !is_elsewhere;
        set_when(is_open & at_any & !waits & !matches_any, is_passed, 1);
        set_when(beside.decode.goes, is_passed, 0);
        let stands = is_open & (matches_any | waits) & !beside.interrupted;
        set_when(stands & !waits, visit_place, execute.pc.bits(2..));
        // Behind an instruction in its visit nothing goes on before the visit is over.
        let follows = visiting & !is_next;
        let stays = (at_any & !is_passed) | waits;
        let hold = is_user & (follows | (stays & !gone));

        let standings: Vec<Standing> = compared
            .iter()
            .enumerate()
            .map(|(entry, compared)| Standing {
                valid: lit(1, 1),
                entry: lit(self.rendezvous.entry_bits(), entry),
                parties: one_hot::together(&compared.parties),
                first: compared.first,
                second: compared.second,
            })
            .collect();
        let at = one_hot::choose(&found, &standings);
        heard.at.drive(&Standing { valid: stands, ..at });
        // The visit ends with its instruction, or when another one is the next.
        let is_over = visiting & user_ended & retired_place.eq(visit_place);
        heard.ended.set(is_over | is_elsewhere);
        let passed: Vec<Sig> = to
            .place
            .iter()
            .map(|place| {
                user_ended & !retired.trap & place.has_until & retired_place.eq(place.until)
            })
            .collect();
        heard.passed.set(one_hot::together(&passed));
        // After reset nothing was heard.
        heard.at.valid.reset(0);
        heard.ended.reset(0);
        heard.passed.reset(0);
        cover("stands", stands, "a hart stands at a breakpoint");
        cover("passes", is_passed, "a pc matches, and a predicate does not");
        cover("given_up", is_elsewhere, "a visit ends without its instruction");
        Acts { hold: Some(hold), from_hart: Some(Opaque::of(heard)), ..Acts::default() }
    }
}

#[hardware]
impl Comparators {
    /// For each entry whether the hart is in its region.
    fn regions(&self, to: &ToHart, retires: Sig, place: Sig) -> Vec<Sig> {
        let each = to.place.iter().enumerate();
        each.map(|(entry, of)| {
            let in_region = reg(1).reset(0);
            when(retires & of.has_region, || {
                set_when(place.eq(of.region_begin), in_region, 1);
                set_when(place.eq(of.region_end), in_region, 0);
            });
            set_when(to.cleared.bit(entry), in_region, 0);
            in_region
        })
        .collect()
    }

    /// Compares the instruction in X with an entry.
    fn compare(&self, beside: &Beside, place: &Place, in_region: Sig) -> Compared {
        let execute = &beside.execute;
        let decoded_place = beside.decode.pc.bits(2..);
        let parties = PARTIES as usize;
        let at_pc = array(parties, |party| {
            /// The instruction in X is at the location of the party.
            let is_at = reg(1).reset(0);
            set_when(beside.decode.goes, is_at, decoded_place.eq(place.party[party].location));
            let exists = place.last_party.ge(lit(PARTY_BITS, party));
            is_at & exists
        });
        let (rs1, rs2, address) = (execute.rs1, execute.rs2, execute.address);
        let matching: Vec<Sig> = (0..parties)
            .map(|index| {
                let party = &place.party[index];
                // In the order of the codes; reserved ones count as nothing.
                let about = select(party.local, &[party.local_match, rs1, rs2, address]);
                let is_true = ((about ^ party.local_match) & party.local_mask).none();
                let is_inside = in_region | !place.has_region | !party.in_region;
                at_pc[index] & is_true & is_inside
            })
            .collect();
        let lowest = one_hot::first(&matching);
        let sources: Vec<Sig> = place.party.iter().map(|party| party.value).collect();
        let source = one_hot::choose(&lowest, &sources);
        let is = |value: Value| source.eq(value.number());
        let offset_bits = self.line.trailing_zeros() as usize;
        let word = cat([address.bits(2..), lit(2, 0)]);
        let line = cat([address.bits(offset_bits..), lit(offset_bits, 0)]);
        let choices = [
            (is(Value::AddressWord), word),
            (is(Value::AddressLine), line),
            (is(Value::First) | is(Value::Both), rs1),
            (is(Value::Second), rs2),
        ];
        let (chosen, values): (Vec<Sig>, Vec<Sig>) = choices.into_iter().unzip();
        let first = one_hot::choose(&chosen, &values) & place.value_mask;
        let second = rs2 & is(Value::Both).repeat(WORD_BITS) & place.value_mask;
        Compared { is_at: one_hot::any(&at_pc), parties: matching, first, second }
    }
}

const _: () =
    assert!(Local::First as u32 == 1 && Local::Second as u32 == 2 && Local::Address as u32 == 3);
