/* Complex numbers: the compiler adds and multiplies them, the rest is here. */
#ifndef CROSSTALK_COMPLEX_H
#define CROSSTALK_COMPLEX_H

#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#define I _Complex_I
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))

double cabs(double complex z);
double carg(double complex z);
double creal(double complex z);
double cimag(double complex z);
double complex conj(double complex z);
double complex cproj(double complex z);
double complex cexp(double complex z);
double complex clog(double complex z);
double complex csqrt(double complex z);
double complex cpow(double complex z, double complex power);
double complex csin(double complex z);
double complex ccos(double complex z);
double complex ctan(double complex z);
double complex csinh(double complex z);
double complex ccosh(double complex z);
double complex ctanh(double complex z);
float cabsf(float complex z);
float cargf(float complex z);
float crealf(float complex z);
float cimagf(float complex z);
float complex conjf(float complex z);
float complex cprojf(float complex z);
float complex cexpf(float complex z);
float complex clogf(float complex z);
float complex csqrtf(float complex z);
float complex cpowf(float complex z, float complex power);
float complex csinf(float complex z);
float complex ccosf(float complex z);
float complex ctanf(float complex z);
float complex csinhf(float complex z);
float complex ccoshf(float complex z);
float complex ctanhf(float complex z);

#endif
