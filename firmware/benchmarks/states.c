/* State machines: numbers in a text by a switch, words by a table, and a small interpreter. */
#include "benchmark.h"

static const char text[] =
    "12 -7 3.25 0x1f +9 1e4 ab 5. .5 -.5e-3 99999 0xZ 1..2 -- 42,17;8 3e 7e+2 0 00 0x0 end "
    "6.02e23 -273.15 1/2 3*4 (5) [6] {7} 8! 9? 10: 11% $12 #13 @14 ^15 &16 |17 ~18 `19 =20";

enum state { START, SIGN, ZERO, INTEGER, POINT, FRACTION, EXPONENT, EXPONENT_SIGN, POWER, HEX, HEX_DIGIT, BAD };

static enum state step(enum state state, char c) {
    int digit = c >= '0' && c <= '9';
    switch (state) {
    case START:
        if (c == '+' || c == '-') return SIGN;
        if (c == '0') return ZERO;
        if (digit) return INTEGER;
        return c == '.' ? POINT : BAD;
    case SIGN:
        if (digit) return INTEGER;
        return c == '.' ? POINT : BAD;
    case ZERO:
        if (c == 'x') return HEX;
        /* fall through */
    case INTEGER:
        if (digit) return INTEGER;
        if (c == '.') return FRACTION;
        return c == 'e' ? EXPONENT : BAD;
    case POINT: return digit ? FRACTION : BAD;
    case FRACTION:
        if (digit) return FRACTION;
        return c == 'e' ? EXPONENT : BAD;
    case EXPONENT:
        if (c == '+' || c == '-') return EXPONENT_SIGN;
        return digit ? POWER : BAD;
    case EXPONENT_SIGN:
    case POWER: return digit ? POWER : BAD;
    case HEX:
    case HEX_DIGIT: return digit || (c >= 'a' && c <= 'f') ? HEX_DIGIT : BAD;
    default: return BAD;
    }
}

static uint32_t numbers(void) {
    uint32_t sum = 0;
    enum state state = START;
    for (const char *c = text; *c; c++) {
        if (*c == ' ' || *c == ',' || *c == ';') {
            sum = fold(sum, (uint32_t)state);
            state = START;
        } else {
            state = step(state, *c);
        }
    }
    return sum;
}

/* By a table: how many changes between letters, digits and the rest. */
static uint32_t changes(void) {
    static const uint8_t next[4][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    uint32_t counts[4][4] = {{0}};
    unsigned state = 0;
    for (const char *c = text; *c; c++) {
        unsigned kind = 2;
        if (*c >= 'a' && *c <= 'z') kind = 0;
        else if (*c >= '0' && *c <= '9') kind = 1;
        unsigned to = next[state][kind];
        counts[state][to]++;
        state = to;
    }
    uint32_t sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum = fold(sum, counts[i][j]);
    return sum;
}

enum op { PUSH, ADD, SUB, MUL, DUP, SWAP, JUMP_IF, HALT };

/* Counts down from 150, adding squares. */
static uint32_t interpreted(void) {
    static const int program[] = {
        PUSH, 0, PUSH, 150,                          /* sum n */
        DUP, DUP, MUL, SWAP, PUSH, 1, SUB, SWAP,     /* sum n-1 n*n */
        PUSH, 12345, MUL, PUSH, 7, ADD,
        JUMP_IF, 20, SWAP, DUP, JUMP_IF, 4, HALT,
    };
    int stack[16];
    int top = 0, steps = 0;
    uint32_t sum = 0;
    for (int at = 0;; steps++) {
        switch ((enum op)program[at++]) {
        case PUSH: stack[top++] = program[at++]; break;
        case ADD: top--; stack[top - 1] += stack[top]; break;
        case SUB: top--; stack[top - 1] -= stack[top]; break;
        case MUL: top--; stack[top - 1] = (int)((unsigned)stack[top - 1] * (unsigned)stack[top]); break;
        case DUP: stack[top] = stack[top - 1]; top++; break;
        case SWAP: {
            int other = stack[top - 1];
            stack[top - 1] = stack[top - 2];
            stack[top - 2] = other;
            break;
        }
        case JUMP_IF: {
            int target = program[at++];
            int value = stack[--top];
            sum = fold(sum, (uint32_t)value);
            if (value) at = target;
            break;
        }
        case HALT: return fold(sum, (uint32_t)steps);
        }
    }
}

static uint32_t work(void) {
    uint32_t sum = 0;
    for (int round = 0; round < 6; round++) {
        sum = fold(sum, numbers());
        sum = fold(sum, changes());
    }
    return fold(sum, interpreted());
}

int main(void) {
    return measure(work, 0x8f1549fau);
}
