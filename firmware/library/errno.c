#include "internal.h"

#include <errno.h>

_Thread_local int errno;
