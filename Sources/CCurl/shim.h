#include <curl/curl.h>

// Swift cannot import variadic functions. Each of these functions calls one with an argument of one
// type.

static inline CURLcode larder_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode larder_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode larder_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode larder_curl_set_size(CURL *handle, CURLoption option, long long value) {
  return curl_easy_setopt(handle, option, (curl_off_t)value);
}

// libcurl keeps a copy of the bytes.
static inline CURLcode larder_curl_set_bytes(CURL *handle, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl_easy_setopt(handle, option, &blob);
}

typedef size_t (*larder_curl_writer)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode larder_curl_set_writer(CURL *handle, larder_curl_writer writer, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}

static inline CURLcode larder_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode larder_curl_multi_set_long(CURLM *handle, CURLMoption option, long value) {
  return curl_multi_setopt(handle, option, value);
}

static inline CURLcode larder_curl_message_result(const CURLMsg *message) { return message->data.result; }

// Macros that Swift cannot import.
static const size_t larder_curl_pause = CURL_WRITEFUNC_PAUSE;
static inline CURLcode larder_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
