/* The record stream of docs/records.md, from all harts in turn. */
#ifndef CROSSTALK_STREAM_H
#define CROSSTALK_STREAM_H

#include "../boot/machine.h"

#include <crosstalk_record.h>

void crosstalk_stream_edges(const uint32_t *edges, uint32_t count);
void crosstalk_stream_lost(uint32_t hart, uint32_t lost, bool wrapped);
void crosstalk_stream_end(ct_ending *how);

#endif
