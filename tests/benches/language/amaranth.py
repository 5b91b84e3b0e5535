"""Converts Amaranth's FIFO on request and answers with the nanoseconds that it took.

A request is a line: `rtlil` or `verilog`. Start and imports come before the first request.
"""

import sys
import time

from amaranth.back import rtlil, verilog
from amaranth.lib.fifo import SyncFIFO


def convert(backend):
    fifo = SyncFIFO(width=148, depth=16)
    ports = [fifo.w_data, fifo.w_rdy, fifo.w_en, fifo.r_data, fifo.r_rdy, fifo.r_en, fifo.level]
    return backend.convert(fifo, ports=ports)


# Processor time of this process; Yosys is another one, so that there only the clock on the wall
# tells.
WAYS = {"rtlil": (rtlil, time.thread_time_ns), "verilog": (verilog, time.perf_counter_ns)}

print("ready", flush=True)
for line in sys.stdin:
    backend, clock = WAYS[line.strip()]
    start = clock()
    try:
        convert(backend)
    except Exception as error:
        print("failed", str(error).replace("\n", " "), flush=True)
    else:
        print(clock() - start, flush=True)
