// Linux's calls and constants that the Swift importer does not see.

#ifndef CLINUXFILE_H
#define CLINUXFILE_H

#include <sys/types.h>

// Locks that belong to the open file and not to the process (fcntl(2), "Open file description locks").
#define LARDER_F_OFD_SETLK 37

/// Locks or unlocks a whole file without waiting: `F_WRLCK` or `F_UNLCK`. Like fcntl, 0 or -1.
int larder_lock(int descriptor, short type);

/// listxattr(2) on an open file.
ssize_t larder_list_attributes(int descriptor, char *list, size_t size);
/// getxattr(2) on an open file.
ssize_t larder_get_attribute(int descriptor, const char *name, void *value, size_t size);
/// setxattr(2) on an open file.
int larder_set_attribute(int descriptor, const char *name, const void *value, size_t size);
/// removexattr(2) on an open file.
int larder_remove_attribute(int descriptor, const char *name);

#endif
