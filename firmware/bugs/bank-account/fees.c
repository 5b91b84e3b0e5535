#include "fees.h"

int fee(int amount) {
    int kept = 0;
    for (int step = amount < 0 ? -amount : amount; step > 0; step /= 3) kept += step & 1;
    return kept;
}
