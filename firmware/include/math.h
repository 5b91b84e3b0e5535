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

#define HUGE_VALF __builtin_huge_valf()
#define MAXFLOAT 3.40282346638528859812e+38f
#define M_LOG2E 1.44269504088896340736
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT1_2 0.70710678118654752440
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN 2147483647
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isnormal(x) __builtin_isnormal(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)

typedef float float_t;
typedef double double_t;

/* Written here. The last digit may be another than elsewhere. */
double acos(double x);
double acosh(double x);
double asin(double x);
double asinh(double x);
double atan(double x);
double atan2(double y, double x);
double atanh(double x);
double cbrt(double x);
double copysign(double x, double y);
double cosh(double x);
double expm1(double x);
double fdim(double x, double y);
double frexp(double x, int *exponent);
double hypot(double x, double y);
double ldexp(double x, int exponent);
double log1p(double x);
double logb(double x);
double modf(double x, double *whole);
double nearbyint(double x);
double nextafter(double x, double y);
double pow(double x, double y);
double remainder(double x, double y);
double rint(double x);
double scalbn(double x, int exponent);
double sinh(double x);
double tanh(double x);
int ilogb(double x);
long lrint(double x);
long lround(double x);
long long llrint(double x);
long long llround(double x);
float acosf(float x);
float asinf(float x);
float atanf(float x);
float atan2f(float y, float x);
float cbrtf(float x);
float copysignf(float x, float y);
float coshf(float x);
float exp2f(float x);
float fmaf(float x, float y, float z);
float frexpf(float x, int *exponent);
float hypotf(float x, float y);
float ldexpf(float x, int exponent);
float log2f(float x);
float log10f(float x);
float modff(float x, float *whole);
float powf(float x, float y);
float rintf(float x);
float sinhf(float x);
float tanhf(float x);
long lroundf(float x);
long lrintf(float x);
void sincos(double x, double *sine, double *cosine);

#endif
