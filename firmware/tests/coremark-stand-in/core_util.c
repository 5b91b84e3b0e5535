#include "coremark.h"

ee_u16 folded(ee_u32 x) {
    return (ee_u16)(x ^ x >> 16);
}
