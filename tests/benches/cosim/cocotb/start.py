"""Builds the model with cocotb's own runner, then runs the loop in it."""

import os
import sys

from cocotb_tools.runner import get_runner

import design

os.environ["MAKEFLAGS"] = f"OPT_FAST={design.OPTIMIZATION} OPT_GLOBAL={design.OPTIMIZATION}"
runner = get_runner("verilator")
try:
    runner.build(
        sources=design.SOURCES,
        hdl_toplevel=design.TOP,
        build_dir="build",
        build_args=design.FLAGS,
        log_file="build.log",
    )
except BaseException as error:
    sys.exit(f"cocotb cannot build the model: {error}")
runner.test(
    hdl_toplevel=design.TOP,
    test_module="loop",
    build_dir="build",
    extra_env={"COCOTB_LOG_LEVEL": "ERROR", "GPI_LOG_LEVEL": "ERROR"},
)
