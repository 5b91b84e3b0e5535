/* Numbers of colors: the table in memory, a hart's registers (docs/machine.md, Colors).
 * Generated from `border` by `cargo xtask gen-border`: change it there. */
#ifndef CROSSTALK_COLOR_NUMBERS_H
#define CROSSTALK_COLOR_NUMBERS_H

/* Entries of the table of colors: fields, kinds, how many a table has. */
#define COLOR_ENTRY_KIND 0x3 /* what the entry says */
#define COLOR_ENTRY_KIND_AT 0
#define COLOR_ENTRY_SIZE 0x7c /* at the last level: it speaks for the aligned 2^size words around it; more than 10 counts as 10 */
#define COLOR_ENTRY_SIZE_AT 2
#define COLOR_ENTRY_TABLE 0xfffff000 /* the page of the next table */
#define COLOR_ENTRY_TABLE_AT 12
#define COLOR_ENTRY_COLOR 0xffff0000 /* the color */
#define COLOR_ENTRY_COLOR_AT 16
#define COLOR_KIND_UNCOLORED 0 /* its range has no color */
#define COLOR_KIND_COLORED 1 /* its range has one color */
#define COLOR_KIND_TABLE 2 /* the next table says more; at the last level: no color */
#define COLOR_KIND_RESERVED 3 /* no color */
#define COLOR_TABLE_ENTRIES 1024
#define COLOR_MOST_SIZE 10

/* Numbers of a hart's 32-bit words in its monitor window, fields. */
#define COLORS_COLOR_CONTROL 64 /* What the hart does with colors. */
#define COLORS_COLOR_CONTROL_TRACK 0x1 /* accesses are tracked */
#define COLORS_COLOR_CONTROL_DEBUG 0x2 /* debugging mode: accesses are tested */
#define COLORS_COLOR_CONTROL_SEARCH 0x4 /* deployment mode: ended epochs are searched */
#define COLORS_COLOR_CONTROL_AVOID 0x8 /* colors of the set begin transactions */
#define COLORS_COLOR_COMMAND 65 /* Commands. */
#define COLORS_COLOR_COMMAND_FLUSH 0x1 /* writing 1 empties the lookaside buffer */
#define COLORS_COLOR_COMMAND_CLEAR_SET 0x2 /* writing 1 empties the set of hazardous colors */
#define COLORS_COLOR_COMMAND_CLEAR_COUNTERS 0x4 /* writing 1 clears the counters */
#define COLORS_COLOR_COMMAND_CLEAR_FILTER 0x8 /* writing 1 makes detections that were reported be reported again */
#define COLORS_COLOR_TABLE 66 /* Address of the first table of colors; its low 12 bits read 0. */
#define COLORS_COLOR_RANGE_LOW 67 /* Lowest pc of tracked accesses. */
#define COLORS_COLOR_RANGE_HIGH 68 /* End of the pcs of tracked accesses (exclusive). */
#define COLORS_EPOCH_LENGTH 69 /* Length of an epoch; 0: `color.epoch`. Fewer than a signature's rows and 2 more count as that many. */
#define COLORS_EPOCH_LENGTH_EPOCH_INSTRUCTIONS 0xffff /* instructions */
#define COLORS_HISTORY_ITEMS 70 /* History items that count, the newest; 0, or more than there are: all. */
#define COLORS_HISTORY_ITEMS_ITEMS_IN_USE 0x7f /* items */
#define COLORS_TRANSACTION_LENGTH 71 /* Length of a transaction; 0: 3000. Fewer than 16 count as 16. */
#define COLORS_TRANSACTION_LENGTH_TRANSACTION_INSTRUCTIONS 0xffff /* instructions */
#define COLORS_HAZARD_COLOR 72 /* A color and whether it is in the set of hazardous colors. Writes choose the color, and put it into the set if they say so. */
#define COLORS_HAZARD_COLOR_HAZARD 0xffff /* the color */
#define COLORS_HAZARD_COLOR_MEMBER 0x10000 /* read: it is in the set; written 1: it enters the set */
#define COLORS_USER_INSTRUCTIONS 80 /* Instructions that retired in U mode while accesses were tracked. */
#define COLORS_TRACKED_ACCESSES 81 /* Tracked accesses. */
#define COLORS_COLOR_WALKS 82 /* Walks through the tables of colors. */
#define COLORS_DETECTIONS 83 /* Detections, those that are not reported too. */
#define COLORS_STARTS 84 /* Transactions begun. */
#define COLORS_ABORTS 85 /* Transactions aborted. */
#define COLORS_GIVE_UPS 86 /* How often the hart gave up. */
#define COLORS_COMMITTED_INSTRUCTIONS 87 /* Instructions in transactions that committed. */
#define COLORS_ABORTED_INSTRUCTIONS 88 /* Instructions in transactions that aborted. */
#define COLORS_COMMITS_LENGTH 96 /* Commits at the length. */
#define COLORS_COMMITS_TRAP 97 /* Commits before a trap. */
#define COLORS_COMMITS_INTERRUPT 98 /* Commits before an interrupt. */
#define COLORS_COMMITS_CSR 99 /* Commits before a CSR instruction. */
#define COLORS_COMMITS_WFI 100 /* Commits before WFI. */
#define COLORS_COMMITS_FENCE_I 101 /* Commits before FENCE.I. */
#define COLORS_COMMITS_EVICTION 102 /* Commits before an eviction. */
#define COLORS_COMMITS_WATCHED 103 /* Commits before an access to the watched word. */

/* Interleavings that cannot be serialized: bits of a detection. */
#define COLOR_CASE_RWR 0 /* a read, another hart's write, a read */
#define COLOR_CASE_RWW 1 /* a read, another hart's write, a write */
#define COLOR_CASE_WWR 2 /* a write, another hart's write, a read */
#define COLOR_CASE_WRW 3 /* a write, another hart's read, a write */
#define COLOR_CASE_WWW 4 /* a write, another hart's write, a write */

#endif
