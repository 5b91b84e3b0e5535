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

#endif
