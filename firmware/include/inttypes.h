#ifndef CROSSTALK_INTTYPES_H
#define CROSSTALK_INTTYPES_H

#include <stdint.h>

#define PRId8 "d"
#define PRIi8 "i"
#define PRIu8 "u"
#define PRIo8 "o"
#define PRIx8 "x"
#define PRIX8 "X"
#define PRId16 "d"
#define PRIi16 "i"
#define PRIu16 "u"
#define PRIo16 "o"
#define PRIx16 "x"
#define PRIX16 "X"
#define PRId32 __INT32_FMTd__
#define PRIi32 __INT32_FMTi__
#define PRIu32 __UINT32_FMTu__
#define PRIo32 __UINT32_FMTo__
#define PRIx32 __UINT32_FMTx__
#define PRIX32 __UINT32_FMTX__
#define PRId64 "lld"
#define PRIi64 "lli"
#define PRIu64 "llu"
#define PRIo64 "llo"
#define PRIx64 "llx"
#define PRIX64 "llX"
#define PRIdMAX "jd"
#define PRIiMAX "ji"
#define PRIuMAX "ju"
#define PRIxMAX "jx"
#define PRIdPTR __INTPTR_FMTd__
#define PRIiPTR __INTPTR_FMTi__
#define PRIuPTR __UINTPTR_FMTu__
#define PRIxPTR __UINTPTR_FMTx__

#define PRIoMAX "jo"
#define PRIXMAX "jX"
#define PRIoPTR __UINTPTR_FMTo__
#define PRIXPTR __UINTPTR_FMTX__
#define PRIdLEAST32 PRId32
#define PRIuLEAST32 PRIu32
#define PRIdLEAST64 PRId64
#define PRIuLEAST64 PRIu64
#define PRIdFAST32 PRId32
#define PRIuFAST32 PRIu32
#define PRIdFAST64 PRId64
#define PRIuFAST64 PRIu64

#define SCNd8 "hhd"
#define SCNi8 "hhi"
#define SCNu8 "hhu"
#define SCNx8 "hhx"
#define SCNd16 "hd"
#define SCNi16 "hi"
#define SCNu16 "hu"
#define SCNx16 "hx"
#define SCNd32 __INT32_FMTd__
#define SCNi32 __INT32_FMTi__
#define SCNu32 __UINT32_FMTu__
#define SCNo32 __UINT32_FMTo__
#define SCNx32 __UINT32_FMTx__
#define SCNd64 "lld"
#define SCNi64 "lli"
#define SCNu64 "llu"
#define SCNo64 "llo"
#define SCNx64 "llx"
#define SCNdMAX "jd"
#define SCNiMAX "ji"
#define SCNuMAX "ju"
#define SCNxMAX "jx"
#define SCNdPTR __INTPTR_FMTd__
#define SCNuPTR __UINTPTR_FMTu__
#define SCNxPTR __UINTPTR_FMTx__

typedef struct {
    intmax_t quot, rem;
} imaxdiv_t;

intmax_t imaxabs(intmax_t value);
imaxdiv_t imaxdiv(intmax_t a, intmax_t b);
intmax_t strtoimax(const char *__restrict text, char **__restrict end, int base);
uintmax_t strtoumax(const char *__restrict text, char **__restrict end, int base);

#endif
