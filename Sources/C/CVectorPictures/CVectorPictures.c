#include "CVectorPictures.h"

#include <CLibraries.h>
#include <stdio.h>

_Static_assert((int)CVECTORPICTURES_ERROR_SIZE == (int)CLIBRARIES_ERROR_SIZE, "one size of error texts");

// The declarations that are needed, from librsvg 2.52, GLib 2 and Cairo 1. librsvg depends on the other two, so its handle
// finds their functions too.
typedef struct {
  double x, y, width, height;
} rectangle;

typedef struct {
  uint32_t domain;
  int code;
  char *message;
} glib_error;

static struct {
  void *(*handle_new)(const uint8_t *, size_t, glib_error **);
  int (*intrinsic_size)(void *, double *, double *);
  void (*intrinsic_dimensions)(void *, int *, void *, int *, void *, int *, rectangle *);
  int (*render)(void *, void *, const rectangle *, glib_error **);
  void (*set_dpi)(void *, double);
  void (*unref)(void *);
  void (*free_error)(glib_error *);
  void *(*surface_for_data)(unsigned char *, int, int, int, int);
  void *(*create)(void *);
  int (*status)(void *);
  void (*flush)(void *);
  void (*destroy)(void *);
  void (*destroy_surface)(void *);
} svg;

static int load(char *error) {
  static const clibraries_library rsvg = {"librsvg", "librsvg-2.so", 0, 2, 2, "librsvg2-2 (Debian 12 and 13)"};
  static const char *const names[] = {
      "rsvg_handle_new_from_data", "rsvg_handle_get_intrinsic_size_in_pixels",
      "rsvg_handle_get_intrinsic_dimensions", "rsvg_handle_render_document", "rsvg_handle_set_dpi", "g_object_unref",
      "g_error_free", "cairo_image_surface_create_for_data", "cairo_create", "cairo_status", "cairo_surface_flush",
      "cairo_destroy", "cairo_surface_destroy",
  };
  return clibraries_load(&rsvg, names, sizeof names / sizeof *names, &svg, error);
}

static void *open(const uint8_t *bytes, size_t count, char *error) {
  if (!load(error)) return NULL;
  glib_error *fault = NULL;
  // Without a base address, librsvg reads no other file.
  void *handle = svg.handle_new(bytes, count, &fault);
  if (handle) {
    svg.set_dpi(handle, 96);
    return handle;
  }
  snprintf(error, CVECTORPICTURES_ERROR_SIZE, "%s", fault ? fault->message : "the SVG cannot be read");
  if (fault) svg.free_error(fault);
  return NULL;
}

int cvectorpictures_size(const uint8_t *bytes, size_t count, double *width, double *height, char *error) {
  void *handle = open(bytes, count, error);
  if (!handle) return 0;
  if (!svg.intrinsic_size(handle, width, height)) {
    // Without a size of its own, the SVG has that of its view box, or one of 100 pixels.
    int has_width, has_height, has_box;
    struct {
      double length;
      int unit;
    } lengths[2];
    rectangle box;
    svg.intrinsic_dimensions(handle, &has_width, &lengths[0], &has_height, &lengths[1], &has_box, &box);
    *width = has_box ? box.width : 100;
    *height = has_box ? box.height : 100;
  }
  svg.unref(handle);
  return 1;
}

int cvectorpictures_draw(const uint8_t *bytes, size_t count, int width, int height, uint8_t *pixels, char *error) {
  void *handle = open(bytes, count, error);
  if (!handle) return 0;
  enum { ARGB32 = 0 };
  void *surface = svg.surface_for_data(pixels, ARGB32, width, height, width * 4);
  void *context = svg.create(surface);
  const rectangle whole = {0, 0, width, height};
  glib_error *fault = NULL;
  int drawn = svg.status(context) == 0 && svg.render(handle, context, &whole, &fault);
  if (!drawn) {
    snprintf(error, CVECTORPICTURES_ERROR_SIZE, "%s", fault ? fault->message : "the SVG cannot be drawn");
    if (fault) svg.free_error(fault);
  }
  svg.flush(surface);
  svg.destroy(context);
  svg.destroy_surface(surface);
  svg.unref(handle);
  return drawn;
}
