/* Numbers of the machine (docs/machine.md, docs/units.md) and of the host (docs/firmware.md).
 * Generated from `border` by `cargo xtask gen-border`: change it there. */
#ifndef CROSSTALK_MACHINE_NUMBERS_H
#define CROSSTALK_MACHINE_NUMBERS_H

/* Address map: first addresses, and those after the last. */
#define CLINT 0x02000000
#define CLINT_END 0x02010000
#define UART 0x10000000
#define UART_END 0x10000100
#define MONITORS 0x11000000
#define MONITORS_END 0x11010000
#define RAM 0x80000000

/* Monitor windows: bytes of a hart's window, numbers of its 32-bit words, fields. */
#define MONITOR_STRIDE 0x1000
#define MONITOR_STRIDE_BITS 12
#define MONITOR_EDGE_WORDS 7 /* words of an edge, from word 0 */
#define MONITOR_SOURCE_PC 0 /* Source pc of the oldest edge, low half. */
#define MONITOR_SINK_PC 1 /* Sink pc of the oldest edge, low half. */
#define MONITOR_SOURCE_CONTEXT 2 /* Source context of the oldest edge. */
#define MONITOR_SINK_CONTEXT 3 /* Sink context of the oldest edge. */
#define MONITOR_SOURCE_TIME 4 /* Source time of the oldest edge, low half; 0: none. */
#define MONITOR_SINK_TIME 5 /* Sink time of the oldest edge, low half. */
#define MONITOR_KIND_AND_HARTS 6 /* Kind and harts of the oldest edge; reading this word pops the edge. */
#define MONITOR_KIND_AND_HARTS_KIND 0x30000 /* 0 RAW, 1 WAW, 2 memory */
#define MONITOR_KIND_AND_HARTS_SOURCE_HART 0xff00 /* number of the source's hart */
#define MONITOR_KIND_AND_HARTS_SINK_HART 0xff /* number of the sink's hart */
#define MONITOR_SOURCE_PC_UPPER 8 /* Source pc of the oldest edge, bits 32 and up. */
#define MONITOR_SINK_PC_UPPER 9 /* Sink pc of the oldest edge, bits 32 and up. */
#define MONITOR_TABLE_COUNT 16 /* Number of edges in the table. */
#define MONITOR_TABLE_LOST 17 /* Number of edges dropped because the table was full; saturates. */
#define MONITOR_TABLE_WATERMARK 18 /* Interrupt threshold, in edges; 0 disables the interrupt. */
#define MONITOR_TABLE_CONTROL 19 /* Commands to the table. */
#define MONITOR_TABLE_CONTROL_CLEAR 0x1 /* writing 1 empties the table and clears `table_lost` and `time_wrapped` */
#define MONITOR_TIME_WRAPPED 20 /* Whether times can be compared. */
#define MONITOR_TIME_WRAPPED_WRAPPED 0x1 /* transaction numbers have wrapped around since the table was cleared */
#define MONITOR_CONTROL 32 /* Filter: modes. */
#define MONITOR_CONTROL_ENABLE 0x1 /* the monitor is on */
#define MONITOR_CONTROL_SELECT_USER 0x2 /* accesses of U mode are selected */
#define MONITOR_CONTROL_SELECT_MACHINE 0x4 /* accesses of M mode are selected */
#define MONITOR_RANGE_LOW 33 /* Filter: lowest monitored pc, low half. */
#define MONITOR_RANGE_HIGH 34 /* Filter: end of the monitored pcs (exclusive), low half. */
#define MONITOR_RANGE_LOW_UPPER 35 /* Filter: lowest monitored pc, bits 32 and up. */
#define MONITOR_RANGE_HIGH_UPPER 36 /* Filter: end of the monitored pcs (exclusive), bits 32 and up. */
#define MONITOR_CONTEXT 37 /* The hart's context; write 0 when a thread starts. */

