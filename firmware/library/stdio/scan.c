/* scanf's conversions. Each reads as far as its input goes on to make sense, and gives one character back. */
#include "scan.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 128, FIRST_TEXT = 32 };
enum size { SIZE_INT, SIZE_CHAR, SIZE_SHORT, SIZE_LONG, SIZE_LONG_LONG, SIZE_LONG_DOUBLE };
enum result { MATCHED, MISMATCHED, ENDED };

struct conversion {
    bool ignored;  /* %*d */
    bool allocate; /* %ms */
    int width;     /* INT_MAX if there is none */
    enum size size;
    char letter;
    const char *set, *set_end; /* of %[…], without the brackets and the ^ */
    bool not_set;
};

struct scan {
    const struct crosstalk_source *source;
    va_list list;
    int taken, assigned;
};

static int get(struct scan *scan) {
    int c = scan->source->get(scan->source->from);
    if (c != EOF) scan->taken++;
    return c;
}

static void back(struct scan *scan, int c) {
    if (c == EOF) return;
    scan->source->back(scan->source->from, c);
    scan->taken--;
}

static void skip_space(struct scan *scan) {
    int c;
    do c = get(scan);
    while (c != EOF && isspace(c));
    back(scan, c);
}

static const char *read_size(const char *at, enum size *size) {
    *size = SIZE_INT;
    switch (*at) {
    case 'h': *size = at[1] == 'h' ? SIZE_CHAR : SIZE_SHORT; break;
    case 'l': *size = at[1] == 'l' ? SIZE_LONG_LONG : SIZE_LONG; break;
    case 'q':
    case 'j': *size = SIZE_LONG_LONG; break;
    case 'z':
    case 't': *size = sizeof(size_t) == sizeof(int) ? SIZE_INT : SIZE_LONG_LONG; break;
    case 'L': *size = SIZE_LONG_DOUBLE; break;
    default: return at;
    }
    return at + ((*at == 'h' || *at == 'l') && at[1] == *at ? 2 : 1);
}

/* A closing bracket that comes first is part of the set. */
static const char *read_set(const char *at, struct conversion *conversion) {
    conversion->not_set = *at == '^';
    if (conversion->not_set) at++;
    conversion->set = at;
    if (*at == ']') at++;
    while (*at && *at != ']') at++;
    conversion->set_end = at;
    return *at ? at + 1 : at;
}

static const char *parse(const char *at, struct conversion *conversion) {
    memset(conversion, 0, sizeof *conversion);
    if (*at == '*') conversion->ignored = *at++;
    for (; isdigit((unsigned char)*at); at++)
        if (conversion->width < 1000000) conversion->width = conversion->width * 10 + *at - '0';
    if (!conversion->width) conversion->width = INT_MAX;
    if (*at == 'm') conversion->allocate = *at++;
    at = read_size(at, &conversion->size);
    conversion->letter = *at;
    if (!*at) return at;
    return *at == '[' ? read_set(at + 1, conversion) : at + 1;
}

static void store(struct scan *scan, const struct conversion *conversion, unsigned long long value) {
    if (conversion->ignored) return;
    scan->assigned++;
    switch (conversion->size) {
    case SIZE_CHAR: *va_arg(scan->list, char *) = (char)value; break;
    case SIZE_SHORT: *va_arg(scan->list, short *) = (short)value; break;
    case SIZE_LONG: *va_arg(scan->list, long *) = (long)value; break;
    case SIZE_LONG_LONG: *va_arg(scan->list, long long *) = (long long)value; break;
    default: *va_arg(scan->list, int *) = (int)value;
    }
}

/* A number's characters, as far as they go. */
struct number {
    char text[NUMBER_BYTES];
    int used, left;
    int c; /* the one that was not taken */
};

static void begin_number(struct scan *scan, struct number *number, int width) {
    number->used = 0;
    number->left = width;
    number->c = number->left ? get(scan) : EOF;
}

static void take(struct scan *scan, struct number *number) {
    if (number->used < NUMBER_BYTES - 1) number->text[number->used++] = (char)number->c;
    number->c = --number->left ? get(scan) : EOF;
}

static bool take_if(struct scan *scan, struct number *number, const char *any) {
    bool is = number->c != EOF && strchr(any, number->c) && number->c;
    if (is) take(scan, number);
    return is;
}

static int digit_of(int c) {
    return isdigit(c) ? c - '0' : isalpha(c) ? tolower(c) - 'a' + 10 : INT_MAX;
}

static bool take_digits(struct scan *scan, struct number *number, int base) {
    bool any = false;
    for (; number->c != EOF && digit_of(number->c) < base; any = true) take(scan, number);
    return any;
}

static enum result integer(struct scan *scan, const struct conversion *conversion, int base) {
    struct number number;
    begin_number(scan, &number, conversion->width);
    if (number.c == EOF) return ENDED;
    take_if(scan, &number, "+-");
    bool any = false;
    if ((base == 0 || base == 16) && take_if(scan, &number, "0")) {
        any = true; /* as in glibc, also if no digit follows the x */
        if (take_if(scan, &number, "xX")) base = 16;
        else if (!base) base = 8;
    }
    any |= take_digits(scan, &number, base ? base : 10);
    back(scan, number.c);
    if (!any) return MISMATCHED;
    number.text[number.used] = 0;
    bool is_signed = conversion->letter == 'd' || conversion->letter == 'i';
    int radix = base ? base : 10;
    unsigned long long value = conversion->size == SIZE_LONG_LONG
                                   ? is_signed ? (unsigned long long)strtoll(number.text, NULL, radix)
                                               : strtoull(number.text, NULL, radix)
                               : is_signed ? (unsigned long long)strtol(number.text, NULL, radix)
                                           : strtoul(number.text, NULL, radix);
    store(scan, conversion, value);
    return MATCHED;
}

