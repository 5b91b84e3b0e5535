/* Powers and roots. In between in long double, so that the result is the nearest double but for the rarest cases. */
#include "../internal.h"

#include <errno.h>
#include <math.h>

static const long double ln2 = 0.693147180559945309417232121458176568L;
enum { SQUARINGS = 5, LARGEST_WHOLE = 64 };

/* ln(m) = 2 artanh((m - 1) / (m + 1)), for m about 1. Later terms need fewer digits. */
static long double logarithm(double x) {
    int exponent;
    double m = frexp(x, &exponent);
    if (m < M_SQRT1_2) {
        m *= 2;
        exponent--;
    }
    long double s = ((long double)m - 1) / ((long double)m + 1), s2 = s * s;
    double q = (double)s2, tail = 0;
    for (int n = 27; n >= 7; n -= 2) tail = tail * q + 1.0 / n;
    long double series = 1 + s2 * (1 / 3.0L + s2 * (1 / 5.0L + s2 * tail));
    return exponent * ln2 + 2 * s * series;
}

/* e^t = 2^n e^r, and e^r by squaring e^(r/32). */
static double exponential(long double t) {
    int n = (int)rint((double)(t / ln2));
    long double r = (t - n * ln2) / (1 << SQUARINGS);
    double q = (double)r, tail = 0;
    for (double k = 12; k >= 4; k--) tail = (tail * q + 1) / k;
    long double result = 1 + r * (1 + r / 2 * (1 + r / 3 * (1 + r * tail)));
    for (int i = 0; i < SQUARINGS; i++) result *= result;
    return scalbn((double)result, n);
}

static double whole_power(double x, int n) {
    long double result = 1, base = x;
    for (unsigned rest = (unsigned)(n < 0 ? -n : n); rest; rest >>= 1, base *= base)
        if (rest & 1) result *= base;
    return (double)(n < 0 ? 1 / result : result);
}

static double checked(double result) {
    if (isinf(result) || result == 0) errno = ERANGE;
    return result;
}

double pow(double x, double y) {
    if (y == 0 || x == 1) return 1;
    if (isnan(x) || isnan(y)) return x + y;
    bool whole = floor(y) == y, odd = whole && fabs(y) < 0x1p53 && fmod(y, 2) != 0;
    double size = fabs(x);
    if (isinf(y)) return size == 1 ? 1 : (size > 1) == (y > 0) ? INFINITY : 0;
    if (x == 0 || isinf(x)) {
        double result = (x == 0) == (y > 0) ? 0 : INFINITY;
        if (x == 0 && y < 0) errno = ERANGE;
        return odd && signbit(x) ? -result : result;
    }
    if (x < 0 && !whole) {
        errno = EDOM;
        return NAN;
    }
    double sign = x < 0 && odd ? -1 : 1;
    if (whole && fabs(y) <= LARGEST_WHOLE && sizeof(long double) > sizeof(double))
        return checked(sign * whole_power(size, (int)y));
    long double t = y * logarithm(size);
    if (t > 800) return checked(sign * INFINITY);
    if (t < -800) return checked(sign * 0);
    return checked(sign * exponential(t));
}

double cbrt(double x) {
    if (x == 0 || !isfinite(x)) return x;
    double guess = exp(log(fabs(x)) / 3);
    long double t = guess;
    t -= (t - fabs(x) / (t * t)) / 3;
    return copysign((double)t, x);
}

double hypot(double x, double y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    if (isnan(x) || isnan(y)) return x + y;
    int exponent;
    frexp(fmax(fabs(x), fabs(y)), &exponent);
    x = scalbn(x, -exponent);
    y = scalbn(y, -exponent);
    long double sum = (long double)x * x + (long double)y * y;
    double root = sqrt((double)sum);
    if (root == 0) return 0;
    return scalbn((double)(root + (sum - (long double)root * root) / (2 * root)), exponent);
}

float powf(float x, float y) { return (float)pow(x, y); }
float cbrtf(float x) { return (float)cbrt(x); }
float hypotf(float x, float y) { return (float)hypot(x, y); }
