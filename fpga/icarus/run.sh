#!/bin/sh
# Runs a program on the generated machine under Icarus Verilog, and checks what it did.
#
#   fpga/icarus/run.sh                 the machine in rtl/
#   fpga/icarus/run.sh FOLDER          the machine that `cargo xtask gen-rtl --out FOLDER` wrote
#
# Exit codes: 0 it passed, 1 it failed, 2 wrong use or Icarus is missing.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/../../rtl}

stop() {
  echo "run.sh: $1" >&2
  exit 2
}

[ $# -le 1 ] || stop "give one folder, or none for rtl/"
[ -f "$folder/soc.v" ] || stop "$folder has no soc.v; \`cargo xtask gen-rtl --out $folder\` writes it"
command -v iverilog > /dev/null && command -v vvp > /dev/null ||
  stop "Icarus Verilog is not on the PATH (Debian package \`iverilog\`)"

# What the bench has to know of the configuration stands in the machine's port list: the mask of the
# host's writes has a bit for each byte of a line, and only a machine with monitors has a tap.
last=$(sed -n 's/.*\[\([0-9]*\):0\] host_request_payload_mask,$/\1/p' "$folder/soc.v")
[ -n "$last" ] || stop "$folder/soc.v is not a machine of Crosstalk"
monitor=0
if grep -q 'output wire tap_valid,$' "$folder/soc.v"; then monitor=1; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
iverilog -g2005 -s bench -P "bench.LINE=$((last + 1))" -P "bench.MONITOR=$monitor" \
  -o "$work/bench.vvp" "$here/bench.v" "$folder"/*.v || exit 1
vvp -n "$work/bench.vvp" "+program=$here/program.hex" | tee "$work/printed"
grep -q '^PASS' "$work/printed"
