/* Functions of complex.h, from those of real numbers; in float by way of double. */
#include "../internal.h"

#include <complex.h>
#include <math.h>

double creal(double complex z) {
    return __real__ z;
}

double cimag(double complex z) {
    return __imag__ z;
}

double complex conj(double complex z) {
    return CMPLX(creal(z), -cimag(z));
}

double cabs(double complex z) {
    return hypot(creal(z), cimag(z));
}

double carg(double complex z) {
    return atan2(cimag(z), creal(z));
}

double complex cproj(double complex z) {
    if (isinf(creal(z)) || isinf(cimag(z))) return CMPLX(INFINITY, copysign(0.0, cimag(z)));
    return z;
}

double complex cexp(double complex z) {
    double size = exp(creal(z));
    if (cimag(z) == 0) return CMPLX(size, cimag(z));
    return CMPLX(size * cos(cimag(z)), size * sin(cimag(z)));
}

double complex clog(double complex z) {
    return CMPLX(log(cabs(z)), carg(z));
}

double complex csqrt(double complex z) {
    double x = creal(z), y = cimag(z);
    if (x == 0 && y == 0) return CMPLX(0, y);
    double half = sqrt((fabs(x) + cabs(z)) / 2), other = fabs(y) / (2 * half);
    return x >= 0 ? CMPLX(half, copysign(other, y)) : CMPLX(other, copysign(half, y));
}

double complex cpow(double complex z, double complex power) {
    if (creal(z) == 0 && cimag(z) == 0) return power == 0 ? 1 : 0;
    return cexp(power * clog(z));
}

double complex csinh(double complex z) {
    return CMPLX(sinh(creal(z)) * cos(cimag(z)), cosh(creal(z)) * sin(cimag(z)));
}

double complex ccosh(double complex z) {
    return CMPLX(cosh(creal(z)) * cos(cimag(z)), sinh(creal(z)) * sin(cimag(z)));
}

/* In terms of what stays finite: tanh(x) and tan(y). */
double complex ctanh(double complex z) {
    double x = tanh(creal(z)), y = tan(cimag(z));
    return CMPLX(x, y) / CMPLX(1, x * y);
}

/* sin z = -i sinh(iz), and so on. */
double complex csin(double complex z) {
    double complex turned = csinh(CMPLX(-cimag(z), creal(z)));
    return CMPLX(cimag(turned), -creal(turned));
}

double complex ccos(double complex z) {
    return ccosh(CMPLX(-cimag(z), creal(z)));
}

double complex ctan(double complex z) {
    double complex turned = ctanh(CMPLX(-cimag(z), creal(z)));
    return CMPLX(cimag(turned), -creal(turned));
}

#define IN_FLOAT(result, name) \
    result name##f(float complex z) { \
        return (result)name(z); \
    }

IN_FLOAT(float, creal)
IN_FLOAT(float, cimag)
IN_FLOAT(float, cabs)
IN_FLOAT(float, carg)
IN_FLOAT(float complex, conj)
IN_FLOAT(float complex, cproj)
IN_FLOAT(float complex, cexp)
IN_FLOAT(float complex, clog)
IN_FLOAT(float complex, csqrt)
IN_FLOAT(float complex, csin)
IN_FLOAT(float complex, ccos)
IN_FLOAT(float complex, ctan)
IN_FLOAT(float complex, csinh)
IN_FLOAT(float complex, ccosh)
IN_FLOAT(float complex, ctanh)

float complex cpowf(float complex z, float complex power) {
    return (float complex)cpow(z, power);
}
