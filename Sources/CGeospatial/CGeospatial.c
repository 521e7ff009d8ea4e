#include "CGeospatial.h"

#include <dlfcn.h>
#include <stdio.h>

// The number in a library's file name follows the headers of the build. GDAL 3.N uses 26 + N (3.6 on Debian 12:
// libgdal.so.32). PROJ uses 25 since 9.0. The C interface of GEOS has stayed at 1.
#if GDAL_VERSION_MAJOR != 3
#error "GDAL 3 is needed"
#endif

static void *open_library(const char *name, const char *plain, char *error) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen(plain, RTLD_NOW | RTLD_LOCAL);
  if (!library) snprintf(error, CGEOSPATIAL_ERROR_SIZE, "%s cannot be loaded (%s)", name, dlerror());
  return library;
}

static void *find(void *library, const char *name, int *complete, char *error) {
  void *function = dlsym(library, name);
  if (!function && *complete) {
    *complete = 0;
    snprintf(error, CGEOSPATIAL_ERROR_SIZE, "the installed library has no %s", name);
  }
  return function;
}

#define LOAD(name) functions->name = find(library, #name, &complete, error);

int cgeospatial_load_gdal(cgeospatial_gdal *functions, char *error) {
  char name[32];
  snprintf(name, sizeof name, "libgdal.so.%d", 26 + GDAL_VERSION_MINOR);
  void *library = open_library(name, "libgdal.so", error);
  if (!library) return 0;
  int complete = 1;
  CGEOSPATIAL_GDAL(LOAD)
  LOAD(RegisterOGRGeoPackage)
  LOAD(RegisterOGRShape)
  LOAD(RegisterOGRFlatGeobuf)
  LOAD(RegisterOGRTAB)
  LOAD(RegisterOGRKML)
  LOAD(RegisterOGRGPX)
  LOAD(RegisterOGROpenFileGDB)
  return complete;
}

int cgeospatial_load_proj(cgeospatial_proj *functions, char *error) {
  void *library = open_library("libproj.so.25", "libproj.so", error);
  if (!library) return 0;
  int complete = 1;
  CGEOSPATIAL_PROJ(LOAD)
  return complete;
}

int cgeospatial_load_geos(cgeospatial_geos *functions, char *error) {
  void *library = open_library("libgeos_c.so.1", "libgeos_c.so", error);
  if (!library) return 0;
  int complete = 1;
  CGEOSPATIAL_GEOS(LOAD)
  return complete;
}

static __typeof__(sqlite3_db_config) *set_option;

int cgeospatial_load_sqlite(cgeospatial_sqlite *functions, char *error) {
  void *library = open_library("libsqlite3.so.0", "libsqlite3.so", error);
  if (!library) return 0;
  int complete = 1;
  CGEOSPATIAL_SQLITE(LOAD)
  set_option = find(library, "sqlite3_db_config", &complete, error);
  return complete;
}

int cgeospatial_sqlite_set(sqlite3 *connection, int option, int is_on) {
  // The last argument receives the new state, which is not needed.
  return set_option(connection, option, is_on, (int *)0);
}
