#include "CPostgreSQL.h"

#include <CLibraries.h>

_Static_assert((int)CPOSTGRESQL_ERROR_SIZE == (int)CLIBRARIES_ERROR_SIZE, "one size of error texts");

static const clibraries_library libpq = {"libpq", "libpq.so", 0, 5, 5, "libpq5 (Debian 12 and 13)"};

int cpostgresql_load(cpostgresql_functions *functions, char *error) {
  static const char *const names[] = {CPOSTGRESQL_FUNCTIONS(CLIBRARIES_NAME)};
  _Static_assert(sizeof names / sizeof *names == sizeof *functions / sizeof(void *), "one name per function");
  return clibraries_load(&libpq, names, sizeof names / sizeof *names, functions, error);
}
