#include "coremark.h"

ee_u32 listed(ee_u32 x) {
    return x ^ x << 13;
}
