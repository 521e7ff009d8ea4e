#define _GNU_SOURCE
#include "Exchange.h"

#include <CLibraries.h>
#include <arpa/inet.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

// Source: design decision. Servers accept 8 to 64 KiB of request header, and response headers stay far below.
enum { LARGEST_HEADER = 64 << 10, LONGEST_CONNECTING = 10000 };

ccurl_functions curl;

#define NAME(result, name, parameters) #name,
#define ZLIB_NAME(name) #name,

int exchange_load(char *error) {
  // Debian's second libcurl, which uses GnuTLS, comes with GDAL.
  static const clibraries_library libcurl = {"libcurl", "libcurl.so", "libcurl-gnutls.so", 4, 4,
                                             "libcurl4 (Debian 12) or libcurl4t64 (Debian 13)"};
  static const clibraries_library zlib = {"zlib", "libz.so", NULL, 1, 1, "zlib1g (Debian 12 and 13)"};
  static const char *const names[] = {CCURL_FUNCTIONS(NAME)};
  static const char *const zlib_names[] = {CCURL_ZLIB_FUNCTIONS(ZLIB_NAME)};
  enum { COUNT = sizeof names / sizeof *names, ZLIB_COUNT = sizeof zlib_names / sizeof *zlib_names };
  _Static_assert((COUNT + ZLIB_COUNT) * sizeof(void *) == sizeof curl, "one name per function");
  return clibraries_load(&libcurl, names, COUNT, &curl, error) &&
         clibraries_load(&zlib, zlib_names, ZLIB_COUNT, (char *)&curl + COUNT * sizeof(void *), error);
}

int64_t exchange_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

exchange *exchange_make(uint64_t id, const ccurl_request *request, ccurl_done done, void *context) {
  exchange *e = calloc(1, sizeof *e);
  if (!e) return NULL;
  *e = (exchange){.id = id, .done = done, .context = context, .reach = -1, .is_post = request->is_post,
                  .largest_body = request->largest_body, .memory = request->memory, .innermost = request->innermost,
                  .deadline = exchange_now() + request->milliseconds};
  e->url = strdup(request->url);
  e->host = strdup(request->host);
  e->proxy = strdup(request->proxy);
  e->ca_file = strdup(request->ca_file);
  e->header = malloc(LARGEST_HEADER + 1);
  e->sent = malloc(request->body_size + 1);
  char *lines = strdup(request->header);
  int complete = e->url && e->host && e->proxy && e->ca_file && e->header && e->sent && lines;
  if (e->sent && request->body_size) memcpy(e->sent, request->body, e->sent_size = request->body_size);
  char *rest = lines;
  for (char *line; complete && (line = strsep(&rest, "\n"));) {
    if (!*line) continue;
    struct curl_slist *longer = curl.curl_slist_append(e->header_lines, line);
    if (longer) e->header_lines = longer;
    else complete = 0;
  }
  free(lines);
  if (complete) return e;
  exchange_free(e);
  return NULL;
}

void exchange_free(exchange *e) {
  if (e->easy) curl.curl_easy_cleanup(e->easy);
  if (e->memory) ccurl_memory_release(e->memory, e->taken);
  if (e->header_lines) curl.curl_slist_free_all(e->header_lines);
  if (e->packing == PACKED || e->packing == UNPACKED) curl.inflateEnd(&e->stream);
  free(e->url), free(e->host), free(e->proxy), free(e->ca_file), free(e->sent), free(e->header), free(e->body);
  free(e);
}

// Returns the value of a field of the last header block, or NULL if it is absent. The value is not null-terminated:
// `size` receives its length.
static const char *field(const exchange *e, const char *name, size_t *size) {
  size_t length = strlen(name);
  for (const char *line = e->header, *end = e->header + e->header_size; line < end;) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (!stop) stop = end;
    if ((size_t)(stop - line) > length && strncasecmp(line, name, length) == 0 && line[length] == ':') {
      const char *value = line + length + 1;
      while (value < stop && (*value == ' ' || *value == '\t')) value++;
      while (stop > value && (stop[-1] == '\r' || stop[-1] == ' ' || stop[-1] == '\t')) stop--;
      *size = (size_t)(stop - value);
      return value;
    }
    line = stop + 1;
  }
  return NULL;
}

