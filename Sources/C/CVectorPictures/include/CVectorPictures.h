// Draws SVG with librsvg, which is opened when it is first needed.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The size in bytes of the buffer for an error text.
enum { CVECTORPICTURES_ERROR_SIZE = 512 };

// Finds the width and height of an SVG in pixels of 1/96 inch.
//
// Returns 0 and writes a text to `error` when the library is missing or the SVG cannot be read.
int cvectorpictures_size(const uint8_t *bytes, size_t count, double *width, double *height, char *error);

// Draws an SVG into a whole image of `width` by `height` pixels: 4 bytes each, premultiplied, in Cairo's ARGB32.
//
// Returns 0 and writes a text to `error` when it cannot be drawn.
int cvectorpictures_draw(const uint8_t *bytes, size_t count, int width, int height, uint8_t *pixels, char *error);