/* CLINT: addresses of hart 0's words, bytes from one hart's word to the next one's. */
#define CLINT_MSIP 0x02000000 /* Software interrupt of a hart. */
#define CLINT_MSIP_STRIDE 4
#define CLINT_MTIMECMP 0x02004000 /* Time at which a hart's timer interrupt becomes pending, low half. */
#define CLINT_MTIMECMP_STRIDE 8
#define CLINT_MTIMECMP_HIGH 0x02004004 /* Time at which a hart's timer interrupt becomes pending, high half. */
#define CLINT_MTIMECMP_HIGH_STRIDE 8
#define CLINT_MTIME 0x0200bff8 /* Cycles since reset, low half. */
#define CLINT_MTIME_HIGH 0x0200bffc /* Cycles since reset, high half. */

/* UART: numbers of its 8-bit registers, fields. */
#define UART_DATA 0 /* RBR (read): takes the received byte. THR (write): sends a byte; dropped without room. */
#define UART_LINE_CONTROL 3 /* LCR: keeps what is written. */
#define UART_LINE_CONTROL_DIVISOR_ACCESS 0x80 /* while set, registers 0 and 1 read 0 and ignore writes */
#define UART_LINE_STATUS 5 /* LSR. */
#define UART_LINE_STATUS_RECEIVED 0x1 /* a received byte is ready */
#define UART_LINE_STATUS_ROOM 0x20 /* the transmitter has room */
#define UART_LINE_STATUS_IDLE 0x40 /* the same: the transmitter has room */
#define UART_SCRATCH 7 /* SCR: keeps what is written. */

/* Exceptions, as in mcause. */
#define CAUSE_MISALIGNED_FETCH 0 /* misaligned fetch */
#define CAUSE_FETCH_ACCESS 1 /* fetch access fault */
#define CAUSE_ILLEGAL_INSTRUCTION 2 /* illegal instruction */
#define CAUSE_BREAKPOINT 3 /* breakpoint */
#define CAUSE_MISALIGNED_LOAD 4 /* misaligned load */
#define CAUSE_LOAD_ACCESS 5 /* load access fault */
#define CAUSE_MISALIGNED_STORE 6 /* misaligned store */
#define CAUSE_STORE_ACCESS 7 /* store access fault */
#define CAUSE_ECALL_FROM_USER 8 /* ecall from U mode */
#define CAUSE_ECALL_FROM_MACHINE 11 /* ecall from M mode */

/* Interrupts: numbers, values of mcause, bits of mie and mip. */
#define INTERRUPT_NUMBER_SOFTWARE 3 /* software interrupt: `msip` of this hart is set */
#define INTERRUPT_SOFTWARE 0x80000003
#define MIE_SOFTWARE 0x8
#define INTERRUPT_NUMBER_TIMER 7 /* timer interrupt: `mtime` has reached `mtimecmp` */
#define INTERRUPT_TIMER 0x80000007
#define MIE_TIMER 0x80
#define INTERRUPT_NUMBER_TABLE 16 /* communication table: it holds at least as many edges as its watermark */
#define INTERRUPT_TABLE 0x80000010
#define MIE_TABLE 0x10000

/* Fields of mstatus. */
#define MSTATUS_MIE 0x8 /* interrupts enabled in M mode */
#define MSTATUS_MPIE 0x80 /* `MIE` before the last trap */
#define MSTATUS_MPP 0x1800 /* mode before the last trap: 0 U, 3 M */
#define MSTATUS_MPRV 0x20000 /* loads and stores have the rights of the mode in `MPP` */

/* The most harts that the firmware supports. */
#define MAX_HARTS 16

/* HTIF: high halves of `tohost` that read and write a character of the console. */
#define HOST_READ_CHARACTER 0x01000000
#define HOST_WRITE_CHARACTER 0x01010000

#ifdef __ASSEMBLER__
#define HOST_READ 63 /* reads standard input: descriptor 0, address, count; gives the count, 0 at its end, or a negative error number */
#define HOST_WRITE 64 /* writes bytes: descriptor, address, count; gives the count or a negative error number */
#define HOST_EXIT 93 /* ends the run: exit code */
#define HOST_EXIT_GROUP 94 /* the same, as programs with threads call it */
#define DESCRIPTOR_CONSOLE 1 /* console */
#define DESCRIPTOR_ERRORS 2 /* errors */
#define DESCRIPTOR_RECORDS 3 /* record stream: consecutive bytes of it, whole frames at a time */
#define DESCRIPTOR_BARE_EDGES 4 /* bare edges, 28 bytes each */
#else
#include <stdint.h>