static size_t take_header(char *bytes, size_t one, size_t count, void *context) {
  (void)one;
  exchange *e = context;
  // The limit covers all header blocks: a server may send preliminary blocks (1xx) without end.
  e->header_total += count;
  if (e->header_total > LARGEST_HEADER) return e->fault = CCURL_HEADER_TOO_LARGE, 0;
  if (count > 5 && memcmp(bytes, "HTTP/", 5) == 0) e->header_size = 0;
  memcpy(e->header + e->header_size, bytes, count);
  e->header_size += count;
  return count;
}

// Reserves shared memory for `more` further bytes of the body. Returns 0 if the limit is reached.
static int take_memory(exchange *e, size_t more) {
  size_t size = e->body_size + more;
  if (size <= e->taken) return 1;
  if (!memory_take(e->memory, size - e->taken)) return e->fault = CCURL_NO_MEMORY, 0;
  e->taken = size;
  return 1;
}

// Makes room for `more` bytes of the body; returns 0 if it cannot. The room doubles, so that a long body is not copied
// for each piece.
static int make_room(exchange *e, size_t more) {
  if (more <= e->body_room - e->body_size) return take_memory(e, more);
  size_t room = e->body_room ? e->body_room : 16 << 10;
  while (room - e->body_size < more) room *= 2;
  // At most the permitted size, or enough to detect that the body exceeds it.
  size_t most = e->body_size + more > e->largest_body ? e->body_size + more : e->largest_body;
  if (room > most && most > e->body_room) room = most;
  uint8_t *body = realloc(e->body, room);
  if (!body) return e->fault = CCURL_BODY_TOO_LARGE, 0;
  e->body = body;
  e->body_room = room;
  return take_memory(e, more);
}

static int unpack(exchange *e, const uint8_t *bytes, size_t count) {
  e->packed_size += count;
  e->stream.next_in = (Bytef *)bytes;
  e->stream.avail_in = (uInt)count;
  for (;;) {
    // Several gzip members in a row form one stream (RFC 1952, 2.2).
    if (e->packing == UNPACKED) {
      if (!e->stream.avail_in) return 1;
      if (curl.inflateReset(&e->stream) != Z_OK) return e->fault = CCURL_BAD_PACKING, 0;
      e->packing = PACKED;
    }
    if (!make_room(e, 64 << 10)) return 0;
    size_t room = e->body_room - e->body_size;
    if (room > 64 << 10) room = 64 << 10;  // no more than was reserved
    e->stream.next_out = e->body + e->body_size;
    e->stream.avail_out = (uInt)room;
    int code = curl.inflate(&e->stream, Z_NO_FLUSH);
    e->body_size += room - e->stream.avail_out;
    if (e->body_size > e->largest_body) return e->fault = CCURL_BODY_TOO_LARGE, 0;
    if (e->body_size / CCURL_RATIO > e->packed_size) return e->fault = CCURL_TOO_COMPRESSED, 0;
    if (code == Z_STREAM_END) e->packing = UNPACKED;
    else if (code == Z_BUF_ERROR) return 1;  // needs more input
    else if (code != Z_OK) return e->fault = CCURL_BAD_PACKING, 0;
    else if (!e->stream.avail_in && e->stream.avail_out) return 1;
  }
}

static int begin_body(exchange *e) {
  size_t size = 0;
  const char *packing = field(e, "Content-Encoding", &size);
  if (!packing || !size || (size == 8 && strncasecmp(packing, "identity", 8) == 0)) return e->packing = PLAIN, 1;
  int is_gzip = (size == 4 && strncasecmp(packing, "gzip", 4) == 0) ||
                (size == 6 && strncasecmp(packing, "x-gzip", 6) == 0);
  // 15 + 16: gzip format only, so that its check sum is verified.
  if (!is_gzip || curl.inflateInit2_(&e->stream, 15 + 16, ZLIB_VERSION, (int)sizeof e->stream) != Z_OK)
    return e->fault = CCURL_BAD_PACKING, 0;
  e->packing = PACKED;
  return 1;
}

static size_t take_body(char *bytes, size_t one, size_t count, void *context) {
  (void)one;
  exchange *e = context;
  if (e->packing == UNKNOWN && !begin_body(e)) return 0;
  if (e->packing != PLAIN) return unpack(e, (const uint8_t *)bytes, count) ? count : 0;
  if (count > e->largest_body - e->body_size) return e->fault = CCURL_BODY_TOO_LARGE, 0;
  if (!make_room(e, count)) return 0;
  memcpy(e->body + e->body_size, bytes, count);
  e->body_size += count;
  return count;
}

