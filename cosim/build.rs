//! Builds the units of the default configuration for linking, if the feature asks for them.
//!
//! The slow part is in the cache that on-demand models share: an archive is compiled again only
//! when its Verilog without comments or a tool changes. Nothing is ever downloaded.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "static-models")]
    if let Err(reason) = static_models::build() {
        eprintln!("{reason}");
        std::process::exit(1);
    }
}

#[cfg(feature = "static-models")]
mod static_models {
    use std::error::Error;
    use std::fmt::Write as _;
    use std::path::{Path, PathBuf};
    use std::{env, fs};

    use config::Config;
    use verilate::{Builder, ModelSource, Speed};

    /// Built on demand instead: an edit of a hart should not slow down every build, and the default has no rendezvous.
    const ON_DEMAND: [&str; 7] =
        ["l1_data", "bus", "memory_system", "soc", "soc_wishbone", "soc_axi4", "rendezvous"];

    /// The header that the bridge includes.
    const HEADER: &str = "linked.h";

    pub fn build() -> Result<(), Box<dyn Error>> {
        for variable in ["CARGO_TARGET_DIR", "CROSSTALK_VERILATOR", "CXX"] {
            println!("cargo:rerun-if-env-changed={variable}");
        }
        let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
        let config = Config::every_unit();
        let mut sources = Vec::new();
        for unit in units::names().into_iter().filter(|unit| !ON_DEMAND.contains(unit)) {
            let mut source = ModelSource::of(&units::design(&config, unit)?);
            source.options.speed = Speed::Run;
            sources.push((unit, source));
        }
        // Before the archives, which may fail: editors then still see the handles.
        write_rust(&out, &sources)?;
        compile_bridge(&out, &sources)?;
        link(&sources)
    }

    /// The handles, the bridge, and the Verilog that the handles include.
    fn write_rust(out: &Path, sources: &[(&str, ModelSource)]) -> Result<(), Box<dyn Error>> {
        let mut handles = String::new();
        let mut functions = String::new();
        for (unit, source) in sources {
            let folder = out.join(unit);
            fs::create_dir_all(&folder)?;
            for (name, text) in &source.files {
                fs::write(folder.join(name), text)?;
            }
            handles += &verilate::handle(unit, source, unit);
            let entry = verilate::archive_entry(unit);
            writeln!(functions, "        fn {entry}() -> &'static CrosstalkModel;")?;
        }
        let bridge = format!(
            "#[cxx::bridge(namespace = \"crosstalk::linked\")]\n\
             mod linked {{\n    unsafe extern \"C++\" {{\n        include!(\"{HEADER}\");\n        \
             #[namespace = \"\"]\n        \
             type CrosstalkModel = crate::ffi::RawModel;\n{functions}    }}\n}}\n"
        );
        handles += "/// The name of every unit, its source and its code.\n\
                    pub fn all() -> Vec<(&'static str, &'static ModelSource, &'static Library)> {\n    \
                    vec![\n";
        for (unit, _) in sources {
            let handle = verilate::handle_name(unit);
            writeln!(handles, "        ({unit:?}, {handle}::source(), {handle}::library()),")?;
        }
        handles += "    ]\n}\n";
        fs::write(out.join("handles.rs"), handles)?;
        fs::write(out.join("linked.rs"), bridge)?;
        Ok(())
    }

    /// The C++ side of the bridge: one function per unit, which returns its table.
    fn compile_bridge(out: &Path, sources: &[(&str, ModelSource)]) -> Result<(), Box<dyn Error>> {
        let mut declared = String::new();
        let mut wrapped = String::new();
        for (unit, _) in sources {
            let entry = verilate::archive_entry(unit);
            writeln!(declared, "extern \"C\" const CrosstalkModel* {entry}();")?;
            writeln!(wrapped, "inline const CrosstalkModel& {entry}() {{ return *::{entry}(); }}")?;
        }
        let header = format!(
            "#pragma once\n#include \"abi.h\"\n{declared}\n\
             namespace crosstalk {{\nnamespace linked {{\n{wrapped}}}\n}}\n"
        );
        fs::write(out.join(HEADER), header)?;
        fs::write(out.join("abi.h"), verilate::ABI_HEADER)?;
        cxx_build::bridge(out.join("linked.rs")).include(out).std("c++17").compile("linked");
        Ok(())
    }

    /// Builds the archives, or takes them from the cache, and links them.
    fn link(sources: &[(&str, ModelSource)]) -> Result<(), Box<dyn Error>> {
        let builder = Builder::for_workspace();
        let mut archives = Vec::new();
        for (unit, source) in sources {
            archives.push(builder.archive(source, unit)?);
        }
        archives.push(builder.runtime()?);
        for archive in &archives {
            let folder = archive.parent().ok_or("an archive is in a folder")?;
            let stem = archive.file_stem().ok_or("an archive has a name")?.to_string_lossy();
            println!("cargo:rustc-link-search=native={}", folder.display());
            println!("cargo:rustc-link-lib=static={}", stem.trim_start_matches("lib"));
        }
        Ok(())
    }
}
