/* Files in memory, and descriptors on them. What `--file` gave is part of the program; what the program writes
 * is kept in blocks here, and gone when the run ends.
 *
 * A program that opens no file has none of this. One that does is linked with `--wrap` (src/runtime.rs): calls of
 * `crosstalk_on_call` and `crosstalk_send` then come here first. */
#include "host.h"
#include "parameters.h"
#include "traps.h"

#include <crosstalk/file_calls.h>
#include <errno.h>
#include <fcntl.h>

enum {
    BLOCK_BYTES = 1024,
    BLOCKS = 128,
    FILES = 32,
    HANDLES = 32,
    FIRST_HANDLE = 3, /* 0, 1 and 2 are the console's */
    NAME_BYTES = 64,
    NO_BLOCK = 0xffff,
};

struct file {
    char name[NAME_BYTES]; /* "": removed, or never there */
    const uint8_t *given;  /* its bytes, until somebody changes them */
    uint32_t size;
    uint16_t first;   /* of its blocks */
    uint16_t handles; /* that are open on it */
    bool there;
};

enum handle_kind { HANDLE_FREE, HANDLE_FILE, HANDLE_MEMORY };

struct handle {
    enum handle_kind kind;
    uint32_t flags, position;
    struct file *file;
    uint8_t *memory; /* the program's own, with `room` bytes of which `size` are written */
    uint32_t room, size, *size_there;
};

extern const struct crosstalk_given __crosstalk_given[] __attribute__((weak));

extern volatile uint64_t tohost, fromhost;
void __real_crosstalk_on_call(struct hart *self);
int32_t __real_crosstalk_send(enum descriptor to, const void *bytes, uint32_t count);

static hart_lock lock;
static hart_lock host; /* one request at a time, be it to write or to read */
static _Alignas(64) volatile uint64_t request[8];
static bool begun;
static struct file files[FILES];
static struct handle handles[HANDLES];
static uint8_t blocks[BLOCKS][BLOCK_BYTES];
static uint16_t next_block[BLOCKS]; /* + 1; 0: the block is free */

static bool same(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

static void copy(uint8_t *to, const uint8_t *from, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) to[i] = from[i];
}

static bool user_may_write(uint32_t address, uint32_t bytes) {
    extern char __text_end[];
    return address >= (uint32_t)__text_end && crosstalk_user_may_read(address, bytes);
}

/* A name that the program passed, without "./" in front; false if it is none. */
static bool read_name(uint32_t address, char *name) {
    for (uint32_t i = 0; i < NAME_BYTES; i++) {
        if (!crosstalk_user_may_read(address + i, 1)) return false;
        name[i] = *(const char *)(address + i);
        if (name[i]) continue;
        while (name[0] == '.' && name[1] == '/')
            for (char *at = name; (at[0] = at[2]); at++) {}
        return name[0];
    }
    return false;
}

static struct file *find(const char *name) {
    for (struct file *file = files; file < files + FILES; file++)
        if (file->there && same(file->name, name)) return file;
    return NULL;
}

static struct file *make(const char *name) {
    for (struct file *file = files; file < files + FILES; file++) {
        if (file->there || file->handles) continue;
        *file = (struct file){.first = NO_BLOCK, .there = true};
        for (uint32_t i = 0; (file->name[i] = name[i]); i++) {}
        return file;
    }
    return NULL;
}

static void begin(void) {
    if (begun) return;
    begun = true;
    for (const struct crosstalk_given *one = __crosstalk_given; one && one->name; one++) {
        struct file *file = make(one->name);
        if (!file) return;
        file->given = one->bytes;
        file->size = one->size;
    }
}

static uint16_t take_block(void) {
    for (uint16_t i = 0; i < BLOCKS; i++) {
        if (next_block[i]) continue;
        next_block[i] = NO_BLOCK;
        for (uint32_t byte = 0; byte < BLOCK_BYTES; byte++) blocks[i][byte] = 0;
        return i;
    }
    return NO_BLOCK;
}

static void free_blocks(uint16_t block) {
    while (block != NO_BLOCK) {
        uint16_t next = next_block[block];
        next_block[block] = 0;
        block = next == NO_BLOCK ? NO_BLOCK : (uint16_t)(next - 1);
    }
}

/* The block with this position, if need be a new one; NULL if there is no room for it. */
static uint8_t *block_at(struct file *file, uint32_t position) {
    if (file->first == NO_BLOCK && (file->first = take_block()) == NO_BLOCK) return NULL;
    uint16_t block = file->first;
    for (uint32_t skip = position / BLOCK_BYTES; skip; skip--) {
        if (next_block[block] == NO_BLOCK) {
            uint16_t fresh = take_block();
            if (fresh == NO_BLOCK) return NULL;
            next_block[block] = (uint16_t)(fresh + 1);
        }
        block = (uint16_t)(next_block[block] - 1);
    }
    return blocks[block];
}

