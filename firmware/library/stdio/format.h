/* What the parts of printf share. */
#ifndef CROSSTALK_FORMAT_H
#define CROSSTALK_FORMAT_H

#include "../internal.h"

enum crosstalk_size { SIZE_INT, SIZE_CHAR, SIZE_SHORT, SIZE_LONG, SIZE_LONG_LONG, SIZE_LONG_DOUBLE };

/* One conversion: %-+ #0 width . precision size conversion. */
struct crosstalk_spec {
    bool left, plus, space, alternative, zero;
    int width, precision; /* precision: -1 if there is none */
    enum crosstalk_size size;
    char conversion; /* 0: not one that is known */
};

struct crosstalk_out {
    crosstalk_put *put;
    void *to;
    int total;
};

/* In a structure, so that it can be passed by address on every machine. */
struct crosstalk_arguments {
    va_list list;
};

const char *__crosstalk_parse_spec(const char *percent, struct crosstalk_spec *spec,
                                   struct crosstalk_arguments *from);
void __crosstalk_emit(struct crosstalk_out *out, const char *bytes, size_t count);
void __crosstalk_emit_many(struct crosstalk_out *out, char c, int count);
void __crosstalk_emit_number(struct crosstalk_out *out, const struct crosstalk_spec *spec,
                             const char *prefix, int zeros, const char *digits, int count);
void __crosstalk_emit_real(struct crosstalk_out *out, struct crosstalk_spec *spec, double value);

#endif
