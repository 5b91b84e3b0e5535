#ifndef CROSSTALK_MALLOC_H
#define CROSSTALK_MALLOC_H

#include <stdlib.h>

void *memalign(size_t alignment, size_t bytes);
void *valloc(size_t bytes);
size_t malloc_usable_size(void *block);

#endif
