// HTTP exchanges by libcurl, on a thread of their own.
//
// Linked, libcurl and what stands behind it would cost every start of the tool time, needed or not; so nothing is linked,
// and libcurl and zlib are opened by the names that go with the headers of the build when the first exchange starts.
//
// libcurl neither follows redirects nor unpacks here: both are where an answer can become another than the one asked for.
#pragma once

#include <stddef.h>
#include <stdint.h>

// How far out an address lies, from this machine to the world.
enum { CCURL_LOOPBACK = 0, CCURL_LINK_LOCAL = 1, CCURL_PRIVATE = 2, CCURL_PUBLIC = 3 };

// Where an address in digits lies; -1 when it is a name.
//
// Source: RFC 6890 and the registries of special addresses; mapped and translated forms lie where their IPv4 part does.
int ccurl_reach(const char *_Nonnull address);

// The same for an address in any form that systems read, such as 2130706433, 0x7f.1 and 0177.0.0.1.
int ccurl_written_reach(const char *_Nonnull host);

// Memory that the answers of several exchanges share, counted in bytes of their bodies.
typedef struct ccurl_memory ccurl_memory;

// Room for `limit` bytes; NULL without memory. It must outlive its exchanges.
ccurl_memory *_Nullable ccurl_memory_make(size_t limit);
void ccurl_memory_free(ccurl_memory *_Nonnull memory);
// Gives back the room of a body that `done` was handed.
void ccurl_memory_release(ccurl_memory *_Nonnull memory, size_t size);
// The bytes that are taken, and the most that were at once.
size_t ccurl_memory_taken(ccurl_memory *_Nonnull memory, size_t *_Nonnull most);

// Gives memory of a body that was copied back to the system; what it holds is lost.
void ccurl_forget(const uint8_t *_Nonnull bytes, size_t size);

typedef enum {
  CCURL_ANSWERED,         // a whole answer, of any status
  CCURL_CANCELLED,        // told to stop
  CCURL_TIMED_OUT,        // the time was over
  CCURL_UNRESOLVED,       // the host, or the proxy, has no address
  CCURL_NO_CONNECTION,    // nobody answered at that address, or not in time
  CCURL_INSECURE,         // the host could not prove who it is
  CCURL_REFUSED_ADDRESS,  // the name led further in than it may
  CCURL_BROKEN,           // the connection ended before the answer did
  CCURL_NOT_HTTP,         // what came is no HTTP
  CCURL_HEADER_TOO_LARGE,
  CCURL_BODY_TOO_LARGE,
  CCURL_NO_MEMORY,        // the bodies of all exchanges that share memory are larger than their limit
  CCURL_BAD_PACKING,      // packed data that are damaged, cut or in a form not asked for
  CCURL_FAILED            // anything else; `detail` tells
} ccurl_outcome;

typedef struct {
  const char *_Nonnull url;
  const char *_Nonnull host;     // exchanges with one host share its connections
  const char *_Nonnull proxy;    // empty: none
  const char *_Nonnull ca_file;  // empty: the system's
  const char *_Nonnull header;   // "Name: value" lines, each ended by a line feed
  const uint8_t *_Nullable body;
  size_t body_size;
  int is_post;
  int64_t milliseconds;          // until it must have ended, waiting for a free connection included
  size_t largest_body;           // bytes, unpacked
  ccurl_memory *_Nonnull memory;
  int innermost;                 // the innermost reach that the host may lead to; not asked of a proxy
} ccurl_request;

typedef struct {
  ccurl_outcome outcome;
  long status;
  const char *_Nonnull header;  // lines of the last header block, with its status line
  size_t header_size;
  const uint8_t *_Nullable body;
  size_t body_size;             // an answer keeps so many bytes of its memory until they are released
  int reach;                    // of the address that answered; -1 when none did or a proxy stood between
  const char *_Nonnull address;
  const char *_Nonnull detail;  // what libcurl says of a failure
} ccurl_answer;

// Told once for each exchange, on the thread of the exchanges; the answer lives until it returns.
typedef void (*ccurl_done)(void *_Nonnull context, const ccurl_answer *_Nonnull answer);

// Bytes that Swift gives for an error text.
enum { CCURL_ERROR_SIZE = 512 };

// Hands an exchange over. 0 and a text in `error` when libcurl or zlib cannot be opened: then `done` is not called.
int ccurl_start(uint64_t id, const ccurl_request *_Nonnull request, ccurl_done _Nonnull done,
                void *_Nonnull context, char *_Nonnull error);

// Ends an exchange at once, whatever it is doing; one that is over, or unknown, is left alone.
void ccurl_cancel(uint64_t id);

// A number for an exchange, never given twice.
uint64_t ccurl_new_id(void);
