// Markers composited from masks, front to back, eight pixels at once.
// This is C because of its vectors: the same sums with Swift's vectors took two to three times as long. The vectors
// are those of the language, so every processor gives the same bits.
#pragma once

#include <stdint.h>

// The number of pixels processed at once; rows of masks are padded to a multiple of it.
enum { CMARKERS_STEP = 8 };

// The columns and rows of a block of a sheet.
enum { CMARKERS_COLUMNS = 64, CMARKERS_ROWS = 8 };

// The taken share of each pixel, up to 65535, and the colours weighted by it. Each row has four times `stride` values:
// taken, blue, green, red. The first `width` of each are used; `stride` is larger by at least CMARKERS_STEP and a
// multiple of CMARKERS_COLUMNS, and there are rows for a multiple of CMARKERS_ROWS.
//
// `used` has a byte for each block, row by row: 0 until the first pixel is added to the block. Only then the values of
// the block are set to 0 and later composited, so that empty parts of a sheet cost nothing.
typedef struct {
  int32_t width, height, stride;
  uint16_t *values;
  uint8_t *used;
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
