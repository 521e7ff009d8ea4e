#include "CLibraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 64 };

// Opens the newest file of a library. `name` receives its name, and `fault` the reason when a file exists and cannot be
// opened.
static void *open_newest(const char *file, int newest, int oldest, char *name, char *fault) {
  for (int number = newest; number >= oldest; number--) {
    snprintf(name, NAME_SIZE, "%s.%d", file, number);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
    const char *reason = dlerror();
    char missing[NAME_SIZE + 32];
    snprintf(missing, sizeof missing, "%s: cannot open shared object file", name);
    if (reason && !*fault && strncmp(reason, missing, strlen(missing)) != 0)
      snprintf(fault, CLIBRARIES_ERROR_SIZE / 2, "%s", reason);
  }
  return NULL;
}

int clibraries_load(const clibraries_library *library, const char *const *functions, size_t count, void *table,
                    char *error) {
  char name[NAME_SIZE], fault[CLIBRARIES_ERROR_SIZE / 2] = "";
  void *handle = open_newest(library->file, library->newest, library->oldest, name, fault);
  if (!handle && library->other) handle = open_newest(library->other, library->newest, library->oldest, name, fault);
  if (!handle) {
    snprintf(error, CLIBRARIES_ERROR_SIZE, "%s is required and %s%s%s; install %s", library->name,
             *fault ? "cannot be loaded (" : "is not installed", fault, *fault ? ")" : "", library->packages);
    return 0;
  }
  for (size_t index = 0; index < count; index++) {
    void *function = dlsym(handle, functions[index]);
    if (!function) {
      snprintf(error, CLIBRARIES_ERROR_SIZE,
               "%s is required and %s is too old (it has no function %s); install %s", library->name,
               name, functions[index], library->packages);
      return 0;
    }
    memcpy((char *)table + index * sizeof function, &function, sizeof function);
  }
  return 1;
}
