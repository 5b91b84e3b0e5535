/* printf's %f, %e and %g, rounded as the exact value demands. */
#include "format.h"

#include <string.h>

enum { EXPONENT_BYTES = 8 };

struct field {
    struct crosstalk_out *out;
    const struct crosstalk_spec *spec;
    const char *sign;
};

/* Digits `from` to `to` of a number, zeros where it has none. */
static void emit_digits(struct crosstalk_out *out, const struct crosstalk_decimal *number, int from, int to) {
    if (from < 0) {
        int zeros = (to < 0 ? to : 0) - from;
        __crosstalk_emit_many(out, '0', zeros);
        from += zeros;
    }
    int there = to < number->count ? to : number->count;
    if (there > from) {
        __crosstalk_emit(out, number->digits + from, (size_t)(there - from));
        from = there;
    }
    if (to > from) __crosstalk_emit_many(out, '0', to - from);
}

/* Whole digits, point, fraction, exponent; the number's first digit stands at `point` - 1 … */
static void emit_parts(const struct field *field, const struct crosstalk_decimal *number, int point,
                       int fraction, const char *exponent) {
    struct crosstalk_out *out = field->out;
    const struct crosstalk_spec *spec = field->spec;
    int whole = point > 0 ? point : 1;
    bool dot = fraction > 0 || spec->alternative;
    int used = (int)strlen(field->sign) + whole + dot + fraction + (int)strlen(exponent);
    int space = spec->width > used ? spec->width - used : 0;
    if (!spec->left && !spec->zero) __crosstalk_emit_many(out, ' ', space);
    __crosstalk_emit(out, field->sign, strlen(field->sign));
    if (!spec->left && spec->zero) __crosstalk_emit_many(out, '0', space);
    emit_digits(out, number, point - whole, point);
    if (dot) __crosstalk_emit(out, ".", 1);
    emit_digits(out, number, point, point + fraction);
    __crosstalk_emit(out, exponent, strlen(exponent));
    if (spec->left) __crosstalk_emit_many(out, ' ', space);
}

static void write_exponent(char *to, int exponent, char letter) {
    unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);
    *to++ = letter;
    *to++ = exponent < 0 ? '-' : '+';
    if (size >= 100) *to++ = (char)('0' + size / 100);
    *to++ = (char)('0' + size / 10 % 10);
    *to++ = (char)('0' + size % 10);
    *to = 0;
}

static void emit_fixed(const struct field *field, struct crosstalk_decimal *number, int precision) {
    __crosstalk_round(number, number->exponent + precision);
    emit_parts(field, number, number->exponent, precision, "");
}

static void emit_scientific(const struct field *field, struct crosstalk_decimal *number, int precision,
                            char letter) {
    char exponent[EXPONENT_BYTES];
    __crosstalk_round(number, precision + 1);
    write_exponent(exponent, number->count ? number->exponent - 1 : 0, letter);
    emit_parts(field, number, 1, precision, exponent);
}

/* The shorter form, without zeros at the end. */
static void emit_general(const struct field *field, struct crosstalk_decimal *number, int precision,
                         char letter) {
    if (!precision) precision = 1;
    __crosstalk_round(number, precision);
    int first = number->count ? number->exponent - 1 : 0;
    int digits = precision;
    if (!field->spec->alternative) {
        digits = number->count;
        while (digits > 1 && number->digits[digits - 1] == '0') digits--;
        if (!digits) digits = 1;
    }
    if (first < -4 || first >= precision) {
        emit_scientific(field, number, digits - 1, letter);
    } else {
        int fraction = digits - 1 - first;
        emit_parts(field, number, first + 1, fraction > 0 ? fraction : 0, "");
    }
}

void __crosstalk_emit_real(struct crosstalk_out *out, struct crosstalk_spec *spec, double value) {
    bool upper = spec->conversion < 'a';
    struct field field = {out, spec, ""};
    if (__builtin_signbit(value)) field.sign = "-";
    else if (spec->plus) field.sign = "+";
    else if (spec->space) field.sign = " ";
    if (__builtin_isnan(value) || __builtin_isinf(value)) {
        const char *name = __builtin_isnan(value) ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf");
        spec->zero = false;
        __crosstalk_emit_number(out, spec, field.sign, 0, name, 3);
        return;
    }
    char room[CROSSTALK_DECIMAL_BYTES];
    struct crosstalk_decimal number;
    __crosstalk_decimal(value, room, &number);
    int precision = spec->precision < 0 ? 6 : spec->precision;
    switch (spec->conversion | 32) {
    case 'f': emit_fixed(&field, &number, precision); break;
    case 'e': emit_scientific(&field, &number, precision, upper ? 'E' : 'e'); break;
    default: emit_general(&field, &number, precision, upper ? 'E' : 'e');
    }
}
