/* Asks the firmware for what it must not give. */
#include <crosstalk/calls.h>
#include <stdio.h>
#include <unistd.h>

#include "../../border/machine_numbers.h"

extern char __firmware_end[];

int main(void) {
    int refused = 0;
    refused += write(1, (void *)RAM, 16) < 0;
    refused += write(1, __firmware_end - 4, 8) < 0;
    refused += write(1, (void *)MONITORS, 4) < 0;
    refused += write(1, (void *)0xfffffff0, 0x20) < 0;
    refused += write(1, __firmware_end, 0x7fffffff) < 0;
    refused += write(1, (void *)(RAM + 0xffff00), 0x80) < 0;
    refused += write(3, __firmware_end, 4) < 0;
    refused += write(77, __firmware_end, 4) < 0;
    refused += crosstalk_call((enum crosstalk_call)12345, 0, 0, 0, 0) < 0;
    crosstalk_call(CROSSTALK_UNPARK, 0xffffffff, 0, 0, 0);
    puts(refused == 9 ? "nothing leaked" : "something leaked");
    return 0;
}
