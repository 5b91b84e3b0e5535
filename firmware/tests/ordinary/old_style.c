/* C as it was written in 1985: no prototypes, no types where int is meant. */
#include <stdio.h>

#define MAXSTACK 10

static stack[MAXSTACK];
static sp = 0;

push(x)
int x;
{
    if (sp >= MAXSTACK) {
        printf("stack full\n");
        return;
    }
    stack[sp++] = x;
}

pop()
{
    if (sp == 0)
        return -1;
    return stack[--sp];
}

apply(op, a, b)
char op;
int a, b;
{
    switch (op) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    }
    return 0;
}

char *skip(s)
register char *s;
{
    while (*s == ' ')
        s++;
    return s;
}

evaluate(s)
char *s;
{
    register n;
    int right;

    for (s = skip(s); *s; s = skip(s)) {
        if (*s >= '0' && *s <= '9') {
            for (n = 0; *s >= '0' && *s <= '9'; s++)
                n = n * 10 + *s - '0';
            push(n);
        } else {
            right = pop();
            push(apply(*s++, pop(), right));
        }
    }
    return pop();
}

main(argc, argv)
char **argv;
{
    printf("%d\n", evaluate("3 4 + 2 *"));
    printf("%d\n", evaluate("10 2 8 * + 3 -"));
    printf("%d %d\n", evaluate(""), later(argc));
    exit(0);
}

later(n)
{
    return n * 100;
}
