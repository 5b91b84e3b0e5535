/* What the compiler's own run-time library computes. */
#ifndef CROSSTALK_MATH_H
#define CROSSTALK_MATH_H

#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_E 2.71828182845904523536
#define M_PI 3.14159265358979323846
#define M_SQRT2 1.41421356237309504880
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)

double ceil(double x);
double cos(double x);
double exp(double x);
double exp2(double x);
double fabs(double x);
double floor(double x);
double fma(double x, double y, double z);
double fmax(double x, double y);
double fmin(double x, double y);
double fmod(double x, double y);
double log(double x);
double log10(double x);
double log2(double x);
double round(double x);
double sin(double x);
double sqrt(double x);
double tan(double x);
double trunc(double x);
float ceilf(float x);
float cosf(float x);
float expf(float x);
float fabsf(float x);
float floorf(float x);
float fmaxf(float x, float y);
float fminf(float x, float y);
float fmodf(float x, float y);
float logf(float x);
float roundf(float x);
float sinf(float x);
float sqrtf(float x);
float tanf(float x);
float truncf(float x);

#endif
