// For `secure_getenv`, `syncfs`, `pthread_mutex_clocklock` and `program_invocation_name`.
#define _GNU_SOURCE

#include "CLinuxFile.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

int larder_processor_count(void) {
  cpu_set_t processors;
  return sched_getaffinity(0, sizeof processors, &processors) == 0 ? CPU_COUNT(&processors) : 0;
}

ssize_t larder_list_attributes(int descriptor, char *list, size_t size) {
  return flistxattr(descriptor, list, size);
}

ssize_t larder_get_attribute(int descriptor, const char *name, void *value, size_t size) {
  return fgetxattr(descriptor, name, value, size);
}

int larder_set_attribute(int descriptor, const char *name, const void *value, size_t size) {
  return fsetxattr(descriptor, name, value, size, 0);
}

int larder_remove_attribute(int descriptor, const char *name) {
  return fremovexattr(descriptor, name);
}

int larder_event_descriptor(void) {
  return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

unsigned long larder_file_system(const char *path) {
  struct statfs information;
  return statfs(path, &information) == 0 ? (unsigned long)information.f_type : 0;
}

#ifndef STATX_ATTR_MOUNT_ROOT
#define STATX_ATTR_MOUNT_ROOT 0x00002000
#endif

int larder_is_mount_point(const char *path) {
  struct statx information;
  int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
  return statx(AT_FDCWD, path, flags, 0, &information) == 0 && (information.stx_attributes & STATX_ATTR_MOUNT_ROOT);
}

int larder_sync_file_system(int descriptor) {
  return syncfs(descriptor);
}

char **larder_whole_environment(void) { return environ; }

const char *larder_environment(const char *name) {
  return secure_getenv(name);
}

int larder_lock_until(void *mutex, long seconds, long nanoseconds) {
  struct timespec time = {.tv_sec = seconds, .tv_nsec = nanoseconds};
  return pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &time);
}

void larder_map_blocks_from_size(int size) { mallopt(M_MMAP_THRESHOLD, size); }

int larder_is_clock_synchronized(void) {
  struct timex clock = {.modes = 0};
  int state = adjtimex(&clock);
  return state >= 0 && state != TIME_ERROR && !(clock.status & STA_UNSYNC);
}

void larder_name_thread(const char *name) {
  prctl(PR_SET_NAME, name, 0, 0, 0);
}

const char *larder_program_name(void) { return program_invocation_name; }
