// The SAX2 interface of libxml2, reading from memory in pieces like Larder's reader. In C, because Swift would confuse
// the types of libxml2 with those of Larder's own module for it.
#include <stddef.h>

typedef struct {
  void (*start)(void *user, const char *name);
  void (*end)(void *user);
  void (*text)(void *user, const char *bytes, int count);
} SAXCallbacks;

/// Parses a document and returns 0 if it is not well-formed. Without callbacks, libxml2 calls empty ones.
int sax_parse(const void *bytes, size_t count, const SAXCallbacks *callbacks, void *user);

/// Returns the version of libxml2's headers.
const char *sax_version(void);
