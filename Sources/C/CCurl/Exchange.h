// The state of one exchange: its request, its libcurl handle and the answer received so far.
#pragma once
#include "CCurl.h"

#include "Declarations.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <zlib.h>

#define CCURL_MEMBER(result, name, parameters) result(*name) parameters;
#define CCURL_ZLIB_FUNCTIONS(X) X(inflateInit2_) X(inflate) X(inflateReset) X(inflateEnd)
#define CCURL_ZLIB_MEMBER(name) __typeof__(name) *name;
// libcurl's functions come first, then zlib's, each in the order of its list.
typedef struct {
  CCURL_FUNCTIONS(CCURL_MEMBER)
  CCURL_ZLIB_FUNCTIONS(CCURL_ZLIB_MEMBER)
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
  // The request; the strings are copies.
  char *url, *host, *proxy, *ca_file;
  struct curl_slist *header_lines;
  uint8_t *sent;
  size_t sent_size, largest_body;
  ccurl_memory *memory;
  int is_post, innermost;
  int64_t deadline;  // in the time of exchange_now(), milliseconds
  // The answer so far.
  CURL *easy;
  int is_active, is_cancelled, is_second;
  char *header;
  size_t header_size, header_total;
  uint8_t *body;
  size_t body_size, body_room;
  enum { UNKNOWN, PLAIN, PACKED, UNPACKED } packing;
  z_stream stream;
  size_t packed_size;  // compressed bytes received
  int socket;  // the connection; 0 if it is not known
  uint64_t received_before;  // bytes that the connection had received before this exchange
  size_t taken;       // bytes of the shared memory reserved for the body
  int is_kept_out;    // an address was refused
  ccurl_outcome fault;  // set by a callback; CCURL_ANSWERED means none
  int reach;
  char address[64];
  char detail[CURL_ERROR_SIZE];
} exchange;

// Returns the reach of a socket address.
int ccurl_socket_reach(const struct sockaddr *address);

// Reserves bytes for a body. Returns 0 if the limit would be exceeded.
int memory_take(ccurl_memory *memory, size_t size);

int exchange_load(char *error);
int64_t exchange_now(void);
exchange *exchange_make(uint64_t id, const ccurl_request *request, ccurl_done done, void *context);
// Sets up the libcurl handle. Returns NULL, or an error text.
const char *exchange_prepare(exchange *e, int64_t left);
// Whether the first attempt received something other than HTTP on a kept connection.
int exchange_is_misread(const exchange *e, CURLcode code);
// Resets the exchange for a second attempt on a new connection. Returns 0 if no time is left.
int exchange_begin_again(exchange *e);
void exchange_tell(exchange *e, ccurl_outcome outcome, const char *detail);
void exchange_tell_result(exchange *e, CURLcode code);
void exchange_free(exchange *e);
