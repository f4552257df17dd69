/*
 * The disk under a process under test, preloaded: it notes what happens to files whose path begins with POWER_FOLDER, in order, in
 * the file POWER_RECORD. From that, what a power failure may leave can be made for any moment. A flush takes FLUSH_DELAY_MS
 * milliseconds longer than it does.
 *
 * A record is a line of words, and for a write the bytes behind it:
 *   write <offset> <length> <path>      truncate <length> <path>      remove 0 <path>
 *   begin <number> <path>      end <number> <path>
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static int record = -1;
static int flushes = 0;

#define ORIGINAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

/* The file's path, when it is one that is noted. */
static int noted(int descriptor, char *path) {
  char link[64];
  const char *folder = getenv("POWER_FOLDER");
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = folder == NULL ? -1 : readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strncmp(path, folder, strlen(folder)) == 0 && strstr(path, "-shm") == NULL;
}

/* One append, so that what the process itself writes to the record stands in order too. */
static void note(const void *bytes, size_t length, const char *form, ...) {
  char words[PATH_MAX + 128];
  va_list values;
  va_start(values, form);
  int written = vsnprintf(words, sizeof words, form, values);
  va_end(values);
  pthread_mutex_lock(&one_at_a_time);
  if (record < 0) record = open(getenv("POWER_RECORD"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  struct iovec parts[2] = {{words, (size_t)written}, {(void *)bytes, length}};
  if (writev(record, parts, length > 0 ? 2 : 1) < 0) abort();
  pthread_mutex_unlock(&one_at_a_time);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  char path[PATH_MAX];
  ssize_t written = ORIGINAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t)(descriptor, bytes, length, offset);
  if (written > 0 && noted(descriptor, path))
    note(bytes, (size_t)written, "write %lld %zd %s\n", (long long)offset, written, path);
  return written;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
  return pwrite64(descriptor, bytes, length, offset);
}

int ftruncate64(int descriptor, off64_t length) {
  char path[PATH_MAX];
  int result = ORIGINAL(int, "ftruncate64", int, off64_t)(descriptor, length);
  if (result == 0 && noted(descriptor, path)) note(NULL, 0, "truncate %lld %s\n", (long long)length, path);
  return result;
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

int unlink(const char *path) {
  const char *folder = getenv("POWER_FOLDER");
  int result = ORIGINAL(int, "unlink", const char *)(path);
  if (result == 0 && folder != NULL && strncmp(path, folder, strlen(folder)) == 0) note(NULL, 0, "remove 0 %s\n", path);
  return result;
}

static int flush(const char *name, int descriptor) {
  char path[PATH_MAX];
  const char *delay = getenv("FLUSH_DELAY_MS");
  int is_noted = noted(descriptor, path);
  int number = __atomic_add_fetch(&flushes, 1, __ATOMIC_SEQ_CST);
  if (is_noted) note(NULL, 0, "begin %d %s\n", number, path);
  if (delay != NULL) usleep((useconds_t)atoi(delay) * 1000);
  int result = ORIGINAL(int, name, int)(descriptor);
  if (is_noted && result == 0) note(NULL, 0, "end %d %s\n", number, path);
  return result;
}

int fsync(int descriptor) { return flush("fsync", descriptor); }

int fdatasync(int descriptor) { return flush("fdatasync", descriptor); }
