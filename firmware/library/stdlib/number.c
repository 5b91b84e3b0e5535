#include "../internal.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

static int digit_value(char c) {
    if (isdigit((unsigned char)c)) return c - '0';
    if (isalpha((unsigned char)c)) return tolower((unsigned char)c) - 'a' + 10;
    return INT_MAX;
}

static bool is_prefix(const char *text, int base) {
    return text[0] == '0' && (text[1] | 32) == 'x' && digit_value(text[2]) < 16 && (base == 0 || base == 16);
}

/* The number at `text` and its sign. A number above `limit` is `limit`, and an error. */
static unsigned long long parse(const char *text, char **end, int base, unsigned long long limit,
                                unsigned long long negative_limit, bool *negative) {
    const char *begin = text;
    *negative = false;
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        if (end) *end = (char *)begin;
        return 0;
    }
    while (isspace((unsigned char)*text)) text++;
    if (*text == '+' || *text == '-') *negative = *text++ == '-';
    if (is_prefix(text, base)) {
        text += 2;
        base = 16;
    } else if (base == 0) {
        base = *text == '0' ? 8 : 10;
    }
    if (*negative) limit = negative_limit;
    unsigned long long value = 0;
    bool any = false, over = false;
    for (int digit; (digit = digit_value(*text)) < base; text++) {
        any = true;
        if (over || value > (limit - (unsigned)digit) / (unsigned)base) over = true;
        else value = value * (unsigned)base + (unsigned)digit;
    }
    if (end) *end = (char *)(any ? text : begin);
    if (over) {
        errno = ERANGE;
        return limit;
    }
    return value;
}

static long long parse_signed(const char *text, char **end, int base, long long most) {
    bool negative;
    unsigned long long value =
        parse(text, end, base, (unsigned long long)most, (unsigned long long)most + 1, &negative);
    return (long long)(negative ? 0 - value : value);
}

/* Of an unsigned number that does not fit not even the sign counts. */
static unsigned long long parse_unsigned(const char *text, char **end, int base, unsigned long long most) {
    bool negative;
    int before = errno;
    errno = 0;
    unsigned long long value = parse(text, end, base, most, most, &negative);
    bool over = errno == ERANGE;
    if (!errno) errno = before;
    return negative && !over ? 0 - value : value;
}

long strtol(const char *restrict text, char **restrict end, int base) {
    return (long)parse_signed(text, end, base, LONG_MAX);
}

long long strtoll(const char *restrict text, char **restrict end, int base) {
    return parse_signed(text, end, base, LLONG_MAX);
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base) {
    return (unsigned long)parse_unsigned(text, end, base, ULONG_MAX);
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base) {
    return parse_unsigned(text, end, base, ULLONG_MAX);
}

int atoi(const char *text) {
    return (int)strtol(text, NULL, 10);
}

long atol(const char *text) {
    return strtol(text, NULL, 10);
}

long long atoll(const char *text) {
    return strtoll(text, NULL, 10);
}

int abs(int value) {
    return value < 0 ? -value : value;
}

long labs(long value) {
    return value < 0 ? -value : value;
}

long long llabs(long long value) {
    return value < 0 ? -value : value;
}

div_t div(int a, int b) {
    return (div_t){a / b, a % b};
}

ldiv_t ldiv(long a, long b) {
    return (ldiv_t){a / b, a % b};
}

lldiv_t lldiv(long long a, long long b) {
    return (lldiv_t){a / b, a % b};
}
