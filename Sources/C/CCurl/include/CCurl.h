// HTTP exchanges by libcurl, on a dedicated thread.
//
// libcurl and zlib are loaded when the first exchange starts. Linking them would slow every start of the tool, even
// without network use.
//
// libcurl does not follow redirects and does not decompress here. Both steps can change which answer is accepted.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The reach of an address, from this machine (loopback) to the internet (public).
enum { CCURL_LOOPBACK = 0, CCURL_LINK_LOCAL = 1, CCURL_PRIVATE = 2, CCURL_PUBLIC = 3 };

// Returns the reach of a numeric address; -1 for a host name.
//
// Source: RFC 6890 and the registries of special addresses. IPv4-mapped and translated forms have the reach of their
// IPv4 part.
int ccurl_reach(const char *_Nonnull address);

// Like `ccurl_reach`, for every numeric form that systems accept, such as 2130706433, 0x7f.1 and 0177.0.0.1.
int ccurl_written_reach(const char *_Nonnull host);

// A memory budget shared by several exchanges, counted in bytes of their bodies.
typedef struct ccurl_memory ccurl_memory;

// Creates a budget of `limit` bytes; returns NULL without memory. It must outlive its exchanges.
ccurl_memory *_Nullable ccurl_memory_make(size_t limit);
void ccurl_memory_free(ccurl_memory *_Nonnull memory);
// Releases the reserved bytes of a body that was passed to `done`.
void ccurl_memory_release(ccurl_memory *_Nonnull memory, size_t size);
// Returns the bytes reserved now; `most` receives the highest number reserved at once.
size_t ccurl_memory_taken(ccurl_memory *_Nonnull memory, size_t *_Nonnull most);

// Returns the pages of a copied body to the system. Their content is lost.
void ccurl_forget(const uint8_t *_Nonnull bytes, size_t size);

typedef enum {
  CCURL_ANSWERED,         // a complete answer, of any status
  CCURL_CANCELLED,        // cancelled by the caller
  CCURL_TIMED_OUT,        // the time limit was reached
  CCURL_UNRESOLVED,       // the name of the host or proxy has no address
  CCURL_NO_CONNECTION,    // the address refused the connection or did not answer in time
  CCURL_INSECURE,         // the TLS handshake or the verification of the certificate failed
  CCURL_REFUSED_ADDRESS,  // the name resolved to an address further in than permitted
  CCURL_BROKEN,           // the connection ended before the answer was complete
  CCURL_NOT_HTTP,         // the bytes received are not HTTP
  CCURL_HEADER_TOO_LARGE,
  CCURL_BODY_TOO_LARGE,
  CCURL_TOO_COMPRESSED,   // the body has more than CCURL_RATIO bytes for each compressed byte
  CCURL_NO_MEMORY,        // the bodies of all exchanges with this budget exceed its limit
  CCURL_BAD_PACKING,      // compressed data are damaged, truncated or in a format that was not requested
  CCURL_FAILED            // any other failure; see `detail`
} ccurl_outcome;

typedef struct {
  const char *_Nonnull url;
  const char *_Nonnull host;     // exchanges with the same host share its connections
  const char *_Nonnull proxy;    // empty: no proxy
  const char *_Nonnull ca_file;  // empty: the system's certificates
  const char *_Nonnull header;   // "Name: value" lines, each ended by a line feed
  const uint8_t *_Nullable body;
  size_t body_size;
  int is_post;
  int64_t milliseconds;          // time limit, including the wait for a free connection
  size_t largest_body;           // bytes, decompressed
  ccurl_memory *_Nonnull memory;
  int innermost;                 // the innermost reach permitted for the host; not checked with a proxy
} ccurl_request;

typedef struct {
  ccurl_outcome outcome;
  long status;
  const char *_Nonnull header;  // lines of the last header block, with its status line
  size_t header_size;
  const uint8_t *_Nullable body;
  size_t body_size;             // after success, the bytes stay reserved until `ccurl_memory_release`
  int reach;                    // of the address that answered; -1 without an answer or through a proxy
  const char *_Nonnull address;
  const char *_Nonnull detail;  // libcurl's text for a failure
} ccurl_answer;

// Called once per exchange, on the engine's thread. The answer is valid until the function returns.
typedef void (*ccurl_done)(void *_Nonnull context, const ccurl_answer *_Nonnull answer);

// The size in bytes of the buffer for an error text; the most bytes of a body for each compressed byte.
enum { CCURL_ERROR_SIZE = 512, CCURL_RATIO = 1000 };

// Submits an exchange. Returns 0, with a text in `error`, if libcurl or zlib cannot be loaded or memory is short.
// `done` is then not called.
int ccurl_start(uint64_t id, const ccurl_request *_Nonnull request, ccurl_done _Nonnull done,
                void *_Nonnull context, char *_Nonnull error);

// Cancels an exchange in any state; ignores an unknown or finished one.
void ccurl_cancel(uint64_t id);

// Returns a unique number for an exchange.
uint64_t ccurl_new_id(void);
