// The limit of reading XML with libxml2: its SAX2 interface with empty callbacks, reading from memory in pieces
// like Larder's reader. In C, because Swift would confuse the types of libxml2 with those of Larder's own module
// for it.
#include <stddef.h>

/// Parses a document and returns 0 if it is not well-formed.
int empty_sax_parse(const void *bytes, size_t count);

/// Returns the version of libxml2's headers.
const char *empty_sax_version(void);