// Called before connecting. A refused address is not contacted at all, not even to check whether a host answers.
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  exchange *e = context;
  int reach = ccurl_socket_reach(&address->addr);
  if (purpose == CURLSOCKTYPE_IPCXN && !*e->proxy && reach < e->innermost) {
    e->is_kept_out = 1;
    e->reach = reach;
    const void *bytes = address->family == AF_INET
                            ? (const void *)&((struct sockaddr_in *)&address->addr)->sin_addr
                            : (const void *)&((struct sockaddr_in6 *)&address->addr)->sin6_addr;
    inet_ntop(address->family, bytes, e->address, sizeof e->address);
    return CURL_SOCKET_BAD;
  }
  return e->socket = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// Returns the number of bytes that a connection has received so far.
static uint64_t received(int connection) {
  struct tcp_info info = {0};
  socklen_t size = sizeof info;
  return getsockopt(connection, IPPROTO_TCP, TCP_INFO, &info, &size) ? 0 : info.tcpi_bytes_received;
}

// Returns the local port of a socket; 0 for none.
static int port_of(int connection) {
  struct sockaddr_storage address = {0};
  socklen_t size = sizeof address;
  if (getsockname(connection, (struct sockaddr *)&address, &size)) return 0;
  // The port is at the same place in both families.
  return ntohs(((struct sockaddr_in *)&address)->sin_port);
}

// Finds the socket of a connection by its local port, also of a kept one. libcurl tells it only after an exchange.
static void find_socket(exchange *e, int port) {
  static int sockets[1 << 16];  // only this thread runs exchanges
  if (port <= 0 || port >= 1 << 16) return;
  if (e->socket > 0 && port_of(e->socket) == port) sockets[port] = e->socket;
  e->socket = sockets[port] > 0 && port_of(sockets[port]) == port ? sockets[port] : 0;
  e->received_before = e->socket ? received(e->socket) : 0;
}

// Called after connecting, or on a kept connection, before anything is sent.
static int look_at_address(void *context, char *address, char *local, int port, int local_port) {
  (void)local, (void)port;
  exchange *e = context;
  find_socket(e, local_port);
  snprintf(e->address, sizeof e->address, "%s", address);
  if (*e->proxy) return CURL_PREREQFUNC_OK;
  e->reach = ccurl_reach(address);
  if (e->reach >= e->innermost) return CURL_PREREQFUNC_OK;
  e->fault = CCURL_REFUSED_ADDRESS;
  return CURL_PREREQFUNC_ABORT;
}

// Called while bytes arrive. libcurl itself skips the extensions of chunks, even those without end: only the socket counts
// these bytes.
static int look_at_progress(void *context, curl_off_t all, curl_off_t now, curl_off_t all_sent, curl_off_t sent) {
  (void)all, (void)now, (void)all_sent, (void)sent;
  exchange *e = context;
  if (e->socket <= 0) return 0;
  // Small chunks and encryption need less than the body itself.
  if (received(e->socket) <= e->received_before + 2 * (uint64_t)e->largest_body + LARGEST_HEADER) return 0;
  e->fault = CCURL_BODY_TOO_LARGE;
  return 1;
}

#define SET(option, value)                                                                                        \
  if (curl.curl_easy_setopt(e->easy, option, value) != CURLE_OK) return "the installed libcurl is too old: it does not know " #option

