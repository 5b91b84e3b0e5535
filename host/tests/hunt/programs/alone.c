/* No second thread. */
#include <stdio.h>

int main(void) {
    puts("nobody to talk to");
    return 0;
}
