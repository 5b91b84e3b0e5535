/* Decimal to double. Where digits and power of ten are doubles, one operation rounds right (Clinger 1990).
 * Elsewhere it is done in long double: the result is the nearest double or, rarely, its neighbor. */
#include "../internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

enum { MOST_DIGITS = 19, LARGEST_EXPONENT = 5000, LARGEST_EXACT = 22 };

static long double scale(long double value, int exponent) {
    long double power = 10;
    for (unsigned rest = (unsigned)(exponent < 0 ? -exponent : exponent); rest; rest >>= 1, power *= power)
        if (rest & 1) value = exponent < 0 ? value / power : value * power;
    return value;
}

static double value_of(uint64_t digits, int exponent) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!digits) return 0;
    if (digits >> 53 || exponent < -LARGEST_EXACT || exponent > LARGEST_EXACT)
        return (double)scale((long double)digits, exponent);
    return exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
}

static const char *read_exponent(const char *text, int *exponent) {
    const char *at = text + 1;
    bool negative = *at == '-';
    if (*at == '+' || *at == '-') at++;
    if (!isdigit((unsigned char)*at)) return text;
    int value = 0;
    for (; isdigit((unsigned char)*at); at++)
        if (value < LARGEST_EXPONENT) value = value * 10 + *at - '0';
    *exponent += negative ? -value : value;
    return at;
}

static const char *read_name(const char *text, double *value) {
    if (!strncasecmp(text, "nan", 3)) {
        *value = __builtin_nan("");
        return text + 3;
    }
    if (strncasecmp(text, "inf", 3)) return text;
    *value = __builtin_inf();
    return text + (strncasecmp(text, "infinity", 8) ? 3 : 8);
}

static const char *read_decimal(const char *text, double *value) {
    uint64_t digits = 0;
    int exponent = 0, kept = 0;
    bool any = false, point = false;
    const char *at = text;
    for (;; at++) {
        if (*at == '.' && !point) {
            point = true;
            continue;
        }
        if (!isdigit((unsigned char)*at)) break;
        any = true;
        if (kept < MOST_DIGITS) {
            digits = digits * 10 + (uint64_t)(*at - '0');
            kept += digits != 0;
            exponent -= point;
        } else {
            exponent += !point;
        }
    }
    if (!any) return text;
    if ((*at | 32) == 'e') at = read_exponent(at, &exponent);
    *value = value_of(digits, exponent);
    if (digits && (*value == 0 || __builtin_isinf(*value))) errno = ERANGE;
    return at;
}

double strtod(const char *restrict text, char **restrict end) {
    const char *at = text;
    double value = 0;
    while (isspace((unsigned char)*at)) at++;
    bool negative = *at == '-';
    if (*at == '+' || *at == '-') at++;
    const char *after = read_name(at, &value);
    if (after == at) after = read_decimal(at, &value);
    if (end) *end = (char *)(after == at ? text : after);
    return negative ? -value : value;
}

float strtof(const char *restrict text, char **restrict end) {
    return (float)strtod(text, end);
}

double atof(const char *text) {
    return strtod(text, NULL);
}
