/* The widths of inttypes.h, printed and read. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int8_t i8 = INT8_MIN;
    uint16_t u16 = UINT16_MAX;
    int32_t i32 = INT32_MIN;
    uint32_t u32 = UINT32_MAX;
    int64_t i64 = INT64_MIN;
    uint64_t u64 = UINT64_MAX;
    intmax_t m = -5;
    printf("%" PRId8 " %" PRIu16 " %" PRId32 " %" PRIu32 "\n", i8, u16, i32, u32);
    printf("%" PRId64 " %" PRIu64 " %" PRIx64 " %" PRIo64 "\n", i64, u64, u64, u64);
    printf("%jd %ju %zu %td\n", m, (uintmax_t)7, sizeof(int64_t), (ptrdiff_t)-1);
    if (sscanf("-12 300 0xabc 123456789012345", "%" SCNd8 " %" SCNu16 " %" SCNx32 " %" SCNd64, &i8, &u16, &u32, &i64) == 4)
        printf("%d %u %u %" PRId64 "\n", i8, u16, u32, i64);
    printf("%" PRIdMAX " %" PRIuMAX "\n", strtoimax("-77", NULL, 10), strtoumax("ff", NULL, 16));
    imaxdiv_t d = imaxdiv(-17, 5);
    printf("%jd %jd %jd\n", d.quot, d.rem, imaxabs(-9));
    printf("%08" PRIx32 " %+" PRId64 "\n", UINT32_C(0xbeef), INT64_C(42));
    return 0;
}
