#include "CPostgreSQL.h"

#include <CLibraries.h>
// glibc's netinet/tcp.h has an older `tcp_info`, without the count of bytes.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>

_Static_assert((int)CPOSTGRESQL_ERROR_SIZE == (int)CLIBRARIES_ERROR_SIZE, "one size of error texts");

static const clibraries_library libpq = {"libpq", "libpq.so", 0, 5, 5, "libpq5 (Debian 12 and 13)"};

int cpostgresql_load(cpostgresql_functions *functions, char *error) {
  static const char *const names[] = {CPOSTGRESQL_FUNCTIONS(CLIBRARIES_NAME)};
  _Static_assert(sizeof names / sizeof *names == sizeof *functions / sizeof(void *), "one name per function");
  return clibraries_load(&libpq, names, sizeof names / sizeof *names, functions, error);
}

long long cpostgresql_received(int socket) {
  struct tcp_info info;
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return -1;
  const size_t end = offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received;
  return size < end ? -1 : (long long)info.tcpi_bytes_received;
}
