// Linux calls and constants that Swift cannot import.

#ifndef CLINUXFILE_H
#define CLINUXFILE_H

#include <sys/types.h>

// Commands for locks that belong to the open file, not to the process (fcntl(2), "Open file description locks").
#define LARDER_F_OFD_GETLK 36
#define LARDER_F_OFD_SETLK 37

// Opens a path without reading what it names. This needs only search permission for the folders on
// the path (open(2)).
#define LARDER_O_PATH 010000000

// Declared here because <sched.h> and <unistd.h> hide them without GNU extensions.
int sched_getcpu(void);
int dup3(int descriptor, int number, int flags);

/// Returns the number of the processor that runs the calling thread, or 0 if unknown.
static inline unsigned larder_processor(void) {
  int processor = sched_getcpu();
  return processor < 0 ? 0 : (unsigned)processor;
}

/// Returns how many processors the calling thread may run on, or 0 if unknown. Unlike sysconf(3), it reads no files.
int larder_processor_count(void);

/// flistxattr(2)
ssize_t larder_list_attributes(int descriptor, char *list, size_t size);
/// fgetxattr(2)
ssize_t larder_get_attribute(int descriptor, const char *name, void *value, size_t size);
/// fsetxattr(2) without flags
int larder_set_attribute(int descriptor, const char *name, const void *value, size_t size);
/// fremovexattr(2)
int larder_remove_attribute(int descriptor, const char *name);

/// Returns a new non-blocking, close-on-exec eventfd(2) with count 0, or -1 on failure.
int larder_event_descriptor(void);

/// Returns the type of the file system that holds a path, as in statfs(2), or 0 if unknown.
unsigned long larder_file_system(const char *path);

/// Returns 1 for a path on which something is mounted, even another file of the same file system
/// (statx(2)); 0 if nothing is, or the kernel cannot tell. A symbolic link is not followed.
int larder_is_mount_point(const char *path);

/// Flushes the whole file system that holds an open file, as syncfs(2) does.
int larder_sync_file_system(int descriptor);

/// Returns the value of an environment variable; NULL if there is none, or the program runs with more rights than its
/// user, as a set-user-ID program does (secure_getenv(3)).
const char *larder_environment(const char *name);

/// Returns the whole environment of the process, for a process that it starts (environ(7)).
char **larder_whole_environment(void);

/// Locks a pthread_mutex_t, waiting at most until a time of CLOCK_MONOTONIC, as
/// pthread_mutex_clocklock(3) does.
int larder_lock_until(void *mutex, long seconds, long nanoseconds);

/// Maps each block of memory of at least a size separately, and unmaps it as soon as it is freed
/// (M_MMAP_THRESHOLD of mallopt(3)). By default, this size grows up to 32 MiB as larger blocks are
/// freed.
void larder_map_blocks_from_size(int size);

/// Returns 1 if the kernel says that the clock is synchronized, for example by NTP (adjtimex(2)).
int larder_is_clock_synchronized(void);

/// Sets the name of the calling thread, as debuggers show it.
void larder_name_thread(const char *name);

/// Returns the path or name with which the program was started (program_invocation_name(3)).
const char *larder_program_name(void);

#endif
