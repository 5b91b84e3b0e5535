#ifndef CROSSTALK_HEAP_H
#define CROSSTALK_HEAP_H

void __crosstalk_heap_begin(char *from, char *to);

#endif
