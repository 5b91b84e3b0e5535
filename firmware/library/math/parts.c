/* The parts of a floating-point number, and rounding. */
#include "../internal.h"

#include <errno.h>
#include <limits.h>
#include <math.h>

enum { FRACTION_BITS = 52, BIAS = 1023, SPECIAL = 0x7ff };

union bits {
    double value;
    uint64_t word;
};

static uint64_t word_of(double x) {
    return (union bits){.value = x}.word;
}

static double value_of(uint64_t word) {
    return (union bits){.word = word}.value;
}

static int exponent_of(double x) {
    return (int)(word_of(x) >> FRACTION_BITS & SPECIAL);
}

double copysign(double x, double y) {
    return __builtin_copysign(x, y);
}

/* 2^52 pushes the fraction out of the number, which rounds it to even. */
double rint(double x) {
    const double large = 0x1p52;
    if (!(fabs(x) < large)) return x;
    volatile double moved = copysign(large, x) + x;
    return copysign(moved - copysign(large, x), x);
}

double nearbyint(double x) {
    return rint(x);
}

long lrint(double x) { return (long)rint(x); }
long long llrint(double x) { return (long long)rint(x); }
long lround(double x) { return (long)round(x); }
long long llround(double x) { return (long long)round(x); }

double frexp(double x, int *exponent) {
    *exponent = 0;
    if (!exponent_of(x)) {
        if (x == 0) return x;
        x = frexp(x * 0x1p64, exponent);
        *exponent -= 64;
        return x;
    }
    if (exponent_of(x) == SPECIAL) return x;
    *exponent = exponent_of(x) - BIAS + 1;
    return value_of((word_of(x) & ~((uint64_t)SPECIAL << FRACTION_BITS)) | (uint64_t)(BIAS - 1) << FRACTION_BITS);
}

/* In steps that are numbers themselves; the last one rounds. */
double scalbn(double x, int exponent) {
    double result = x;
    for (int i = 0; i < 3 && exponent > BIAS; i++, exponent -= BIAS) result *= 0x1p1023;
    for (int i = 0; i < 3 && exponent < 1 - BIAS; i++, exponent += BIAS - 54) result *= 0x1p-1022 * 0x1p53;
    if (exponent > BIAS) exponent = BIAS;
    if (exponent < 1 - BIAS) exponent = 1 - BIAS;
    result *= value_of((uint64_t)(exponent + BIAS) << FRACTION_BITS);
    return result;
}

double ldexp(double x, int exponent) {
    double result = scalbn(x, exponent);
    if (isfinite(x) && x != 0 && (isinf(result) || result == 0)) errno = ERANGE;
    return result;
}

int ilogb(double x) {
    int exponent;
    if (x == 0) return FP_ILOGB0;
    if (isnan(x)) return FP_ILOGBNAN;
    if (isinf(x)) return INT_MAX;
    frexp(x, &exponent);
    return exponent - 1;
}

double logb(double x) {
    return x == 0 ? -INFINITY : isfinite(x) ? ilogb(x) : x * x;
}

double modf(double x, double *whole) {
    *whole = trunc(x);
    return isinf(x) ? copysign(0, x) : copysign(x - *whole, x);
}

double fdim(double x, double y) {
    return isnan(x) ? x : isnan(y) ? y : x > y ? x - y : 0;
}

double nextafter(double x, double y) {
    if (isnan(x) || isnan(y)) return x + y;
    if (x == y) return y;
    if (x == 0) return copysign(0x1p-1074, y);
    return value_of(word_of(x) + ((x < y) == (x > 0) ? 1 : -1ull));
}

double remainder(double x, double y) {
    if (isnan(x) || isnan(y) || isinf(x) || y == 0) return NAN;
    double size = fabs(y), rest = fmod(fabs(x), isinf(size) ? size : 2 * size < INFINITY ? 2 * size : size);
    if (isinf(size)) return x;
    if (rest > size / 2) {
        rest -= size;
        if (rest >= size / 2) rest -= size;
    }
    return copysign(1, x) * rest;
}


float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
float rintf(float x) { return (float)rint(x); }
long lrintf(float x) { return lrint(x); }
long lroundf(float x) { return lround(x); }
float ldexpf(float x, int exponent) { return (float)ldexp(x, exponent); }
float frexpf(float x, int *exponent) { return (float)frexp(x, exponent); }

float modff(float x, float *whole) {
    double part, rest = modf(x, &part);
    *whole = (float)part;
    return (float)rest;
}
