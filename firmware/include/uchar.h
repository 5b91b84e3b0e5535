/* The types; characters are bytes here, so there is nothing to convert. */
#ifndef CROSSTALK_UCHAR_H
#define CROSSTALK_UCHAR_H

#include <stddef.h>
#include <stdint.h>

typedef uint_least16_t char16_t;
typedef uint_least32_t char32_t;

#endif
