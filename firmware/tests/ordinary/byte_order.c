/* Records in network order, checked by a thread for each; random bytes that only have to be there. */
#include <byteswap.h>
#include <endian.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sysexits.h>
#include <uchar.h>

static unsigned char record[14];
static int results[2];

static void *check(void *argument) {
    int *result = argument;
    uint16_t kind;
    uint32_t length;
    uint64_t stamp;
    memcpy(&kind, record, 2);
    memcpy(&length, record + 2, 4);
    memcpy(&stamp, record + 6, 8);
    *result = be16toh(kind) == 0x1234 && be32toh(length) == 0xcafef00d && be64toh(stamp) == 0x0102030405060708;
    return NULL;
}

int main(void) {
    uint16_t kind = htobe16(0x1234);
    uint32_t length = htobe32(0xcafef00d);
    uint64_t stamp = htobe64(0x0102030405060708);
    unsigned char noise[40] = {0};
    char16_t letter = u'x';
    memcpy(record, &kind, 2);
    memcpy(record + 2, &length, 4);
    memcpy(record + 6, &stamp, 8);
    for (size_t i = 0; i < sizeof record; i++) printf("%02x ", record[i]);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, check, &results[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    int drawn = getrandom(noise, sizeof noise, 0) == sizeof noise, other = 0;
    for (size_t i = 1; i < sizeof noise; i++) other |= noise[i] != noise[0];
    printf("%d %d, %d %d, %x %c\n", results[0], results[1], drawn, other, bswap_32(0x01020304), letter);
    return results[0] && results[1] ? EX_OK : EX_SOFTWARE;
}
