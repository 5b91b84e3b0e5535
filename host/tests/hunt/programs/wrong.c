/* A plain mistake: no thread, no schedule. */
#include <stdio.h>

int main(void) {
    int sum = 0;
    for (int i = 0; i < 41; i++) sum++;
    printf("the sum is %d\n", sum);
    return sum == 42 ? 0 : 2;
}
