/* Files that a program opens: what printing needs (file.h), and behind it what reading needs. */
#ifndef CROSSTALK_STREAM_H
#define CROSSTALK_STREAM_H

#include "file.h"

enum { PUSHED_BACK = 8 };

/* Bytes that were read and not yet given away, with room in front for those that are given back. */
struct crosstalk_reading {
    size_t at, end;
    char bytes[PUSHED_BACK + BUFSIZ];
};

struct crosstalk_stream {
    FILE file; /* first: a FILE * points to either */
    struct crosstalk_reading reading;
    struct crosstalk_stream *next; /* that is open */
};

/* With the file's mutex held. */
struct crosstalk_reading *__crosstalk_reading(FILE *file); /* NULL: it is for writing only */
int __crosstalk_get(FILE *file);
void __crosstalk_unget(FILE *file, int c);

#endif