const char *exchange_prepare(exchange *e, int64_t left) {
  if (!(e->easy = curl.curl_easy_init())) return "libcurl has no memory";
  SET(CURLOPT_URL, e->url);
  // 7.85 has the text form and 7.80, the oldest version with CURLOPT_PREREQFUNCTION, only the numbers.
  if (curl.curl_easy_setopt(e->easy, CURLOPT_PROTOCOLS_STR, "http,https") != CURLE_OK)
    SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  // HTTP/1.1 only: the tests cover this protocol.
  SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  SET(CURLOPT_FOLLOWLOCATION, 0L);
  SET(CURLOPT_SSL_VERIFYPEER, 1L);
  SET(CURLOPT_SSL_VERIFYHOST, 2L);
  if (*e->ca_file) SET(CURLOPT_CAINFO, e->ca_file);
  // An empty proxy also stops libcurl from reading the environment: the caller has already read it.
  SET(CURLOPT_PROXY, e->proxy);
  SET(CURLOPT_NOPROXY, "");
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_TIMEOUT_MS, (long)left);
  SET(CURLOPT_CONNECTTIMEOUT_MS, (long)(left < LONGEST_CONNECTING ? left : LONGEST_CONNECTING));
  // Do not wait for a name lookup whose result is no longer needed; before 7.87 libcurl waits.
  curl.curl_easy_setopt(e->easy, CURLOPT_QUICK_EXIT, 1L);
  SET(CURLOPT_HTTPHEADER, e->header_lines);
  if (e->is_post) {
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)e->sent_size);
    SET(CURLOPT_POSTFIELDS, e->sent);
  }
  SET(CURLOPT_HEADERFUNCTION, take_header);
  SET(CURLOPT_HEADERDATA, e);
  SET(CURLOPT_WRITEFUNCTION, take_body);
  SET(CURLOPT_WRITEDATA, e);
  SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
  SET(CURLOPT_OPENSOCKETDATA, e);
  SET(CURLOPT_PREREQFUNCTION, look_at_address);
  SET(CURLOPT_PREREQDATA, e);
  SET(CURLOPT_XFERINFOFUNCTION, look_at_progress);
  SET(CURLOPT_XFERINFODATA, e);
  SET(CURLOPT_NOPROGRESS, 0L);
  SET(CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)e->largest_body);
  SET(CURLOPT_ERRORBUFFER, e->detail);
  SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  return NULL;
}

int exchange_is_misread(const exchange *e, CURLcode code) {
  long made = 1;
  curl.curl_easy_getinfo(e->easy, CURLINFO_NUM_CONNECTS, &made);
  return (code == CURLE_WEIRD_SERVER_REPLY || code == CURLE_UNSUPPORTED_PROTOCOL) && !made && !e->is_second &&
         e->fault == CCURL_ANSWERED && !e->body_size;
}

int exchange_begin_again(exchange *e) {
  int64_t left = e->deadline - exchange_now();
  e->is_second = 1;
  e->socket = 0;
  e->header_size = 0;
  *e->detail = 0;
  return left > 0 && curl.curl_easy_setopt(e->easy, CURLOPT_FRESH_CONNECT, 1L) == CURLE_OK &&
         curl.curl_easy_setopt(e->easy, CURLOPT_TIMEOUT_MS, (long)left) == CURLE_OK;
}

void exchange_tell(exchange *e, ccurl_outcome outcome, const char *detail) {
  long status = 0;
  if (e->easy) curl.curl_easy_getinfo(e->easy, CURLINFO_RESPONSE_CODE, &status);
  ccurl_answer answer = {.outcome = outcome, .status = status, .header = e->header, .header_size = e->header_size,
                         .body = e->body, .body_size = e->body_size, .reach = e->reach, .address = e->address,
                         .detail = detail};
  // The caller releases the memory of an answer, and may free `memory` as soon as `done` returns.
  size_t kept = outcome == CCURL_ANSWERED ? e->body_size : 0;
  ccurl_memory_release(e->memory, e->taken - kept);
  e->memory = NULL;
  e->done(e->context, &answer);
}

static ccurl_outcome outcome_of(const exchange *e, CURLcode code) {
  if (e->fault != CCURL_ANSWERED) return e->fault;
  switch (code) {
    // libcurl's own limit for a header line reports "out of memory"; no other part of an exchange has such a limit.
    case CURLE_OUT_OF_MEMORY: return e->body_size ? CCURL_FAILED : CCURL_HEADER_TOO_LARGE;
    case CURLE_OK: return e->packing == PACKED ? CCURL_BAD_PACKING : CCURL_ANSWERED;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return CCURL_UNRESOLVED;
    case CURLE_COULDNT_CONNECT:
      if (e->is_kept_out) return CCURL_REFUSED_ADDRESS;
      return CCURL_NO_CONNECTION;
    case CURLE_OPERATION_TIMEDOUT: return exchange_now() + 5 < e->deadline ? CCURL_NO_CONNECTION : CCURL_TIMED_OUT;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE: return CCURL_INSECURE;
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE: return CCURL_BROKEN;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY: return CCURL_NOT_HTTP;
    case CURLE_FILESIZE_EXCEEDED: return CCURL_BODY_TOO_LARGE;
    default: return CCURL_FAILED;
  }
}

void exchange_tell_result(exchange *e, CURLcode code) {
  exchange_tell(e, outcome_of(e, code), *e->detail ? e->detail : curl.curl_easy_strerror(code));
}
