#ifndef CROSSTALK_ALLOCA_H
#define CROSSTALK_ALLOCA_H

#include <stddef.h>

#undef alloca
#define alloca(bytes) __builtin_alloca(bytes)

#endif
