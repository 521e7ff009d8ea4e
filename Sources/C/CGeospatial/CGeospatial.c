#include "CGeospatial.h"

#include <CLibraries.h>

_Static_assert((int)CGEOSPATIAL_ERROR_SIZE == (int)CLIBRARIES_ERROR_SIZE, "one size of error texts");

#define NAME(result, name, parameters) #name,
#define LOAD(library, names, functions)                                                                          \
  _Static_assert(sizeof names / sizeof *names == sizeof *functions / sizeof(void *), "one name per function"); \
  return clibraries_load(library, names, sizeof names / sizeof *names, functions, error)

// The number in GDAL's file name is 26 + N for version 3.N (3.6 on Debian 12: libgdal.so.32, 3.10 on Debian 13:
// libgdal.so.36), PROJ's is 22 since 8.0 and 25 since 9.0. The interfaces of GEOS and SQLite keep their numbers. The
// newest numbers leave room for versions to come.
static const clibraries_library gdal = {"GDAL", "libgdal.so", 0, 45, 28, "libgdal32 (Debian 12) or libgdal36 (Debian 13)"};
static const clibraries_library proj = {"PROJ", "libproj.so", 0, 30, 22, "libproj25 (Debian 12 and 13)"};
static const clibraries_library geos = {"GEOS", "libgeos_c.so", 0, 1, 1, "libgeos-c1v5 (Debian 12) or libgeos-c1t64 (Debian 13)"};
static const clibraries_library sqlite = {"SQLite", "libsqlite3.so", 0, 0, 0, "libsqlite3-0 (Debian 12 and 13)"};

int cgeospatial_load_gdal(cgeospatial_gdal *functions, char *error) {
  static const char *const names[] = {CGEOSPATIAL_GDAL(NAME) CGEOSPATIAL_GDAL_UNCOMPARED(NAME)};
  LOAD(&gdal, names, functions);
}

void cgeospatial_register_optional_drivers(void) {
  static const char *const names[] = {"RegisterOGRTopoJSON"};
  for (unsigned index = 0; index < sizeof names / sizeof *names; index++) {
    struct {
      void (*register_driver)(void);
    } driver;
    char error[CGEOSPATIAL_ERROR_SIZE];
    if (clibraries_load(&gdal, &names[index], 1, &driver, error)) driver.register_driver();
  }
}

int cgeospatial_load_proj(cgeospatial_proj *functions, char *error) {
  static const char *const names[] = {CGEOSPATIAL_PROJ(NAME)};
  LOAD(&proj, names, functions);
}

int cgeospatial_load_geos(cgeospatial_geos *functions, char *error) {
  static const char *const names[] = {CGEOSPATIAL_GEOS(NAME)};
  LOAD(&geos, names, functions);
}

// Filled by cgeospatial_load_sqlite.
static struct {
  CGEOSPATIAL_SQLITE_VARIADIC(CGEOSPATIAL_MEMBER)
} variadic;

int cgeospatial_load_sqlite(cgeospatial_sqlite *functions, char *error) {
  static const char *const others[] = {CGEOSPATIAL_SQLITE_VARIADIC(NAME)};
  if (!clibraries_load(&sqlite, others, 1, &variadic, error)) return 0;
  static const char *const names[] = {CGEOSPATIAL_SQLITE(NAME)};
  LOAD(&sqlite, names, functions);
}

int cgeospatial_sqlite_set(sqlite3 *connection, int option, int is_on) {
  // The last argument receives the new state, which is not needed.
  return variadic.sqlite3_db_config(connection, option, is_on, (int *)0);
}
