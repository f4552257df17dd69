/* Makes fsync and fdatasync fail with EIO while the file that FAILING_FLUSH names exists. Preloaded into a process under test. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int fails(void) {
  const char *trigger = getenv("FAILING_FLUSH");
  return trigger != NULL && access(trigger, F_OK) == 0;
}

static int flush(const char *name, int descriptor) {
  int (*original)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  if (!fails()) return original(descriptor);
  errno = EIO;
  return -1;
}

int fsync(int descriptor) { return flush("fsync", descriptor); }

int fdatasync(int descriptor) { return flush("fdatasync", descriptor); }
