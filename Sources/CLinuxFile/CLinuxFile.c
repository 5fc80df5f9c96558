#include "CLinuxFile.h"

#include <fcntl.h>
#include <sys/xattr.h>

int larder_lock(int descriptor, short type) {
  struct flock lock = {.l_type = type, .l_whence = 0, .l_start = 0, .l_len = 0, .l_pid = 0};
  return fcntl(descriptor, LARDER_F_OFD_SETLK, &lock);
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
