#include "coremark.h"

ee_u32 multiplied(ee_u32 x) {
    return x * 2654435761u;
}
