#include <cairo.h>
// For mallopt, which is missing from Swift's module of the C library.
#include <malloc.h>
#include <stdlib.h>

// Makes a surface free the memory of its pixels at its end.
static inline cairo_status_t ccairo_free_with_surface(cairo_surface_t *surface, void *memory) {
  static const cairo_user_data_key_t key;
  return cairo_surface_set_user_data(surface, &key, memory, free);
}
