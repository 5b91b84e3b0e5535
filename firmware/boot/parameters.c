#include "parameters.h"

__attribute__((section(".parameters"), used)) const volatile struct parameters crosstalk_parameters = {
    PARAMETERS_INITIALLY,
};
