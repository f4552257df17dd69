/*
 * A disk that fails at a chosen call, preloaded by a program under test. It concerns files below the folder DISK_UNDER alone, and
 * nothing while the file DISK_ORDER is missing or empty. That file says "<number> <error>": from the call of that number on, every
 * call of a kind that the error concerns fails with it: ENOSPC what needs space, EROFS what writes, EIO what reads or writes. Removing
 * files goes on working unless the disk is read-only. With the number 0 nothing fails. Each call of such a kind, failed or not, is a
 * line in the file DISK_CALLS.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { READS = 1, WRITES = 2, GROWS = 4, REMOVES = 8 };

static void *original(const char *name) { return dlsym(RTLD_NEXT, name); }
#define ORIGINAL(type, ...) ((type (*)(__VA_ARGS__))original(__func__))

static int counted;
static char order[64];

/* Reads the order again: tests change it while the program runs. Direct calls, since our own are replaced. */
static int read_order(int *number, int *error) {
  const char *path = getenv("DISK_ORDER");
  if (path == NULL) return 0;
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return 0;
  char text[64] = {0};
  long length = syscall(SYS_read, file, text, sizeof text - 1);
  syscall(SYS_close, file);
  char name[16] = {0};
  if (length <= 0 || sscanf(text, "%d %15s", number, name) != 2) return 0;
  if (strcmp(order, text) != 0) {
    strcpy(order, text);
    counted = 0;
  }
  *error = strcmp(name, "ENOSPC") == 0 ? ENOSPC : strcmp(name, "EROFS") == 0 ? EROFS : EIO;
  return 1;
}

static void note(const char *call, const char *path) {
  const char *calls = getenv("DISK_CALLS");
  if (calls == NULL) return;
  char line[PATH_MAX + 64];
  int length = snprintf(line, sizeof line, "%s %s\n", call, path);
  int file = (int)syscall(SYS_openat, AT_FDCWD, calls, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, line, (size_t)length);
  syscall(SYS_close, file);
}

static int fails(const char *call, const char *path, int kind) {
  const char *under = getenv("DISK_UNDER");
  if (under == NULL || path == NULL || strncmp(path, under, strlen(under)) != 0) return 0;
  int kept = errno;
  int number = 0, error = 0;
  int known = read_order(&number, &error);
  errno = kept;
  if (!known) return 0;
  int concerned = error == ENOSPC ? GROWS : error == EROFS ? WRITES | GROWS | REMOVES : READS | WRITES | GROWS;
  if ((kind & concerned) == 0) return 0;
  note(call, path);
  int mine = __sync_add_and_fetch(&counted, 1);
  if (number == 0 || mine < number) return 0;
  errno = error;
  return 1;
}

static int fails_at(const char *call, int descriptor, int kind) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  int kept = errno;
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  errno = kept;
  if (length <= 0) return 0;
  path[length] = 0;
  return fails(call, path, kind);
}

static int kind_of_open(const char *path, int flags) {
  if ((flags & O_CREAT) != 0 && access(path, F_OK) != 0) return GROWS;
  return (flags & (O_WRONLY | O_RDWR | O_TRUNC)) != 0 ? WRITES : 0;
}

#define OPEN(name)                                                            \
  int name(const char *path, int flags, ...) {                                \
    va_list rest;                                                             \
    va_start(rest, flags);                                                    \
    int mode = va_arg(rest, int);                                             \
    va_end(rest);                                                             \
    int kept = errno, kind = kind_of_open(path, flags);                       \
    errno = kept;                                                             \
    if (fails("open", path, kind)) return -1;                                 \
    return ORIGINAL(int, const char *, int, ...)(path, flags, mode);          \
  }
OPEN(open)
OPEN(open64)

#define AT_DESCRIPTOR(type, name, kind, parameters, arguments)                \
  type name parameters {                                                      \
    if (fails_at(#name, descriptor, kind)) return -1;                         \
    return ((type(*) parameters)original(#name))arguments;                    \
  }
AT_DESCRIPTOR(ssize_t, read, READS, (int descriptor, void *to, size_t size), (descriptor, to, size))
AT_DESCRIPTOR(ssize_t, pread, READS, (int descriptor, void *to, size_t size, off_t at), (descriptor, to, size, at))
AT_DESCRIPTOR(ssize_t, pread64, READS, (int descriptor, void *to, size_t size, off64_t at), (descriptor, to, size, at))
AT_DESCRIPTOR(ssize_t, write, GROWS, (int descriptor, const void *from, size_t size), (descriptor, from, size))
AT_DESCRIPTOR(ssize_t, pwrite, GROWS, (int descriptor, const void *from, size_t size, off_t at), (descriptor, from, size, at))
AT_DESCRIPTOR(ssize_t, pwrite64, GROWS, (int descriptor, const void *from, size_t size, off64_t at), (descriptor, from, size, at))
AT_DESCRIPTOR(int, ftruncate, GROWS, (int descriptor, off_t size), (descriptor, size))
AT_DESCRIPTOR(int, ftruncate64, GROWS, (int descriptor, off64_t size), (descriptor, size))
AT_DESCRIPTOR(int, fsync, WRITES, (int descriptor), (descriptor))
AT_DESCRIPTOR(int, fdatasync, WRITES, (int descriptor), (descriptor))

#define AT_PATH(name, kind, parameters, arguments)                            \
  int name parameters {                                                       \
    if (fails(#name, path, kind)) return -1;                                  \
    return ((int(*) parameters)original(#name))arguments;                     \
  }
AT_PATH(mkdir, GROWS, (const char *path, mode_t mode), (path, mode))
AT_PATH(chmod, WRITES, (const char *path, mode_t mode), (path, mode))
AT_PATH(link, GROWS, (const char *from, const char *path), (from, path))
AT_PATH(rename, WRITES, (const char *from, const char *path), (from, path))
AT_PATH(unlink, REMOVES, (const char *path), (path))
AT_PATH(remove, REMOVES, (const char *path), (path))
AT_PATH(rmdir, REMOVES, (const char *path), (path))

/* Node copies files by a clone or by a call that it makes by number; older ones by sendfile. */
int ioctl(int descriptor, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  if (request == FICLONE && fails_at("clone", descriptor, GROWS)) return -1;
  return ORIGINAL(int, int, unsigned long, ...)(descriptor, request, argument);
}

long syscall(long number, ...) {
  long given[6];
  va_list rest;
  va_start(rest, number);
  for (int index = 0; index < 6; index++) given[index] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_copy_file_range && fails_at("copy_file_range", (int)given[2], GROWS)) return -1;
  return ORIGINAL(long, long, ...)(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}

ssize_t sendfile64(int descriptor, int from, off64_t *at, size_t size) {
  if (fails_at("sendfile", descriptor, GROWS)) return -1;
  return ORIGINAL(ssize_t, int, int, off64_t *, size_t)(descriptor, from, at, size);
}
