// One exchange: its handle, and what has come so far.
#pragma once
#include "CCurl.h"

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <zlib.h>

#define CCURL_FUNCTIONS(X)                                                                                        \
  X(curl_global_init) X(curl_easy_init) X(curl_easy_cleanup) X(curl_easy_setopt) X(curl_easy_getinfo)             \
  X(curl_easy_strerror) X(curl_slist_append) X(curl_slist_free_all) X(curl_multi_init) X(curl_multi_setopt)       \
  X(curl_multi_add_handle) X(curl_multi_remove_handle) X(curl_multi_perform) X(curl_multi_poll)                   \
  X(curl_multi_wakeup) X(curl_multi_info_read)
#define CCURL_ZLIB_FUNCTIONS(X) X(inflateInit2_) X(inflate) X(inflateReset) X(inflateEnd)

#define CCURL_MEMBER(name) __typeof__(name) *name;
typedef struct {
  CCURL_FUNCTIONS(CCURL_MEMBER)
  CCURL_ZLIB_FUNCTIONS(CCURL_MEMBER)
} ccurl_functions;
extern ccurl_functions curl;

struct ccurl_memory {
  atomic_size_t taken, most;
  size_t limit;
};

typedef struct exchange {
  struct exchange *next;
  uint64_t id;
  ccurl_done done;
  void *context;
  // What is asked; copies.
  char *url, *host, *proxy, *ca_file;
  struct curl_slist *header_lines;
  uint8_t *sent;
  size_t sent_size, largest_body;
  ccurl_memory *memory;
  int is_post, innermost;
  int64_t deadline;  // of exchange_now()
  // What came.
  CURL *easy;
  int is_active, is_cancelled, is_second;
  char *header;
  size_t header_size, header_total;
  uint8_t *body;
  size_t body_size, body_room;
  enum { UNKNOWN, PLAIN, PACKED, UNPACKED } packing;
  z_stream stream;
  size_t taken;       // of the shared memory, for the body
  int is_kept_out;    // an address was refused
  ccurl_outcome fault;  // found by a callback; CCURL_ANSWERED while there is none
  int reach;
  char address[64];
  char detail[CURL_ERROR_SIZE];
} exchange;

// Where an address of a socket lies.
int ccurl_socket_reach(const struct sockaddr *address);

// Counts bytes of a body; 0 where there is no room for them.
int memory_take(ccurl_memory *memory, size_t size);

int exchange_load(char *error);
int64_t exchange_now(void);
exchange *exchange_make(uint64_t id, const ccurl_request *request, ccurl_done done, void *context);
// Fills in the handle; a text when it cannot.
const char *exchange_prepare(exchange *e, int64_t left);
// True for a first answer that is no HTTP and came on a kept connection.
int exchange_is_misread(const exchange *e, CURLcode code);
// Forgets what came, for a connection of its own; 0 when there is no time for it.
int exchange_begin_again(exchange *e);
void exchange_tell(exchange *e, ccurl_outcome outcome, const char *detail);
void exchange_tell_result(exchange *e, CURLcode code);
void exchange_free(exchange *e);
