/* The texts of the errors that only files and signals have. Programs that can have them are linked with
 * `--wrap=strerror` (src/runtime.rs). */
#include "../internal.h"

#include <errno.h>

char *__real_strerror(int error);

char *__wrap_strerror(int error) {
    switch (error) {
    case ENOENT: return "No such file or directory";
    case ESRCH: return "No such process";
    case EIO: return "Input/output error";
    case EACCES: return "Permission denied";
    case EFAULT: return "Bad address";
    case EEXIST: return "File exists";
    case ENODEV: return "No such device";
    case ENOTDIR: return "Not a directory";
    case EISDIR: return "Is a directory";
    case EMFILE: return "Too many open files";
    case ENOTTY: return "Inappropriate ioctl for device";
    case ENOSPC: return "No space left on device";
    case ESPIPE: return "Illegal seek";
    case EROFS: return "Read-only file system";
    case EPIPE: return "Broken pipe";
    case ENAMETOOLONG: return "File name too long";
    case ENOSYS: return "Function not implemented";
    case ENOTSUP: return "Operation not supported";
    default: return __real_strerror(error);
    }
}
