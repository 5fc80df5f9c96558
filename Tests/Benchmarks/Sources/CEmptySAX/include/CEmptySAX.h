// The limit of reading XML with libxml2: its SAX2 interface with callbacks that do nothing, fed from memory in
// the pieces that it asks for, as Larder's reader feeds it. In C, because Swift would take the types of libxml2
// for those of Larder's own module.
#include <stddef.h>

/// Parses a document; 0 where it is not well-formed.
int empty_sax_parse(const void *bytes, size_t count);

/// The version of libxml2's headers.
const char *empty_sax_version(void);