static enum result pointer(struct scan *scan, const struct conversion *conversion) {
    struct conversion as_word = *conversion;
    as_word.size = SIZE_LONG;
    return integer(scan, &as_word, 16);
}

static bool take_word(struct scan *scan, struct number *number, const char *word) {
    for (; *word; word++)
        if (number->c == EOF || tolower(number->c) != *word) return false;
        else take(scan, number);
    return true;
}

static bool take_real(struct scan *scan, struct number *number) {
    take_if(scan, number, "+-");
    if (number->c == 'i' || number->c == 'I') return take_word(scan, number, "inf");
    if (number->c == 'n' || number->c == 'N') return take_word(scan, number, "nan");
    bool any = take_digits(scan, number, 10);
    if (take_if(scan, number, ".")) any |= take_digits(scan, number, 10);
    if (!any) return false;
    /* As in glibc, an exponent without digits is taken and means nothing. */
    if (take_if(scan, number, "eE")) {
        take_if(scan, number, "+-");
        take_digits(scan, number, 10);
    }
    return true;
}

static enum result real(struct scan *scan, const struct conversion *conversion) {
    struct number number;
    begin_number(scan, &number, conversion->width);
    if (number.c == EOF) return ENDED;
    bool sound = take_real(scan, &number);
    back(scan, number.c);
    if (!sound) return MISMATCHED;
    number.text[number.used] = 0;
    if (conversion->ignored) return MATCHED;
    double value = strtod(number.text, NULL);
    scan->assigned++;
    if (conversion->size == SIZE_LONG_DOUBLE) *va_arg(scan->list, long double *) = value;
    else if (conversion->size == SIZE_LONG) *va_arg(scan->list, double *) = value;
    else *va_arg(scan->list, float *) = (float)value;
    return MATCHED;
}

static bool in_set(const struct conversion *conversion, int c) {
    const char *at = conversion->set;
    bool found = false;
    for (; at < conversion->set_end && !found; at++) {
        if (at + 2 < conversion->set_end && at[1] == '-') {
            found = c >= (unsigned char)at[0] && c <= (unsigned char)at[2];
            at += 2;
        } else {
            found = c == (unsigned char)*at;
        }
    }
    return found != conversion->not_set;
}

static bool belongs(const struct conversion *conversion, int c) {
    switch (conversion->letter) {
    case 'c': return true;
    case 's': return !isspace(c);
    default: return in_set(conversion, c);
    }
}

/* %c, %s and %[: into the program's memory, or into memory that is made for it. */
static enum result text(struct scan *scan, const struct conversion *conversion) {
    bool single = conversion->letter == 'c';
    int width = single && conversion->width == INT_MAX ? 1 : conversion->width;
    size_t room = FIRST_TEXT, used = 0;
    char **there = NULL, *to = NULL;
    if (!conversion->ignored && conversion->allocate) {
        there = va_arg(scan->list, char **);
        to = malloc(room);
    } else if (!conversion->ignored) {
        to = va_arg(scan->list, char *);
    }
    int c = EOF, left = width;
    while (left && (c = get(scan)) != EOF && belongs(conversion, c)) {
        left--;
        if (there && used + 1 >= room) to = realloc(to, room *= 2);
        if (to) to[used] = (char)c;
        used++;
        c = EOF;
    }
    bool ended = left && c == EOF;
    back(scan, c);
    if (!used) {
        if (there) free(to);
        return ended ? ENDED : MISMATCHED;
    }
    if (to && !single) to[used] = 0;
    if (there) *there = to;
    if (!conversion->ignored) scan->assigned++;
    return MATCHED;
}

static enum result literal(struct scan *scan, char wanted) {
    int c = get(scan);
    if (c == (unsigned char)wanted) return MATCHED;
    back(scan, c);
    return c == EOF ? ENDED : MISMATCHED;
}

static enum result convert(struct scan *scan, const struct conversion *conversion) {
    if (!strchr("c[n", conversion->letter)) skip_space(scan);
    switch (conversion->letter) {
    case 'd':
    case 'u': return integer(scan, conversion, 10);
    case 'i': return integer(scan, conversion, 0);
    case 'o': return integer(scan, conversion, 8);
    case 'x':
    case 'X': return integer(scan, conversion, 16);
    case 'p': return pointer(scan, conversion);
    case 'a':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': return real(scan, conversion);
    case 'c':
    case 's':
    case '[': return text(scan, conversion);
    case '%': return literal(scan, '%');
    case 'n':
        store(scan, conversion, (unsigned long long)scan->taken);
        scan->assigned -= !conversion->ignored;
        return MATCHED;
    default: return MISMATCHED;
    }
}

int __crosstalk_scan(const struct crosstalk_source *source, const char *format, va_list arguments) {
    struct scan scan = {.source = source};
    enum result result = MATCHED;
    va_copy(scan.list, arguments);
    while (*format && result == MATCHED) {
        if (isspace((unsigned char)*format)) {
            skip_space(&scan);
            format++;
        } else if (*format == '%') {
            struct conversion conversion;
            format = parse(format + 1, &conversion);
            result = convert(&scan, &conversion);
        } else {
            result = literal(&scan, *format++);
        }
    }
    va_end(scan.list);
    return result == ENDED && !scan.assigned ? EOF : scan.assigned;
}
