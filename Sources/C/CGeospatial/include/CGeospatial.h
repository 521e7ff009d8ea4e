// Tables of the functions of GDAL, PROJ, GEOS and SQLite. Each library is loaded on first use.
//
// Linking libgdal and the hundred libraries behind it would add 42 ms to every start of the tool (Debian 12), needed or
// not. The newest installed version is loaded, whatever the version of the system that built this code.
#pragma once

// Entries of the lists in the declarations, as cases of an enumeration and as plain numbers.
#define CGEOSPATIAL_CASE(name, value) name = value,
#define CGEOSPATIAL_NUMBER(name, value) static const int name = value;
#include "GDALDeclarations.h"
#include "GEOSDeclarations.h"
#include "PROJDeclarations.h"
#include "SQLiteDeclarations.h"

// Size in bytes of the error text buffers that Swift passes in.
enum { CGEOSPATIAL_ERROR_SIZE = 512 };

// The libraries do not say which pointers may be null.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-completeness"
#define CGEOSPATIAL_MEMBER(result, name, parameters) result(*_Nonnull name) parameters;

// The GDAL functions in use, and the registration functions of the allowed drivers.
typedef struct {
  CGEOSPATIAL_GDAL(CGEOSPATIAL_MEMBER)
  CGEOSPATIAL_GDAL_UNCOMPARED(CGEOSPATIAL_MEMBER)
} cgeospatial_gdal;

typedef struct {
  CGEOSPATIAL_PROJ(CGEOSPATIAL_MEMBER)
} cgeospatial_proj;

typedef struct {
  CGEOSPATIAL_GEOS(CGEOSPATIAL_MEMBER)
} cgeospatial_geos;

typedef struct {
  CGEOSPATIAL_SQLITE(CGEOSPATIAL_MEMBER)
} cgeospatial_sqlite;

// Each function opens its library and fills `functions`. It returns 0 and writes a text to `error` when the library or
// a function is missing. A library stays open until the process ends.
int cgeospatial_load_gdal(cgeospatial_gdal *_Nonnull functions, char *_Nonnull error);
int cgeospatial_load_proj(cgeospatial_proj *_Nonnull functions, char *_Nonnull error);
int cgeospatial_load_geos(cgeospatial_geos *_Nonnull functions, char *_Nonnull error);
int cgeospatial_load_sqlite(cgeospatial_sqlite *_Nonnull functions, char *_Nonnull error);

// Registers the allowed drivers that a build of GDAL may lack. Call it after cgeospatial_load_gdal.
void cgeospatial_register_optional_drivers(void);

// Sets a boolean option of a connection, such as SQLITE_DBCONFIG_DEFENSIVE, and returns SQLite's result code. Call it
// after cgeospatial_load_sqlite. It exists because Swift cannot call functions with a variable number of arguments.
int cgeospatial_sqlite_set(sqlite3 *_Nonnull connection, int option, int is_on);
#pragma clang diagnostic pop
