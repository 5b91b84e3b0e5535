//! The C library's pieces beside the library of the machine that runs the tests: compiled for it, under
//! names of their own, and compared on random input.

use std::path::{Path, PathBuf};
use std::process::Command;

const SEEDS: std::ops::Range<u32> = 1..6;

/// What is compiled; the rest needs harts.
const PARTS: [&str; 24] = [
    "ctype.c",
    "errno.c",
    "math/angle.c",
    "math/hyperbolic.c",
    "math/parts.c",
    "math/power.c",
    "stdio/decimal.c",
    "stdio/format.c",
    "stdio/real.c",
    "stdio/scan.c",
    "stdio/scan_text.c",
    "stdio/spec.c",
    "stdio/text.c",
    "stdlib/heap.c",
    "stdlib/number.c",
    "stdlib/random.c",
    "stdlib/real.c",
    "stdlib/sort.c",
    "stdlib/random48.c",
    "string/memory.c",
    "string/more.c",
    "string/search.c",
    "string/text.c",
    "time/calendar.c",
];

/// Names that the machine's own library has too.
const NAMES: &str = "\
    isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit \
    tolower toupper snprintf vsnprintf sprintf vsprintf malloc calloc realloc free aligned_alloc \
    posix_memalign strtol strtoul strtoll strtoull strtod strtof atoi atol atoll atof abs labs llabs div \
    ldiv lldiv qsort bsearch rand srand rand_r random srandom memcpy memmove memset memcmp memchr bzero \
    strlen strnlen strcpy strncpy stpcpy strcat strncat strcmp strncmp strcoll strcasecmp strncasecmp \
    strchr strrchr strstr strpbrk strspn strcspn strtok strtok_r pthread_mutex_lock \
    pthread_mutex_unlock pthread_spin_lock pthread_spin_unlock sscanf vsscanf acos acosh asin asinh atan atan2 \
    atanh cbrt copysign cosh expm1 fdim frexp hypot ldexp log1p logb modf nearbyint nextafter pow remainder rint \
    scalbn sinh tanh ilogb lrint lround llrint llround acosf asinf atanf atan2f cbrtf copysignf coshf frexpf \
    hypotf ldexpf modff powf rintf sinhf tanhf lroundf lrintf gmtime gmtime_r localtime localtime_r mktime timegm \
    asctime asctime_r ctime ctime_r strftime tzset erand48 drand48 nrand48 lrand48 jrand48 mrand48 srand48 strsep \
    strcasestr strchrnul stpncpy strlcpy strlcat strxfrm memmem memrchr rawmemchr mempcpy memccpy bcopy bcmp index \
    rindex ffs";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("a C compiler called `cc`");
    let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{command:?}:\n{said}");
    String::from_utf8(output.stdout).expect("text")
}

/// The compiler's own headers: those that come without a library.
fn compiler_headers() -> String {
    run(Command::new("cc").arg("-print-file-name=include")).trim().to_owned()
}

fn compile_parts(to: &Path) -> Vec<PathBuf> {
    let headers = compiler_headers();
    let compile = |part: &&str| {
        let object = to.join(part.replace('/', "_")).with_extension("o");
        let mut call = Command::new("cc");
        call.args([
            "-c",
            "-O2",
            "-std=gnu11",
            "-ffreestanding",
            "-fno-strict-aliasing",
            "-nostdinc",
        ]);
        call.args(["-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas"]);
        call.arg("-isystem").arg(folder("include")).args(["-isystem", &headers]);
        call.args(NAMES.split_whitespace().map(|name| format!("-D{name}=ct_{name}")));
        run(call.arg(folder("library").join(part)).arg("-o").arg(&object));
        object
    };
    PARTS.iter().map(compile).collect()
}

#[test]
fn the_library_does_what_the_machines_own_does() {
    let made = tempfile::tempdir().unwrap();
    let objects = compile_parts(made.path());
    for subject in ["dates", "format", "functions", "heap", "numbers", "scan", "strings"] {
        let program = made.path().join(subject);
        let source = folder("tests/native").join(subject).with_extension("c");
        let mut call = Command::new("cc");
        call.args([
            "-O1",
            "-g",
            "-std=gnu11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wno-format-truncation",
            "-Wno-format-nonliteral",
        ]);
        run(call.arg(&source).args(&objects).arg("-lm").arg("-o").arg(&program));
        for seed in SEEDS {
            let said = run(Command::new(&program).arg(seed.to_string()));
            assert_eq!(said, "same\n", "{subject}, seed {seed}");
        }
    }
}
