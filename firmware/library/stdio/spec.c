/* Reads one conversion of a format. */
#include "format.h"

#include <ctype.h>
#include <string.h>

static bool read_flag(char c, struct crosstalk_spec *spec) {
    switch (c) {
    case '-': return spec->left = true;
    case '+': return spec->plus = true;
    case ' ': return spec->space = true;
    case '#': return spec->alternative = true;
    case '0': return spec->zero = true;
    default: return false;
    }
}

static const char *read_number(const char *at, int *number, struct crosstalk_arguments *from) {
    if (*at == '*') {
        *number = va_arg(from->list, int);
        return at + 1;
    }
    for (*number = 0; isdigit((unsigned char)*at); at++)
        if (*number < 1000000) *number = *number * 10 + *at - '0';
    return at;
}

static enum crosstalk_size size_of(size_t bytes) {
    return bytes == sizeof(int) ? SIZE_INT : SIZE_LONG_LONG;
}

static const char *read_size(const char *at, enum crosstalk_size *size) {
    *size = SIZE_INT;
    switch (*at) {
    case 'h': *size = at[1] == 'h' ? SIZE_CHAR : SIZE_SHORT; break;
    case 'l': *size = at[1] == 'l' ? SIZE_LONG_LONG : SIZE_LONG; break;
    case 'j': *size = SIZE_LONG_LONG; break;
    case 'z': *size = size_of(sizeof(size_t)); break;
    case 't': *size = size_of(sizeof(ptrdiff_t)); break;
    case 'L': *size = SIZE_LONG_DOUBLE; break;
    default: return at;
    }
    bool twice = (*at == 'h' || *at == 'l') && at[1] == *at;
    return at + (twice ? 2 : 1);
}

const char *__crosstalk_parse_spec(const char *percent, struct crosstalk_spec *spec,
                                   struct crosstalk_arguments *from) {
    const char *at = percent + 1;
    memset(spec, 0, sizeof *spec);
    while (read_flag(*at, spec)) at++;
    at = read_number(at, &spec->width, from);
    if (spec->width < 0) {
        spec->left = true;
        spec->width = -spec->width;
    }
    spec->precision = -1;
    if (*at == '.') at = read_number(at + 1, &spec->precision, from);
    at = read_size(at, &spec->size);
    if (!*at) return at;
    if (strchr("diouxXcspnfFeEgG%", *at)) spec->conversion = *at;
    return at + 1;
}