enum host_call {
    HOST_READ = 63, /* reads standard input: descriptor 0, address, count; gives the count, 0 at its end, or a negative error number */
    HOST_WRITE = 64, /* writes bytes: descriptor, address, count; gives the count or a negative error number */
    HOST_EXIT = 93, /* ends the run: exit code */
    HOST_EXIT_GROUP = 94, /* the same, as programs with threads call it */
};

enum descriptor {
    DESCRIPTOR_CONSOLE = 1, /* console */
    DESCRIPTOR_ERRORS = 2, /* errors */
    DESCRIPTOR_RECORDS = 3, /* record stream: consecutive bytes of it, whole frames at a time */
    DESCRIPTOR_BARE_EDGES = 4, /* bare edges, 28 bytes each */
};

enum drain_mode {
    DRAIN_OFF = 0, /* nobody: the simulation's tap collects the edges */
    DRAIN_WATERMARK = 1, /* each hart its own, when it is filled to the watermark */
    DRAIN_FULL = 2, /* each hart its own, when it is full */
    DRAIN_SPARE = 3, /* the last hart, which runs no thread, reads all tables in turn */
};

enum records {
    RECORDS_NONE = 0, /* nothing */
    RECORDS_FRAMED = 1, /* the record stream */
    RECORDS_BARE = 2, /* the record stream without its edges; these bare, to descriptor 4 (host only) */
};

enum out {
    OUT_HOST = 0, /* to the host, through `tohost` */
    OUT_UART = 1, /* to the UART */
};

struct parameters {
    uint32_t magic; /* `XTLK` */
    uint32_t version; /* version of this block */
    uint32_t harts; /* most harts to use; 0: all */
    uint32_t ram_bytes; /* bytes of RAM; 0: found at boot */
    uint32_t ticks_per_second; /* ticks of the `time` CSR in a second */
    uint32_t out; /* where console and records go */
    uint32_t monitor; /* value of each monitor's `control` register; 0: off */
    uint32_t range_low; /* monitored text, first pc; both ends 0: the program without the library */
    uint32_t range_high; /* monitored text, end (exclusive) */
    uint32_t drain; /* drain mode */
    uint32_t watermark; /* watermark of drain mode 1, in edges; 0: ¾ of the table's depth */
    uint32_t buffer_entries; /* edges in a hart's buffer */
    uint32_t thread_stack; /* bytes of a thread's stack */
    uint32_t main_stack; /* bytes of the first thread's stack */
    uint32_t seed_low; /* for the record's header: seed of the schedule, low half */
    uint32_t seed_high; /* for the record's header: seed of the schedule, high half */
    uint8_t events; /* for the record's header: events of a context */
    uint8_t pc_bits; /* for the record's header: bits of a pc */
    uint8_t time_bits; /* for the record's header: bits of a timestamp */
    uint8_t records; /* what is sent of records */
    uint32_t argument_count; /* number of arguments */
    uint8_t config_hash[32]; /* for the record's header: SHA-256 of the configuration */
    uint8_t elf_hash[32]; /* for the record's header: SHA-256 of the program */
    char arguments[1024]; /* arguments, each with a zero byte at its end */
};
#ifndef __cplusplus
_Static_assert(sizeof(struct parameters) == 1160, "no padding");
#endif

/* The block's initial values. */
#define PARAMETERS_INITIALLY \
    .magic = 0x4b4c5458, \
    .version = 0x1, \
    .ticks_per_second = 0xf4240, \
    .monitor = 0x3, \
    .drain = 0x1, \
    .buffer_entries = 0x800, \
    .thread_stack = 0x40000, \
    .main_stack = 0x100000, \
    .events = 0x5, \
    .pc_bits = 0x20, \
    .time_bits = 0x20, \
    .records = 0x1, \
    .argument_count = 0x1, \
    .arguments = "program"
#endif

#endif
