/* Codes and sizes of the record stream (docs/records.md).
 * Generated from `border` by `cargo xtask gen-border`: change it there. */
#ifndef CROSSTALK_RECORD_NUMBERS_H
#define CROSSTALK_RECORD_NUMBERS_H

enum ct_frame {
    CT_FRAME_HEADER = 1, /* header: what ran, and how */
    CT_FRAME_EDGES = 2, /* edges, 28 bytes each */
    CT_FRAME_WIDE_EDGES = 3, /* edges with wide pcs and times, 44 bytes each */
    CT_FRAME_TOTALS = 4, /* counted edges, 32 bytes each */
    CT_FRAME_WIDE_TOTALS = 5, /* counted edges with wide pcs and times, 48 bytes each */
    CT_FRAME_LOST = 6, /* number of edges a hart lost so far */
    CT_FRAME_END = 7, /* end: how the run ended */
};

enum ct_collected {
    CT_COLLECTED_UNKNOWN = 0, /* not recorded */
    CT_COLLECTED_FIRMWARE = 1, /* firmware drained the communication tables */
    CT_COLLECTED_TAP = 2, /* the simulation's tap showed every edge */
    CT_COLLECTED_MODEL = 3, /* a software model made them */
    CT_COLLECTED_UNION = 4, /* union of several runs */
};

enum ct_outcome {
    CT_OUTCOME_UNKNOWN = 0, /* not recorded */
    CT_OUTCOME_EXIT = 1, /* the program exited */
    CT_OUTCOME_ASSERTION = 2, /* an assertion failed */
    CT_OUTCOME_FAULT = 3, /* an exception that the program did not expect */
    CT_OUTCOME_DEADLOCK = 4, /* all threads wait for each other */
    CT_OUTCOME_CYCLE_LIMIT = 5, /* stopped at the limit of cycles */
};

/* The format. */
#define CT_SYNC_0 0xc7
#define CT_SYNC_1 0x5a
#define CT_MAGIC "XTALKRUN"
#define CT_VERSION 1

/* Sizes, in bytes where they say nothing else. */
#define CT_HEAD_BYTES 8 /* of a frame, before its payload */
#define CT_TAIL_BYTES 4 /* of a frame, after its payload */
#define CT_MAX_PAYLOAD 2016
#define CT_EDGE_WORDS 7 /* 32-bit words of an edge */
#define CT_MAX_EDGES 72 /* edges of a frame */
#define CT_HEADER_BYTES 96 /* of a header, before the name */
#define CT_LOST_BYTES 8 /* of a lost count */
#define CT_END_BYTES 44 /* of an end, before its text */
#define CT_MAX_TEXT 1024

/* Parts of a frame's head and of its payload: offset and size. */
#define CT_HEAD_SYNC_AT 0
#define CT_HEAD_SYNC_BYTES 2
#define CT_HEAD_KIND_AT 2
#define CT_HEAD_KIND_BYTES 1
#define CT_HEAD_SEQUENCE_AT 3
#define CT_HEAD_SEQUENCE_BYTES 1
#define CT_HEAD_LENGTH_AT 4
#define CT_HEAD_LENGTH_BYTES 2
#define CT_HEAD_COMPLEMENT_AT 6
#define CT_HEAD_COMPLEMENT_BYTES 2
#define CT_HEADER_MAGIC_AT 0
#define CT_HEADER_MAGIC_BYTES 8
#define CT_HEADER_VERSION_AT 8
#define CT_HEADER_VERSION_BYTES 2
#define CT_HEADER_LABEL_AT 10
#define CT_HEADER_LABEL_BYTES 1
#define CT_HEADER_COLLECTED_AT 11
#define CT_HEADER_COLLECTED_BYTES 1
#define CT_HEADER_EVENTS_AT 12
#define CT_HEADER_EVENTS_BYTES 1
#define CT_HEADER_HARTS_AT 13
#define CT_HEADER_HARTS_BYTES 1
#define CT_HEADER_PC_BITS_AT 14
#define CT_HEADER_PC_BITS_BYTES 1
#define CT_HEADER_TIME_BITS_AT 15
#define CT_HEADER_TIME_BITS_BYTES 1
#define CT_HEADER_SEED_AT 16
#define CT_HEADER_SEED_BYTES 8
#define CT_HEADER_RUNS_AT 24
#define CT_HEADER_RUNS_BYTES 4
#define CT_HEADER_NAME_LENGTH_AT 28
#define CT_HEADER_NAME_LENGTH_BYTES 4
#define CT_HEADER_CONFIG_AT 32
#define CT_HEADER_CONFIG_BYTES 32
#define CT_HEADER_ELF_AT 64
#define CT_HEADER_ELF_BYTES 32
#define CT_LOST_HART_AT 0
#define CT_LOST_HART_BYTES 1
#define CT_LOST_RESERVED_AT 1
#define CT_LOST_RESERVED_BYTES 3
#define CT_LOST_COUNT_AT 4
#define CT_LOST_COUNT_BYTES 4
#define CT_END_OUTCOME_AT 0
#define CT_END_OUTCOME_BYTES 1
#define CT_END_WRAPPED_AT 1
#define CT_END_WRAPPED_BYTES 1
#define CT_END_TEXT_LENGTH_AT 2
#define CT_END_TEXT_LENGTH_BYTES 2
#define CT_END_CHAIN_AT 4
#define CT_END_CHAIN_BYTES 4
#define CT_END_RECORDS_AT 8
#define CT_END_RECORDS_BYTES 8
#define CT_END_CYCLES_AT 16
#define CT_END_CYCLES_BYTES 8
#define CT_END_A_AT 24
#define CT_END_A_BYTES 8
#define CT_END_B_AT 32
#define CT_END_B_BYTES 8
#define CT_END_C_AT 40
#define CT_END_C_BYTES 4

#endif
