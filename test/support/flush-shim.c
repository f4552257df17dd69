/*
 * A disk under a process under test, preloaded. fsync and fdatasync fail with EIO while the file that FAILING_FLUSH names exists, and
 * once where the one that FAILING_ONCE names does, which is removed; they do not return while the one that HANGING_FLUSH names exists,
 * and take FLUSH_DELAY_MS milliseconds longer than they do. Where FLUSH_OF is set, all of this concerns files alone whose path ends with
 * it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_set(const char *name) {
  const char *trigger = getenv(name);
  return trigger != NULL && access(trigger, F_OK) == 0;
}

static int is_concerned(int descriptor) {
  const char *wanted = getenv("FLUSH_OF");
  char link[64], path[PATH_MAX];
  if (wanted == NULL) return 1;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path);
  ssize_t wanted_length = (ssize_t)strlen(wanted);
  return length >= wanted_length && strncmp(path + length - wanted_length, wanted, (size_t)wanted_length) == 0;
}

static int flush(const char *name, int descriptor) {
  int (*original)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  if (!is_concerned(descriptor)) return original(descriptor);
  const char *delay = getenv("FLUSH_DELAY_MS");
  if (delay != NULL) usleep((useconds_t)atoi(delay) * 1000);
  while (is_set("HANGING_FLUSH")) usleep(10000);
  const char *once = getenv("FAILING_ONCE");
  int fails = is_set("FAILING_FLUSH") || (once != NULL && unlink(once) == 0);
  if (!fails) return original(descriptor);
  errno = EIO;
  return -1;
}

int fsync(int descriptor) { return flush("fsync", descriptor); }

int fdatasync(int descriptor) { return flush("fdatasync", descriptor); }