/* Bytes into a file's blocks; gives how many there was room for. */
static uint32_t store(struct file *file, uint32_t position, const uint8_t *bytes, uint32_t count) {
    uint32_t done = 0;
    while (done < count) {
        uint32_t at = position + done, offset = at % BLOCK_BYTES;
        uint8_t *block = block_at(file, at);
        if (!block) break;
        uint32_t some = BLOCK_BYTES - offset < count - done ? BLOCK_BYTES - offset : count - done;
        copy(block + offset, bytes + done, some);
        done += some;
    }
    if (done && position + done > file->size) file->size = position + done;
    return done;
}

static void clear(struct file *file) {
    free_blocks(file->first);
    file->first = NO_BLOCK;
    file->given = NULL;
    file->size = 0;
}

/* From now on the file may be changed. */
static bool own(struct file *file) {
    const uint8_t *given = file->given;
    if (!given) return true;
    file->given = NULL;
    if (store(file, 0, given, file->size) == file->size) return true;
    free_blocks(file->first);
    file->first = NO_BLOCK;
    file->given = given;
    return false;
}

static int32_t free_handle(void) {
    for (int32_t i = FIRST_HANDLE; i < HANDLES; i++)
        if (handles[i].kind == HANDLE_FREE) return i;
    return -EMFILE;
}

static struct handle *handle_of(uint32_t descriptor) {
    bool known = descriptor >= FIRST_HANDLE && descriptor < HANDLES;
    return known && handles[descriptor].kind != HANDLE_FREE ? &handles[descriptor] : NULL;
}

static int32_t call_open(const uint32_t *a) {
    char name[NAME_BYTES];
    uint32_t flags = a[1];
    if (!read_name(a[0], name)) return -EINVAL;
    int32_t number = free_handle();
    if (number < 0) return number;
    struct file *file = find(name);
    if (!file && !(flags & O_CREAT)) return -ENOENT;
    if (file && (flags & O_CREAT) && (flags & O_EXCL)) return -EEXIST;
    if (!file) file = make(name);
    if (!file) return -ENOSPC;
    if ((flags & O_ACCMODE) != O_RDONLY) {
        if (flags & O_TRUNC) clear(file);
        else if (!own(file)) return -ENOSPC;
    }
    file->handles++;
    handles[number] = (struct handle){.kind = HANDLE_FILE, .flags = flags, .file = file};
    return number;
}

/* Without room it is for reading only. */
static int32_t call_open_memory(const uint32_t *a) {
    bool sound = a[1] ? user_may_write(a[0], a[1]) && a[2] <= a[1] : crosstalk_user_may_read(a[0], a[2]);
    if (!sound || (a[3] && !user_may_write(a[3], 4))) return -EFAULT;
    int32_t number = free_handle();
    if (number < 0) return number;
    handles[number] = (struct handle){.kind = HANDLE_MEMORY, .flags = a[1] ? O_RDWR : O_RDONLY,
                                      .memory = (uint8_t *)a[0], .room = a[1], .size = a[2],
                                      .size_there = (uint32_t *)a[3]};
    return number;
}

static int32_t call_close(struct handle *handle) {
    struct file *file = handle->file;
    if (handle->kind == HANDLE_FILE && !--file->handles && !file->there) clear(file);
    handle->kind = HANDLE_FREE;
    return 0;
}

static uint32_t size_of(const struct handle *handle) {
    return handle->kind == HANDLE_FILE ? handle->file->size : handle->size;
}

static int32_t call_read(struct handle *handle, uint32_t address, uint32_t count) {
    if ((handle->flags & O_ACCMODE) == O_WRONLY) return -EBADF;
    if (!user_may_write(address, count)) return -EFAULT;
    uint32_t size = size_of(handle);
    uint32_t left = handle->position < size ? size - handle->position : 0;
    if (count > left) count = left;
    const uint8_t *from = handle->kind == HANDLE_MEMORY ? handle->memory : handle->file->given;
    for (uint32_t done = 0, some; done < count; done += some) {
        uint32_t at = handle->position + done;
        if (from) {
            some = count;
            copy((uint8_t *)address, from + at, some);
        } else {
            uint32_t offset = at % BLOCK_BYTES;
            uint8_t *block = block_at(handle->file, at);
            if (!block) return -EIO;
            some = BLOCK_BYTES - offset < count - done ? BLOCK_BYTES - offset : count - done;
            copy((uint8_t *)address + done, block + offset, some);
        }
    }
    handle->position += count;
    return (int32_t)count;
}

/* As much as there is room for, with a zero byte after it where that fits. */
static uint32_t store_memory(struct handle *handle, const uint8_t *bytes, uint32_t count) {
    uint32_t room = handle->position < handle->room ? handle->room - handle->position : 0;
    if (count > room) count = room;
    copy(handle->memory + handle->position, bytes, count);
    uint32_t end = handle->position + count;
    if (end > handle->size) {
        handle->size = end;
        if (end < handle->room) handle->memory[end] = 0;
    }
    if (handle->size_there) *handle->size_there = handle->size;
    return count;
}

