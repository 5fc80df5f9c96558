#include <libxml/xmlversion.h>

// Debian's libxml2 is built with ICU and includes ICU's headers, which conflict with Foundation's copy
// of them: no file could import both. Only the layout of xmlCharEncodingHandler depends on this, a type
// that is never used by value here.
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/xmlerror.h>

// The offset of the cursor in the bytes that the parser has been fed, negative if there is none.
static inline long larder_xml_offset(xmlParserCtxtPtr context) {
#if LIBXML_VERSION >= 21400
  unsigned long offset = 0;
  if (xmlCtxtGetInputPosition(context, 0, NULL, NULL, NULL, &offset) != 0) return -1;
  return (long)offset;
#else
  // What xmlByteConsumed returns for input that is not converted, without a call for each tag. The
  // fields are deprecated in versions that have the function above, and these have another soname.
  const xmlParserInput *input = context->input;
  if (input == NULL) return -1;
  return (long)(input->consumed + (unsigned long)(input->cur - input->base));
#endif
}
