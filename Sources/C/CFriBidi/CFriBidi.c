#include "CFriBidi.h"

#include <CLibraries.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert((int)CFRIBIDI_ERROR_SIZE == (int)CLIBRARIES_ERROR_SIZE, "one size of error texts");

// From fribidi.h: characters and their types are 32-bit numbers, levels are signed bytes.
static struct {
  void (*types)(const uint32_t *characters, int count, uint32_t *types);
  void (*brackets)(const uint32_t *characters, int count, const uint32_t *types, uint32_t *brackets);
  int8_t (*levels)(const uint32_t *types, const uint32_t *brackets, int count, uint32_t *direction, int8_t *levels);
} fribidi;

static int is_loaded;
static char fault[CFRIBIDI_ERROR_SIZE];

static void load(void) {
  static const clibraries_library library = {"FriBidi", "libfribidi.so", NULL, 0, 0, "libfribidi0 (Debian 12 and 13)"};
  static const char *const names[] = {"fribidi_get_bidi_types", "fribidi_get_bracket_types",
                                      "fribidi_get_par_embedding_levels_ex"};
  _Static_assert(sizeof names / sizeof *names == sizeof fribidi / sizeof(void *), "one name per function");
  is_loaded = clibraries_load(&library, names, sizeof names / sizeof *names, &fribidi, fault);
}

int cfribidi_levels(const uint32_t *characters, int count, int8_t *levels, char *error) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  if (!is_loaded) {
    snprintf(error, CFRIBIDI_ERROR_SIZE, "%s", fault);
    return 0;
  }
  uint32_t *types = count > 0 ? malloc((size_t)count * 2 * sizeof *types) : NULL;
  if (!types) {
    snprintf(error, CFRIBIDI_ERROR_SIZE, "out of memory");
    return 0;
  }
  // FRIBIDI_PAR_ON: the first letter decides.
  uint32_t direction = 0x40;
  fribidi.types(characters, count, types);
  fribidi.brackets(characters, count, types, types + count);
  int8_t highest = fribidi.levels(types, types + count, count, &direction, levels);
  free(types);
  if (highest == 0) snprintf(error, CFRIBIDI_ERROR_SIZE, "out of memory");
  return highest != 0;
}
