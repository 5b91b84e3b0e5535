/* Hyperbolic functions and their inverses, by e^x - 1 and ln(1 + x), which keep their digits about 0 (Kahan). */
#include "../internal.h"

#include <errno.h>
#include <math.h>

double expm1(double x) {
    if (fabs(x) < 1e-5) return x + x * x / 2 + x * x * x / 6;
    double e = exp(x), less = e - 1;
    return isinf(e) || less == -1 ? less : less * x / log(e);
}

double log1p(double x) {
    double more = 1 + x;
    if (x <= -1) {
        errno = x == -1 ? ERANGE : EDOM;
        return x == -1 ? -INFINITY : NAN;
    }
    return more == 1 || isinf(x) ? x : log(more) * x / (more - 1);
}

double sinh(double x) {
    double size = fabs(x);
    if (size > 700) return copysign(exp(size / 2) / 2 * exp(size / 2), x);
    double t = expm1(size);
    return copysign((t + t / (t + 1)) / 2, x);
}

double cosh(double x) {
    double size = fabs(x);
    if (size > 700) return exp(size / 2) / 2 * exp(size / 2);
    double e = exp(size);
    return (e + 1 / e) / 2;
}

double tanh(double x) {
    double size = fabs(x);
    if (size > 22) return copysign(1, x);
    double t = expm1(2 * size);
    return copysign(t / (t + 2), x);
}

double asinh(double x) {
    double size = fabs(x);
    if (!isfinite(x) || size < 1e-8) return x;
    return copysign(size > 1e8 ? log(size) + M_LN2 : log1p(size + size * size / (1 + sqrt(size * size + 1))), x);
}

double acosh(double x) {
    if (x < 1) {
        errno = EDOM;
        return NAN;
    }
    return x > 1e8 ? log(x) + M_LN2 : log1p(x - 1 + sqrt((x - 1) * (x + 1)));
}

double atanh(double x) {
    if (fabs(x) > 1) {
        errno = EDOM;
        return NAN;
    }
    return log1p(2 * x / (1 - x)) / 2;
}

float sinhf(float x) { return (float)sinh(x); }
float coshf(float x) { return (float)cosh(x); }
float tanhf(float x) { return (float)tanh(x); }
