// Opens a C library when it is first needed, and finds its functions.
#pragma once

#include <stddef.h>

// The size in bytes of the buffer for an error text.
enum { CLIBRARIES_ERROR_SIZE = 512 };

// A library and the versions of its binary interface that this code can use.
typedef struct {
  const char *name;       // as its users know it, such as GDAL
  const char *file;       // the file name before the number, such as libgdal.so
  const char *other;      // a second file name to try; NULL without one
  int newest, oldest;     // the range of numbers, tried from the newest
  const char *packages;   // the Debian packages that contain it, as words of a sentence
} clibraries_library;

// Opens a library and fills a table of `count` function pointers, in the order of `functions`.
//
// Returns 0 and writes a text to `error` when the library or one of the functions is missing. An opened library stays
// open until the process ends.
int clibraries_load(const clibraries_library *library, const char *const *functions, size_t count, void *table,
                    char *error);

// For lists of functions such as #define LZ4(X) X(result, name, parameters) …: their names, and a structure of pointers.
#define CLIBRARIES_NAME(result, name, parameters) #name,
#define CLIBRARIES_MEMBER(result, name, parameters) result(*name) parameters;

// Loads the functions of a list into the structure `table` once, from any thread; returns 0 from the calling function if
// that fails.
#define CLIBRARIES_LOAD(library, list, table, error)                                              \
  static const char *const names[] = {list(CLIBRARIES_NAME)};                                     \
  static int is_loaded;                                                                           \
  if (!__atomic_load_n(&is_loaded, __ATOMIC_ACQUIRE)) {                                           \
    if (!clibraries_load(&library, names, sizeof names / sizeof *names, &table, error)) return 0; \
    __atomic_store_n(&is_loaded, 1, __ATOMIC_RELEASE);                                            \
  }
