/* printf's conversions: integers, text, pointers. Floating point is in real.c. */
#include "format.h"

#include <string.h>

void __crosstalk_emit(struct crosstalk_out *out, const char *bytes, size_t count) {
    if (count) out->put(out->to, bytes, count);
    out->total += (int)count;
}

void __crosstalk_emit_many(struct crosstalk_out *out, char c, int count) {
    static const char spaces[] = "                ", zeros[] = "0000000000000000";
    const char *source = c == '0' ? zeros : spaces;
    for (int some; count > 0; count -= some) {
        some = count < 16 ? count : 16;
        __crosstalk_emit(out, source, (size_t)some);
    }
}

/* A number in its field: spaces, sign or prefix, zeros, digits; or spaces last. */
void __crosstalk_emit_number(struct crosstalk_out *out, const struct crosstalk_spec *spec,
                             const char *prefix, int zeros, const char *digits, int count) {
    int used = (int)strlen(prefix) + zeros + count;
    int space = spec->width > used ? spec->width - used : 0;
    if (spec->zero && !spec->left) {
        zeros += space;
        space = 0;
    }
    if (!spec->left) __crosstalk_emit_many(out, ' ', space);
    __crosstalk_emit(out, prefix, strlen(prefix));
    __crosstalk_emit_many(out, '0', zeros);
    __crosstalk_emit(out, digits, (size_t)count);
    if (spec->left) __crosstalk_emit_many(out, ' ', space);
}

static void emit_text(struct crosstalk_out *out, const struct crosstalk_spec *spec, const char *text,
                      size_t length) {
    int space = spec->width > (int)length ? spec->width - (int)length : 0;
    if (!spec->left) __crosstalk_emit_many(out, ' ', space);
    __crosstalk_emit(out, text, length);
    if (spec->left) __crosstalk_emit_many(out, ' ', space);
}

/* Digits of a number, written towards lower addresses. */
static char *write_number(char *end, uint64_t value, unsigned base, const char *alphabet) {
    for (; value > UINT32_MAX; value /= base) *--end = alphabet[value % base];
    for (uint32_t low = (uint32_t)value; low; low /= base) *--end = alphabet[low % base];
    return end;
}

static void emit_integer(struct crosstalk_out *out, struct crosstalk_spec *spec, uint64_t value,
                         const char *sign) {
    static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
    char room[24], *end = room + sizeof room;
    unsigned base = spec->conversion == 'o' ? 8 : (spec->conversion | 32) == 'x' ? 16 : 10;
    char *digits = write_number(end, value, base, spec->conversion == 'X' ? upper : lower);
    int count = (int)(end - digits);
    int least = spec->precision < 0 ? 1 : spec->precision;
    if (spec->precision >= 0) spec->zero = false;
    if (spec->alternative && base == 8 && least <= count && (value || !least)) least = count + 1;
    if (spec->alternative && base == 16 && value) sign = spec->conversion == 'X' ? "0X" : "0x";
    __crosstalk_emit_number(out, spec, sign, least > count ? least - count : 0, digits, count);
}

static int64_t signed_argument(struct crosstalk_arguments *from, enum crosstalk_size size) {
    switch (size) {
    case SIZE_CHAR: return (signed char)va_arg(from->list, int);
    case SIZE_SHORT: return (short)va_arg(from->list, int);
    case SIZE_LONG: return va_arg(from->list, long);
    case SIZE_LONG_LONG: return va_arg(from->list, long long);
    default: return va_arg(from->list, int);
    }
}

static uint64_t unsigned_argument(struct crosstalk_arguments *from, enum crosstalk_size size) {
    switch (size) {
    case SIZE_CHAR: return (unsigned char)va_arg(from->list, int);
    case SIZE_SHORT: return (unsigned short)va_arg(from->list, int);
    case SIZE_LONG: return va_arg(from->list, unsigned long);
    case SIZE_LONG_LONG: return va_arg(from->list, unsigned long long);
    default: return va_arg(from->list, unsigned);
    }
}

static void emit_signed(struct crosstalk_out *out, struct crosstalk_spec *spec, int64_t value) {
    const char *sign = value < 0 ? "-" : spec->plus ? "+" : spec->space ? " " : "";
    emit_integer(out, spec, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, sign);
}

static void emit_pointer(struct crosstalk_out *out, struct crosstalk_spec *spec, const void *pointer) {
    if (!pointer) {
        emit_text(out, spec, "(nil)", 5);
        return;
    }
    spec->conversion = 'x';
    spec->alternative = true;
    emit_integer(out, spec, (uintptr_t)pointer, "");
}

static void emit_string(struct crosstalk_out *out, const struct crosstalk_spec *spec, const char *text) {
    if (!text) text = spec->precision >= 0 && spec->precision < 6 ? "" : "(null)";
    emit_text(out, spec, text, spec->precision < 0 ? strlen(text) : strnlen(text, (size_t)spec->precision));
}

static void store_total(struct crosstalk_arguments *from, enum crosstalk_size size, int total) {
    switch (size) {
    case SIZE_CHAR: *va_arg(from->list, signed char *) = (signed char)total; break;
    case SIZE_SHORT: *va_arg(from->list, short *) = (short)total; break;
    case SIZE_LONG: *va_arg(from->list, long *) = total; break;
    case SIZE_LONG_LONG: *va_arg(from->list, long long *) = total; break;
    default: *va_arg(from->list, int *) = total;
    }
}

static void emit_real(struct crosstalk_out *out, struct crosstalk_spec *spec,
                      struct crosstalk_arguments *from) {
    double value = spec->size == SIZE_LONG_DOUBLE ? (double)va_arg(from->list, long double)
                                                  : va_arg(from->list, double);
    __crosstalk_emit_real(out, spec, value);
}

static void convert(struct crosstalk_out *out, struct crosstalk_spec *spec,
                    struct crosstalk_arguments *from) {
    switch (spec->conversion) {
    case 'd':
    case 'i': emit_signed(out, spec, signed_argument(from, spec->size)); break;
    case 'u':
    case 'o':
    case 'x':
    case 'X': emit_integer(out, spec, unsigned_argument(from, spec->size), ""); break;
    case 'c': emit_text(out, spec, &(char){(char)va_arg(from->list, int)}, 1); break;
    case 's': emit_string(out, spec, va_arg(from->list, const char *)); break;
    case 'p': emit_pointer(out, spec, va_arg(from->list, void *)); break;
    case 'n': store_total(from, spec->size, out->total); break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G': emit_real(out, spec, from); break;
    case '%': __crosstalk_emit(out, "%", 1); break;
    }
}

int __crosstalk_format(crosstalk_put *put, void *to, const char *format, va_list arguments) {
    struct crosstalk_out out = {put, to, 0};
    struct crosstalk_arguments from;
    va_copy(from.list, arguments);
    while (*format) {
        const char *percent = strchr(format, '%');
        if (!percent) percent = format + strlen(format);
        __crosstalk_emit(&out, format, (size_t)(percent - format));
        format = percent;
        if (!*format) break;
        struct crosstalk_spec spec;
        const char *after = __crosstalk_parse_spec(format, &spec, &from);
        /* What is no conversion stands for itself. */
        if (spec.conversion) convert(&out, &spec, &from);
        else __crosstalk_emit(&out, format, (size_t)(after - format));
        format = after;
    }
    va_end(from.list);
    return out.total;
}
