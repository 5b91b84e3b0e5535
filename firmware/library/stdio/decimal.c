/* The decimal digits of a double, all of them: m × 2^e is an integer, or one divided by a power of ten. */
#include "../internal.h"

#include <string.h>

enum {
    LIMB_DIGITS = 9,
    LIMB = 1000000000,
    MOST_LIMBS = 88, /* 2^53 × 5^1074 has 767 digits */
    FIVES = 13,      /* 5^13 fits a word, and 2^29 does */
    TWOS = 29,
    FIVE_TO_13 = 1220703125,
};

struct large {
    uint32_t limbs[MOST_LIMBS]; /* lowest first */
    int count;
};

static void multiply(struct large *number, uint32_t factor) {
    uint64_t carry = 0;
    for (int i = 0; i < number->count; i++) {
        carry += (uint64_t)number->limbs[i] * factor;
        number->limbs[i] = (uint32_t)(carry % LIMB);
        carry /= LIMB;
    }
    while (carry) {
        number->limbs[number->count++] = (uint32_t)(carry % LIMB);
        carry /= LIMB;
    }
}

static void multiply_often(struct large *number, uint32_t base, int times, uint32_t chunk, int chunk_times) {
    for (; times >= chunk_times; times -= chunk_times) multiply(number, chunk);
    uint32_t rest = 1;
    while (times-- > 0) rest *= base;
    if (rest > 1) multiply(number, rest);
}

static int write_digits(const struct large *number, char *to) {
    int length = number->count * LIMB_DIGITS;
    for (int i = 0; i < number->count; i++) {
        uint32_t limb = number->limbs[number->count - 1 - i];
        for (int j = LIMB_DIGITS - 1; j >= 0; j--, limb /= 10)
            to[i * LIMB_DIGITS + j] = (char)('0' + limb % 10);
    }
    int leading = 0;
    while (leading < length && to[leading] == '0') leading++;
    memmove(to, to + leading, (size_t)(length - leading));
    return length - leading;
}

/* Of a finite number, without its sign. `room` has CROSSTALK_DECIMAL_BYTES. */
void __crosstalk_decimal(double value, char *room, struct crosstalk_decimal *result) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t mantissa = bits & ((1ull << 52) - 1);
    int exponent = (int)(bits >> 52 & 0x7ff);
    if (exponent) mantissa |= 1ull << 52;
    else exponent = 1;
    exponent -= 1075;
    while (exponent < 0 && mantissa && !(mantissa & 1)) {
        mantissa >>= 1;
        exponent++;
    }
    struct large number = {{(uint32_t)(mantissa % LIMB), (uint32_t)(mantissa / LIMB)}, 2};
    int tenths = 0;
    if (exponent >= 0) {
        multiply_often(&number, 2, exponent, 1u << TWOS, TWOS);
    } else {
        tenths = -exponent;
        multiply_often(&number, 5, tenths, FIVE_TO_13, FIVES);
    }
    result->digits = room + 1; /* rounding may want a digit in front */
    result->count = write_digits(&number, result->digits);
    result->exponent = result->count ? result->count - tenths : 1;
}

/* To the nearest number with `keep` digits; of two, the one with an even last digit. */
void __crosstalk_round(struct crosstalk_decimal *number, int keep) {
    if (keep >= number->count) return;
    if (keep < 0) {
        number->count = 0;
        return;
    }
    char *digits = number->digits;
    bool more = false;
    for (int i = keep + 1; i < number->count; i++) more |= digits[i] != '0';
    bool odd = keep > 0 && (digits[keep - 1] & 1);
    bool up = digits[keep] > '5' || (digits[keep] == '5' && (more || odd));
    number->count = keep;
    if (!up) return;
    int at = keep;
    while (at > 0 && digits[at - 1] == '9') digits[--at] = '0';
    if (at > 0) {
        digits[at - 1]++;
    } else {
        *--number->digits = '1';
        number->count++;
        number->exponent++;
    }
}
