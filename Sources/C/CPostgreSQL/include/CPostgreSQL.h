// A table of the functions of libpq, the client library of PostgreSQL, which is loaded on first use.
#pragma once

#define CPOSTGRESQL_NUMBER(name, value) static const unsigned int name = value;
// The library does not say which pointers may be null.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-completeness"
#include "PostgreSQLDeclarations.h"

// Size in bytes of the error text buffers that Swift passes in.
enum { CPOSTGRESQL_ERROR_SIZE = 512 };

#define CPOSTGRESQL_MEMBER(result, name, parameters) result(*_Nonnull name) parameters;

typedef struct {
  CPOSTGRESQL_FUNCTIONS(CPOSTGRESQL_MEMBER)
} cpostgresql_functions;

// Opens the library and fills `functions`. It returns 0 and writes a text to `error` when the library or a function is
// missing. The library stays open until the process ends.
int cpostgresql_load(cpostgresql_functions *_Nonnull functions, char *_Nonnull error);

// Returns the number of bytes that a TCP connection has received since its start, also those that nobody has read yet.
// It is -1 for other sockets.
//
// Source: RFC 4898, tcpEStatsAppHCThruOctetsReceived, which Linux has in `tcp_info` since 4.1.
long long cpostgresql_received(int socket);
#pragma clang diagnostic pop
