// Markers composited from masks, front to back, eight pixels at once.
// This is C because of its vectors: the same sums with Swift's vectors took two to three times as long. The vectors
// are those of the language, so every processor gives the same bits.
#pragma once

#include <stdint.h>

// The number of pixels processed at once; rows of masks are padded to a multiple of it.
enum { CMARKERS_STEP = 8 };

// The taken share of each pixel, up to 65535, and the colours weighted by it; all 0 at first. Each row has four times
// `stride` values: taken, blue, green, red. The first `width` of each are used; `stride` is larger by at least
// CMARKERS_STEP.
typedef struct {
  int32_t width, height, stride;
  uint16_t *values;
} cmarkers_sheet;

// A colour with 8 bits per channel, not premultiplied.
typedef struct {
  uint8_t blue, green, red, alpha;
} cmarkers_ink;

// Adds a mask behind everything added before; its first pixel is at `column` and `row`, and parts outside the sheet
// are ignored. `coverage` has `height` rows of `width` values, each padded with 0 to a multiple of eight.
void cmarkers_add(const cmarkers_sheet *sheet, const uint8_t *coverage, int32_t width, int32_t height, int32_t column,
                  int32_t row, cmarkers_ink ink);

// Composites the sheet over premultiplied pixels of its size: alpha, red, green, blue from the highest byte down.
void cmarkers_lay(const cmarkers_sheet *sheet, uint32_t *pixels);
