/* Touches the address in its second argument: r reads, w writes, x jumps there. */
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    if (count != 3) return 2;
    volatile unsigned *address = (volatile unsigned *)strtoul(arguments[2], NULL, 0);
    switch (*arguments[1]) {
    case 'r': printf("leaked %x\n", *address); break;
    case 'w': *address = 1; break;
    case 'x': ((void (*)(void))address)(); break;
    }
    puts("it was allowed");
    return 0;
}
