/* Colors: related data have one color, and interleavings of accesses to a color that no serial execution has are
 * found, or kept from happening (ColorSafe; docs/machine.md, Colors; docs/firmware.md).
 *
 * No program's meaning depends on a color. On a machine without colors every function does nothing. What a hart
 * remembers of colors holds until crosstalk_flush_colors: call it when data got another color that harts may have
 * accessed before. */
#ifndef CROSSTALK_COLOR_H
#define CROSSTALK_COLOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest color; 0: the machine has none. Color 0 is uncolored. */
uint32_t crosstalk_last_color(void);

/* A color that was not given before, or was given back; 0: there is none left. */
uint32_t crosstalk_new_color(void);
void crosstalk_give_color(uint32_t color);

/* Gives a color to all words of which a byte is among these. Gives 0, or an error number: EINVAL for a color that the
 * machine does not have, ENOMEM without room for the table; then some of the words may have it. */
int crosstalk_color(const volatile void *from, size_t bytes, uint32_t color);
int crosstalk_uncolor(const volatile void *from, size_t bytes);

/* The color of an address as the table has it. */
uint32_t crosstalk_color_of(const volatile void *address);

/* All harts forget what they remember of colors. */
void crosstalk_flush_colors(void);

/* 0: from now on no color begins a transaction on this thread, nor on those that its hart runs after it; 1: they do
 * again, if the host has switched avoidance on. For parts of a program that must be fast. */
void crosstalk_avoid(int on);

#ifdef __cplusplus
}
#endif

#endif
