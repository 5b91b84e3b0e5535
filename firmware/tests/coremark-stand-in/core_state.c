#include "coremark.h"

ee_u32 stepped(ee_u32 x) {
    return x & 1 ? x >> 1 ^ 0xedb88320u : x >> 1;
}
