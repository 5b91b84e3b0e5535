/* CRC-32 of IEEE 802.3 over words, a byte at a time, together with the copy. */
#ifndef CROSSTALK_CHECKSUM_H
#define CROSSTALK_CHECKSUM_H

#include <stdint.h>

uint32_t crosstalk_checksum_copy(uint32_t crc, uint32_t *to, const uint32_t *from, uint32_t words);

#endif
