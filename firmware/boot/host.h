/* Bytes out of the machine: to the host through `tohost`, or to the UART. */
#ifndef CROSSTALK_HOST_H
#define CROSSTALK_HOST_H

#include "machine.h"

int32_t crosstalk_send(enum descriptor to, const void *bytes, uint32_t count);
void crosstalk_say(const char *text);
void crosstalk_say_number(uint32_t value);
void crosstalk_say_hex(uint32_t value);
void crosstalk_say_end(void);
_Noreturn void crosstalk_exit_host(uint32_t code);

#endif
