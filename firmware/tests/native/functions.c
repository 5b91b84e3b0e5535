/* Functions of math.h: the neighbor of the neighbor is the worst that may come out. Random numbers of a seed: the same. */
#include <math.h>

#include "check.h"

double ct_acos(double x), ct_asin(double x), ct_atan(double x), ct_cbrt(double x), ct_cosh(double x), ct_expm1(double x),
    ct_log1p(double x), ct_rint(double x), ct_sinh(double x), ct_tanh(double x), ct_asinh(double x), ct_acosh(double x),
    ct_atanh(double x);
double ct_atan2(double y, double x), ct_hypot(double x, double y), ct_pow(double x, double y),
    ct_remainder(double x, double y), ct_nextafter(double x, double y), ct_fdim(double x, double y);
double ct_frexp(double x, int *exponent), ct_scalbn(double x, int exponent), ct_modf(double x, double *whole);
long ct_lround(double x), ct_lrint(double x);
int ct_rand(void);
void ct_srand(unsigned seed);
int ct_rand_r(unsigned *seed);

static double ordinary(void) {
    return ((double)any64() / 18446744073709551616.0 - 0.5) * ldexp(1, (int)below(12) - 4);
}

static double extreme(void) {
    union {
        uint64_t word;
        double value;
    } bits = {any64()};
    if (isnan(bits.value)) return NAN; /* a quiet one */
    return below(20) ? bits.value : (double[]){0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 0.5}[below(8)];
}

static int near(double a, double b, int steps) {
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    for (int i = 0; i <= steps; i++, a = nextafter(a, b))
        if (a == b) return 1;
    return 0;
}

#define NEAR(function, x, steps) \
    CHECK(near(ct_##function(x), function(x), steps), #function "(%.17g): %.17g, not %.17g", x, ct_##function(x), function(x))
#define NEAR2(function, x, y, steps)                                                                          \
    CHECK(near(ct_##function(x, y), function(x, y), steps), #function "(%.17g, %.17g): %.17g, not %.17g", x, y, \
          ct_##function(x, y), function(x, y))

static void functions(double x, double y) {
    NEAR(atan, x, 1);
    NEAR2(atan2, x, y, 2);
    NEAR(cbrt, x, 4); /* glibc itself is off by as much */
    NEAR2(hypot, x, y, 1);
    NEAR2(pow, x, y, 2);
    NEAR2(pow, fabs(x), y, 2);
    NEAR2(pow, x, rint(y), 2);
    NEAR(rint, x, 0);
    NEAR2(nextafter, x, y, 0);
    NEAR2(fdim, x, y, 0);
    double mine, theirs;
    int my_exponent = 0, exponent = 0;
    CHECK(near(ct_modf(x, &mine), modf(x, &theirs), 0) && near(mine, theirs, 0), "%.17g", x);
    CHECK(near(ct_frexp(x, &my_exponent), frexp(x, &exponent), 0), "%.17g", x);
    if (isfinite(x)) CHECK(my_exponent == exponent, "%.17g: %d, not %d", x, my_exponent, exponent);
    exponent = (int)below(4000) - 2000;
    CHECK(near(ct_scalbn(x, exponent), scalbn(x, exponent), 1), "scalbn(%.17g, %d)", x, exponent);
}

static void small_functions(double x) {
    NEAR(expm1, x, 4);
    NEAR(sinh, x, 6);
    NEAR(cosh, x, 3);
    NEAR(tanh, x, 6);
    NEAR(asinh, x, 6);
    if (x > -1) NEAR(log1p, x, 3);
    if (x >= 1) NEAR(acosh, x, 6);
    if (fabs(x) < 0.5) NEAR(atanh, x, 6);
    if (fabs(x) <= 1) {
        NEAR(asin, x, 4);
        NEAR(acos, x, 4);
    }
    CHECK(ct_lround(x) == lround(x) && ct_lrint(x) == lrint(x), "%.17g", x);
}

static void random_numbers(void) {
    unsigned seed = any(), mine = seed, theirs = seed;
    ct_srand(seed);
    srand(seed);
    for (int i = 0; i < 500; i++) CHECK(ct_rand() == rand(), "%u: %d", seed, i);
    for (int i = 0; i < 500; i++) CHECK(ct_rand_r(&mine) == rand_r(&theirs), "%u: %d", seed, i);
}

void check(void) {
    random_numbers();
    for (int i = 0; i < 20000; i++) {
        functions(ordinary(), ordinary());
        functions(extreme(), extreme());
        functions(extreme(), ordinary());
        small_functions(ordinary());
    }
}
