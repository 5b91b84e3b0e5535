/* A small calculator whose lexer gives characters back with ungetc. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static FILE *in;
static jmp_buf failed;

static double expression(void);

static int peek(void)
{
    int c;
    while ((c = getc(in)) == ' ')
        ;
    ungetc(c, in);
    return c;
}

static double primary(void)
{
    double value;
    int c = peek();
    if (c == '(') {
        getc(in);
        value = expression();
        if (peek() != ')')
            longjmp(failed, 1);
        getc(in);
        return value;
    }
    if (c == '-') {
        getc(in);
        return -primary();
    }
    if (!isdigit(c) || fscanf(in, "%lf", &value) != 1)
        longjmp(failed, 2);
    return value;
}

static double power(void)
{
    double base = primary();
    if (peek() == '^') {
        getc(in);
        return pow(base, power());
    }
    return base;
}

static double term(void)
{
    double value = power();
    for (int c; (c = peek()) == '*' || c == '/';) {
        getc(in);
        double right = power();
        if (c == '/' && right == 0)
            longjmp(failed, 3);
        value = c == '*' ? value * right : value / right;
    }
    return value;
}

static double expression(void)
{
    double value = term();
    for (int c; (c = peek()) == '+' || c == '-';) {
        getc(in);
        value = c == '+' ? value + term() : value - term();
    }
    return value;
}

int main(void)
{
    static const char *tests[] = {"1 + 2*3", "(1+2)*3", "2^3^2", "-4 + 10/4", "2 ^ 0.5", "7/(3-3)", "4*(2", "3 + x"};
    static const char *why[] = {"", "missing )", "not a number", "division by zero"};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        in = fmemopen((char *)tests[i], strlen(tests[i]), "r");
        int error = setjmp(failed);
        if (error)
            printf("%-12s error: %s\n", tests[i], why[error]);
        else
            printf("%-12s = %.6g\n", tests[i], expression());
        fclose(in);
    }
    return 0;
}
