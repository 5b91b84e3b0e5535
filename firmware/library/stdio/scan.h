/* What the parts of scanf share. */
#ifndef CROSSTALK_SCAN_H
#define CROSSTALK_SCAN_H

#include "../internal.h"

/* Where characters come from. `back` takes back the last one. */
struct crosstalk_source {
    int (*get)(void *from); /* -1: the end */
    void (*back)(void *from, int c);
    void *from;
};

int __crosstalk_scan(const struct crosstalk_source *source, const char *format, va_list arguments);

#endif
