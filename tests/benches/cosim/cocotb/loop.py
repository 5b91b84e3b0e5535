"""A loop around the ports of the design.

See `peer.rs` of the benchmark for what is asked of it.
"""

import array
import os
import sys
import time

import cocotb
from cocotb.triggers import Timer

import design

MASK = (1 << 64) - 1


def turned(word, place):
    return (word << place | word >> (64 - place)) & MASK


def read_rows():
    words = array.array("Q")
    with open(os.environ["CROSSTALK_ROWS"], "rb") as file:
        words.frombytes(file.read())
    count = len(design.INPUTS)
    return [words[start : start + count].tolist() for start in range(0, len(words), count)]


async def one_round(clock, inputs, outputs, rows):
    seen = 0
    for row in rows:
        for handle, word in zip(inputs, row):
            handle.value = word
        clock.value = 0
        await Timer(1, "ns")
        every = 0
        for place, handle in enumerate(outputs):
            every ^= turned(int(handle.value), place)
        seen = turned(seen, 7) ^ every
        clock.value = 1
        await Timer(1, "ns")
    return seen


@cocotb.test()
async def rounds_on_request(dut):
    rows = read_rows()
    inputs = [getattr(dut, name) for name in design.INPUTS]
    outputs = [getattr(dut, name) for name in design.OUTPUTS]
    print("peer: ready", flush=True)
    for line in sys.stdin:
        seen = 0
        start = time.thread_time_ns()
        for _ in range(int(line)):
            seen = await one_round(dut.clk, inputs, outputs, rows)
        print(f"peer: {time.thread_time_ns() - start} {seen:x}", flush=True)
