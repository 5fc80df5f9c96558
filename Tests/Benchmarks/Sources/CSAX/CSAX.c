#include "CSAX.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <string.h>

typedef struct {
  const char *bytes;
  size_t count;
} Rest;

typedef struct {
  const SAXCallbacks *callbacks;
  void *user;
} Receiver;

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
                          int defaulted_count, const xmlChar **attributes) {
  Receiver *receiver = context;
  if (receiver->callbacks) receiver->callbacks->start(receiver->user, (const char *)name);
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  Receiver *receiver = context;
  if (receiver->callbacks) receiver->callbacks->end(receiver->user);
}

static void characters(void *context, const xmlChar *text, int count) {
  Receiver *receiver = context;
  if (receiver->callbacks) receiver->callbacks->text(receiver->user, (const char *)text, count);
}

int sax_parse(const void *bytes, size_t count, const SAXCallbacks *callbacks, void *user) {
  Rest rest = {bytes, count};
  Receiver receiver = {callbacks, user};
  xmlParserCtxtPtr context = xmlCreateIOParserCtxt(NULL, NULL, take_piece, NULL, &rest, XML_CHAR_ENCODING_NONE);
  if (context == NULL) return 0;
  xmlCtxtUseOptions(context, XML_PARSE_NONET | XML_PARSE_HUGE);
  xmlSAXHandler handler = {0};
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = start_element;
  handler.endElementNs = end_element;
  handler.characters = characters;
  handler.ignorableWhitespace = characters;
  *context->sax = handler;
  context->userData = &receiver;
  int result = xmlParseDocument(context);
  xmlFreeParserCtxt(context);
  return result == 0;
}

const char *sax_version(void) { return LIBXML_DOTTED_VERSION; }
