// Markers laid down from masks, the last first, eight pixels at once.
//
// In C for its vectors: the same sums in Swift's took two to three times as long. They are the language's own, so every
// processor gives the same bits.
#pragma once

#include <stdint.h>

// Pixels worked on at once: rows of masks are padded to whole eights.
enum { CMARKERS_STEP = 8 };

// What is taken of pixels, to 65535, and the colours times what they took; all 0 at first. For each row four times
// `stride` values: taken, blue, green, red, of which the first `width` count; `stride` is at least CMARKERS_STEP more.
typedef struct {
  int32_t width, height, stride;
  uint16_t *values;
} cmarkers_sheet;

// A colour of 8 bits a channel, not premultiplied.
typedef struct {
  uint8_t blue, green, red, alpha;
} cmarkers_ink;

// Adds a mask behind all that is there, its first pixel at a place of the sheet; what lies outside is left out.
// `coverage` has `height` rows of `width` values, padded with 0 to whole eights.
void cmarkers_add(const cmarkers_sheet *sheet, const uint8_t *coverage, int32_t width, int32_t height, int32_t column,
                  int32_t row, cmarkers_ink ink);

// Lays the sheet over pixels of its size, premultiplied: alpha, red, green, blue from the highest byte down.
void cmarkers_lay(const cmarkers_sheet *sheet, uint32_t *pixels);
