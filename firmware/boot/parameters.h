/* What the host may set in a linked program before it runs, without compiling it again: the block at
 * the symbol `crosstalk_parameters`. docs/firmware.md lists it byte by byte; all zeros would be wrong,
 * and words after the known ones are ignored. */
#ifndef CROSSTALK_PARAMETERS_H
#define CROSSTALK_PARAMETERS_H

#include "machine.h"

extern const volatile struct parameters crosstalk_parameters;

#endif
