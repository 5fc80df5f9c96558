// Linux's calls and constants that the Swift importer does not see.

#ifndef CLINUXFILE_H
#define CLINUXFILE_H

#include <sys/types.h>

// Locks that belong to the open file and not to the process (fcntl(2), "Open file description locks").
#define LARDER_F_OFD_GETLK 36
#define LARDER_F_OFD_SETLK 37

// Declared here because <sched.h> shows it only among GNU's extensions.
int sched_getcpu(void);

/// The number of the processor that the thread runs on at the moment; 0 where that is not known.
static inline unsigned larder_processor(void) {
  int processor = sched_getcpu();
  return processor < 0 ? 0 : (unsigned)processor;
}

/// listxattr(2) on an open file.
ssize_t larder_list_attributes(int descriptor, char *list, size_t size);
/// getxattr(2) on an open file.
ssize_t larder_get_attribute(int descriptor, const char *name, void *value, size_t size);
/// setxattr(2) on an open file.
int larder_set_attribute(int descriptor, const char *name, const void *value, size_t size);
/// removexattr(2) on an open file.
int larder_remove_attribute(int descriptor, const char *name);

/// eventfd(2) of nothing yet, which neither blocks nor is inherited by another program. Like it, -1.
int larder_event_descriptor(void);

/// The type of the file system that a path lies on, as in statfs(2); 0 where it is not to be had.
unsigned long larder_file_system(const char *path);

/// Names the calling thread, for those who look at the process.
void larder_name_thread(const char *name);

#endif