static int32_t call_write_file(struct handle *handle, uint32_t address, uint32_t count) {
    if ((handle->flags & O_ACCMODE) == O_RDONLY) return -EBADF;
    if (!crosstalk_user_may_read(address, count)) return -EFAULT;
    if (handle->flags & O_APPEND) handle->position = size_of(handle);
    const uint8_t *bytes = (const uint8_t *)address;
    uint32_t done = handle->kind == HANDLE_MEMORY ? store_memory(handle, bytes, count)
                                                  : store(handle->file, handle->position, bytes, count);
    handle->position += done;
    return done < count ? -ENOSPC : (int32_t)done;
}

static int32_t call_seek(struct handle *handle, int32_t offset, uint32_t whence) {
    uint32_t from[] = {0, handle->position, size_of(handle)};
    if (whence > 2) return -EINVAL;
    int64_t to = (int64_t)from[whence] + offset;
    if (to < 0 || to > INT32_MAX) return -EINVAL;
    handle->position = (uint32_t)to;
    return (int32_t)to;
}

static int32_t call_resize(struct handle *handle, uint32_t size) {
    static const uint8_t zeros[64];
    struct file *file = handle->file;
    if (handle->kind != HANDLE_FILE || (handle->flags & O_ACCMODE) == O_RDONLY) return -EINVAL;
    while (file->size < size) {
        uint32_t some = size - file->size < sizeof zeros ? size - file->size : sizeof zeros;
        if (store(file, file->size, zeros, some) < some) return -ENOSPC;
    }
    if (size < file->size) {
        /* What is cut off must read as zeros if the file grows again. */
        for (uint32_t at = size; at < file->size; at++) block_at(file, at)[at % BLOCK_BYTES] = 0;
        file->size = size;
    }
    return 0;
}

static int32_t call_remove(const uint32_t *a) {
    char name[NAME_BYTES];
    struct file *file = read_name(a[0], name) ? find(name) : NULL;
    if (!file) return -ENOENT;
    file->there = false;
    if (!file->handles) clear(file);
    return 0;
}

static int32_t call_rename(const uint32_t *a) {
    char from[NAME_BYTES], to[NAME_BYTES];
    struct file *file = read_name(a[0], from) ? find(from) : NULL;
    if (!file) return -ENOENT;
    if (!read_name(a[1], to)) return -EINVAL;
    if (!same(from, to)) call_remove(a + 1);
    for (uint32_t i = 0; (file->name[i] = to[i]); i++) {}
    return 0;
}

/* Standard input: what the host has. A host without input, or none, has its end. */
static int32_t read_input(uint32_t address, uint32_t count) {
    if (!user_may_write(address, count)) return -EFAULT;
    if (crosstalk_parameters.out == OUT_UART) return 0;
    hart_lock_take(&host);
    request[0] = HOST_READ;
    request[1] = 0;
    request[2] = address;
    request[3] = count;
    *(volatile uint32_t *)&tohost = (uint32_t)request;
    while (!*(volatile uint32_t *)&fromhost) pause_for(4);
    *(volatile uint32_t *)&fromhost = 0;
    int32_t got = (int32_t)request[0];
    hart_lock_give(&host);
    return got < 0 ? 0 : got;
}

int32_t __wrap_crosstalk_send(enum descriptor to, const void *bytes, uint32_t count) {
    hart_lock_take(&host);
    int32_t sent = __real_crosstalk_send(to, bytes, count);
    hart_lock_give(&host);
    return sent;
}

static int32_t on_handle(uint32_t call, const uint32_t *a) {
    struct handle *handle = handle_of(a[0]);
    if (!handle) return -EBADF;
    switch (call) {
    case CROSSTALK_CLOSE: return call_close(handle);
    case CROSSTALK_READ: return call_read(handle, a[1], a[2]);
    case CROSSTALK_WRITE: return call_write_file(handle, a[1], a[2]);
    case CROSSTALK_SEEK: return call_seek(handle, (int32_t)a[1], a[2]);
    default: return call_resize(handle, a[1]);
    }
}

static int32_t on_file_call(uint32_t call, const uint32_t *a) {
    begin();
    switch (call) {
    case CROSSTALK_OPEN: return call_open(a);
    case CROSSTALK_OPEN_MEMORY: return call_open_memory(a);
    case CROSSTALK_REMOVE: return call_remove(a);
    case CROSSTALK_RENAME: return call_rename(a);
    default: return on_handle(call, a);
    }
}

void __wrap_crosstalk_on_call(struct hart *self) {
    uint32_t call = self->registers[REGISTER_A7], *a = self->registers + REGISTER_A0;
    bool of_file = call >= CROSSTALK_OPEN && call <= CROSSTALK_RENAME;
    if (!of_file && (call != CROSSTALK_WRITE || a[0] < FIRST_HANDLE)) {
        __real_crosstalk_on_call(self);
        return;
    }
    if (call == CROSSTALK_READ && a[0] == 0) {
        a[0] = (uint32_t)read_input(a[1], a[2]);
    } else {
        hart_lock_take(&lock);
        a[0] = (uint32_t)on_file_call(call, a);
        hart_lock_give(&lock);
    }
    self->registers[0] += 4;
}
