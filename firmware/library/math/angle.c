/* Arcs. The arc tangent's argument is brought below 7/16 by tan(a - b), then a polynomial (fdlibm's) does the rest. */
#include "../internal.h"

#include <errno.h>
#include <math.h>

static double small_arc(double x) {
    static const double terms[] = {
        3.33333333333329318027e-01,  -1.99999999998764832476e-01, 1.42857142725034663711e-01,
        -1.11111104054623557880e-01, 9.09088713343650656196e-02,  -7.69187620504482999495e-02,
        6.66107313738753120669e-02,  -5.83357013379057348645e-02, 4.97687799461593236017e-02,
        -3.65315727442169155270e-02, 1.62858201153657823623e-02,
    };
    double z = x * x, sum = 0;
    for (int i = 10; i >= 0; i--) sum = sum * z + terms[i];
    return x * z * sum;
}

double atan(double x) {
    /* arctangents of 1/2, 1, 3/2 and infinity, each in two parts */
    static const double high[] = {4.63647609000806093515e-01, 7.85398163397448278999e-01, 9.82793723247329054082e-01,
                                  1.57079632679489655800e+00};
    static const double low[] = {2.26987774529616870924e-17, 3.06161699786838301793e-17, 1.39033110312309984516e-17,
                                 6.12323399573676603587e-17};
    double size = fabs(x), t;
    int part;
    if (isnan(x)) return x;
    if (size < 0.4375) return size < 0x1p-27 ? x : x - small_arc(x);
    if (size < 0.6875) part = 0, t = (2 * size - 1) / (2 + size);
    else if (size < 1.1875) part = 1, t = (size - 1) / (size + 1);
    else if (size < 2.4375) part = 2, t = (size - 1.5) / (1 + 1.5 * size);
    else part = 3, t = -1 / size;
    return copysign(high[part] - ((small_arc(t) - low[part]) - t), x);
}

double atan2(double y, double x) {
    if (isnan(x) || isnan(y)) return x + y;
    double arc;
    if (y == 0) arc = signbit(x) ? M_PI : 0;
    else if (x == 0) arc = M_PI_2;
    else if (isinf(x) && isinf(y)) arc = x > 0 ? M_PI_4 : 3 * M_PI_4;
    else if (isinf(x)) arc = x > 0 ? 0 : M_PI;
    else if (isinf(y)) arc = M_PI_2;
    else {
        arc = atan(fabs(y / x));
        if (x < 0) arc = M_PI - (arc - 1.2246467991473531772e-16);
    }
    return copysign(arc, y);
}

static double outside(void) {
    errno = EDOM;
    return NAN;
}

double asin(double x) {
    return isnan(x) ? x : fabs(x) > 1 ? outside() : atan2(x, sqrt((1 - x) * (1 + x)));
}

double acos(double x) {
    return isnan(x) ? x : fabs(x) > 1 ? outside() : 2 * atan2(sqrt(1 - x), sqrt(1 + x));
}

float atanf(float x) { return (float)atan(x); }
float atan2f(float y, float x) { return (float)atan2(y, x); }
float asinf(float x) { return (float)asin(x); }
float acosf(float x) { return (float)acos(x); }
