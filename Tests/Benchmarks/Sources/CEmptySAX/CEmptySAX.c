#include "CEmptySAX.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <string.h>

typedef struct {
  const char *bytes;
  size_t count;
} Rest;

static int take_piece(void *context, char *buffer, int capacity) {
  Rest *rest = context;
  size_t count = rest->count < (size_t)capacity ? rest->count : (size_t)capacity;
  memcpy(buffer, rest->bytes, count);
  rest->bytes += count;
  rest->count -= count;
  return (int)count;
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                          int namespace_count, const xmlChar **namespaces, int attribute_count,
                          int defaulted_count, const xmlChar **attributes) {}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {}

static void characters(void *context, const xmlChar *text, int count) {}

int empty_sax_parse(const void *bytes, size_t count) {
  Rest rest = {bytes, count};
  xmlParserCtxtPtr context = xmlCreateIOParserCtxt(NULL, NULL, take_piece, NULL, &rest, XML_CHAR_ENCODING_NONE);
  if (context == NULL) return 0;
  xmlCtxtUseOptions(context, XML_PARSE_NONET | XML_PARSE_HUGE);
  xmlSAXHandler callbacks = {0};
  callbacks.initialized = XML_SAX2_MAGIC;
  callbacks.startElementNs = start_element;
  callbacks.endElementNs = end_element;
  callbacks.characters = characters;
  callbacks.ignorableWhitespace = characters;
  *context->sax = callbacks;
  int result = xmlParseDocument(context);
  xmlFreeParserCtxt(context);
  return result == 0;
}

const char *empty_sax_version(void) { return LIBXML_DOTTED_VERSION; }
