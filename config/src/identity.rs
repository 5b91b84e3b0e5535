//! The canonical text of a configuration, and what is hashed from it.

use crate::Config;
use kit::cache::sha256;
use kit::numbers::hex;
use toml::Table;

impl Config {
    /// The configuration as TOML, every key written out: equal configurations give equal bytes, and
    /// reading it gives the same configuration again.
    pub fn canonical(&self) -> String {
        toml::to_string(self).expect("every value of a configuration has a form in TOML")
    }

    /// SHA-256 of the canonical text, in hexadecimal.
    pub fn hash(&self) -> String {
        hex(&sha256(self.canonical()))
    }

    /// The first 12 digits of [`Self::hash`], for names of files and headers.
    pub fn short_hash(&self) -> String {
        short(&self.hash())
    }

    /// The canonical text of what shapes generated Verilog: all but `simulation`.
    pub fn hardware(&self) -> String {
        let mut table = self.table();
        table.remove("simulation");
        toml::to_string(&table).expect("every value of a configuration has a form in TOML")
    }

    /// SHA-256 of [`Self::hardware`], in hexadecimal: the same for every seed.
    pub fn hardware_hash(&self) -> String {
        hex(&sha256(self.hardware()))
    }

    pub(crate) fn table(&self) -> Table {
        Table::try_from(self).expect("every value of a configuration has a form in TOML")
    }
}

fn short(hash: &str) -> String {
    hash[..12].to_owned()
}

#[cfg(test)]
mod tests {
    use crate::{Config, Preset};

    #[test]
    fn the_canonical_text_reads_back_as_the_same_configuration() {
        for preset in Preset::ALL {
            let config = preset.config();
            assert_eq!(config.canonical().parse::<Config>().unwrap(), config);
        }
    }

    #[test]
    fn the_default_configuration_keeps_its_hash() {
        // A change here invalidates every recorded run: change it knowingly.
        assert_eq!(Config::default().short_hash(), "59665aaacc1b");
    }

    #[test]
    fn the_seed_changes_the_hash_but_not_that_of_the_hardware() {
        let mut other = Config::default();
        other.simulation.seed = 7;
        assert_ne!(other.hash(), Config::default().hash());
        assert_eq!(other.hardware_hash(), Config::default().hardware_hash());
        other.ct.depth = 4;
        assert_ne!(other.hardware_hash(), Config::default().hardware_hash());
    }
}
