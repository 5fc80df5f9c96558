#include <libxml/xmlversion.h>

// Debian's libxml2 is built with ICU and includes ICU's headers, which conflict with Foundation's copy
// of them: no file could import both. Only the layout of xmlCharEncodingHandler depends on this, a type
// that is never used by value here.
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
