#include <libxml/xmlversion.h>

// Debian's libxml2 is built with ICU, and its headers then include ICU's, which contradict the copy
// that Foundation carries: no file could import both. Only the inside of xmlCharEncodingHandler
// depends on it, a type that is never used by value here.
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
