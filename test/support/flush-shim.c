/*
 * A disk under a process under test, preloaded. fsync and fdatasync fail with EIO while the file that FAILING_FLUSH names exists, do
 * not return while the one that HANGING_FLUSH names does, and take FLUSH_DELAY_MS milliseconds longer than they do.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int is_set(const char *name) {
  const char *trigger = getenv(name);
  return trigger != NULL && access(trigger, F_OK) == 0;
}

static int flush(const char *name, int descriptor) {
  int (*original)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  const char *delay = getenv("FLUSH_DELAY_MS");
  if (delay != NULL) usleep((useconds_t)atoi(delay) * 1000);
  while (is_set("HANGING_FLUSH")) usleep(10000);
  if (!is_set("FAILING_FLUSH")) return original(descriptor);
  errno = EIO;
  return -1;
}

int fsync(int descriptor) { return flush("fsync", descriptor); }

int fdatasync(int descriptor) { return flush("fdatasync", descriptor); }
