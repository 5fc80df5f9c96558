// Shows a program another system than the one it runs on, preloaded by the dynamic linker. Each part is turned on by an
// environment variable:
//
// LARDER_WHOLE_SECONDS     the times of files are in whole seconds, as on many file systems
// LARDER_SLOW_CLOCK        the clock is this many seconds behind the one that dates files
// LARDER_COUNTED_NAME      how often a file of this name is opened, is counted ...
// LARDER_COUNT             ... by the length of this file
// LARDER_HUNG_PATH         a path that begins so does not answer ...
// LARDER_HUNG_WHILE        ... while this file exists

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int present(const char *path) {
  return syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
}

// Waits while a path does not answer.
static void answer(int folder, const char *path) {
  const char *hung = getenv("LARDER_HUNG_PATH");
  const char *reason = getenv("LARDER_HUNG_WHILE");
  if (hung == NULL || reason == NULL) return;
  char whole[PATH_MAX * 2] = "";
  if (path[0] != '/' && folder >= 0) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t count = syscall(SYS_readlinkat, AT_FDCWD, link, whole, PATH_MAX - 1);
    if (count < 0) return;
    whole[count] = '/';
    strncat(whole, path, PATH_MAX - 1);
    path = whole;
  }
  if (strncmp(path, hung, strlen(hung)) != 0) return;
  while (present(reason)) usleep(1000);
}

static int shown(int result, struct stat *information) {
  if (result == 0 && getenv("LARDER_WHOLE_SECONDS") != NULL) {
    information->st_mtim.tv_nsec = 0;
    information->st_ctim.tv_nsec = 0;
  }
  return result;
}

int stat(const char *path, struct stat *information) {
  answer(AT_FDCWD, path);
  return shown(REAL(stat)(path, information), information);
}

int lstat(const char *path, struct stat *information) {
  answer(AT_FDCWD, path);
  return shown(REAL(lstat)(path, information), information);
}

int fstat(int descriptor, struct stat *information) {
  return shown(REAL(fstat)(descriptor, information), information);
}

int fstatat(int folder, const char *path, struct stat *information, int flags) {
  answer(folder, path);
  return shown(REAL(fstatat)(folder, path, information, flags), information);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = REAL(clock_gettime)(clock, time);
  const char *slow = getenv("LARDER_SLOW_CLOCK");
  if (slow != NULL && result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    time->tv_sec -= atol(slow);
  }
  return result;
}

int openat(int folder, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  const char *name = getenv("LARDER_COUNTED_NAME");
  const char *slash = strrchr(path, '/');
  if (name != NULL && strcmp(name, slash == NULL ? path : slash + 1) == 0) {
    int count = syscall(SYS_openat, AT_FDCWD, getenv("LARDER_COUNT"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    write(count, ".", 1);
    close(count);
  }
  answer(folder, path);
  return REAL(openat)(folder, path, flags, mode);
}

char *realpath(const char *restrict path, char *restrict resolved) {
  answer(AT_FDCWD, path);
  return REAL(realpath)(path, resolved);
}

ssize_t readlink(const char *restrict path, char *restrict target, size_t size) {
  answer(AT_FDCWD, path);
  return REAL(readlink)(path, target, size);
}

int inotify_add_watch(int instance, const char *path, uint32_t mask) {
  answer(AT_FDCWD, path);
  return REAL(inotify_add_watch)(instance, path, mask);
}

int statfs(const char *path, struct statfs *information) {
  answer(AT_FDCWD, path);
  return REAL(statfs)(path, information);
}
