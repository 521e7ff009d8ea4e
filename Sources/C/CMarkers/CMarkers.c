#include "CMarkers.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))
#define STEP CMARKERS_STEP

typedef uint8_t bytes __attribute__((ext_vector_type(STEP)));
typedef uint16_t values __attribute__((ext_vector_type(STEP)));
typedef uint32_t products __attribute__((ext_vector_type(STEP)));

// Returns the product of two parts of 65535; it is less than two steps too small.
INLINE values times(values a, values b) {
#ifdef __SSE2__
  // The same bits in one instruction, which the compiler does not find when a factor is constant.
  return (values)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
#else
  return __builtin_convertvector(__builtin_convertvector(a, products) * __builtin_convertvector(b, products) >> 16,
                                 values);
#endif
}

INLINE values load(const uint16_t *at) {
  values all;
  memcpy(&all, at, sizeof all);
  return all;
}

INLINE void store(uint16_t *at, values all) { memcpy(at, &all, sizeof all); }

INLINE int is_zero(values all) {
  uint64_t words[2];
  memcpy(words, &all, sizeof words);
  return (words[0] | words[1]) == 0;
}

INLINE int is_full(const uint16_t *at) {
  uint64_t words[2];
  memcpy(words, at, sizeof words);
  return (words[0] & words[1]) == UINT64_MAX;
}

typedef struct {
  values blue, green, red, alpha;
  int is_opaque;
} colors;

// Adds to eight pixels; `taken` points to the first of them.
INLINE void add(uint16_t *taken, int64_t stride, const uint8_t *coverage, const colors *ink) {
  // Most markers of a crowd lie on pixels that are covered already.
  if (is_full(taken)) return;
  const values before = load(taken), open = ~before;
  bytes mask;
  memcpy(&mask, coverage, sizeof mask);
  // Scales 255 to 65535.
  values weight = __builtin_convertvector(mask, values) * (uint16_t)257;
  if (!ink->is_opaque) weight = times(weight, ink->alpha);
  // Full coverage takes all that is left. No sum exceeds 65535, because all colours together take at most the whole.
  const values part = weight == (uint16_t)65535 ? open : times(open, weight);
  store(taken, before + part);
  taken += stride;
  store(taken, load(taken) + times(part, ink->blue));
  taken += stride;
  store(taken, load(taken) + times(part, ink->green));
  taken += stride;
  store(taken, load(taken) + times(part, ink->red));
}

// Clears the blocks that have no pixel yet, of some columns and rows of blocks.
static __attribute__((noinline)) void clear_blocks(const cmarkers_sheet *sheet, int64_t first, int64_t last, int64_t top,
                                                   int64_t bottom) {
  const int64_t stride = sheet->stride;
  const int64_t across = stride / CMARKERS_COLUMNS;
  for (int64_t down = top; down <= bottom; down++) {
    for (int64_t block = first; block <= last; block++) {
      uint8_t *used = sheet->used + down * across + block;
      if (*used) continue;
      *used = 1;
      // The four values of a pixel lie in rows of their own.
      uint16_t *at = sheet->values + down * CMARKERS_ROWS * 4 * stride + block * CMARKERS_COLUMNS;
      for (int line = 0; line < CMARKERS_ROWS * 4; line++) {
        memset(at + line * stride, 0, CMARKERS_COLUMNS * sizeof *at);
      }
    }
  }
}

// Clears the blocks of some columns and rows of the sheet that have no pixel yet.
INLINE void use(const cmarkers_sheet *sheet, int32_t left, int32_t right, int32_t top, int32_t bottom) {
  const int64_t across = sheet->stride / CMARKERS_COLUMNS;
  const int64_t first = (uint32_t)left / CMARKERS_COLUMNS, last = (uint32_t)(right - 1) / CMARKERS_COLUMNS;
  const int64_t up = (uint32_t)top / CMARKERS_ROWS, down = (uint32_t)(bottom - 1) / CMARKERS_ROWS;
  const uint8_t *upper = sheet->used + up * across, *lower = sheet->used + down * across;
  // Nearly all markers meet at most four blocks. No branch depends on how many: the processor would guess it wrongly.
  if (last - first <= 1 && down - up <= 1 && (upper[first] & upper[last] & lower[first] & lower[last])) return;
  clear_blocks(sheet, first, last, up, down);
}

void cmarkers_add(const cmarkers_sheet *sheet, const uint8_t *coverage, int32_t width, int32_t height, int32_t column,
                  int32_t row, cmarkers_ink ink) {
  const colors own = {(uint16_t)(ink.blue * 257), (uint16_t)(ink.green * 257), (uint16_t)(ink.red * 257),
                      (uint16_t)(ink.alpha * 257), ink.alpha == 255};
  const int32_t padded = (width + STEP - 1) / STEP * STEP;
  const int32_t first = row < 0 ? -row : 0, end = height < sheet->height - row ? height : sheet->height - row;
  const int64_t stride = sheet->stride;
  if (first >= end || column >= sheet->width || column <= -padded) return;
  // Eight pixels that begin in the row end at most in its padding.
  const int32_t left = column < 0 ? 0 : column;
  const int32_t right = column < sheet->width - padded ? column + padded : sheet->width + STEP;
  use(sheet, left, right < left + STEP ? left + STEP : right, row + first, row + end);
  if (padded == STEP && column >= 0 && column < sheet->width) {
    // Nearly all markers take this path.
    uint16_t *at = sheet->values + (int64_t)(row + first) * stride * 4 + column;
    for (int32_t line = first; line < end; line++, at += stride * 4) add(at, stride, coverage + line * STEP, &own);
    return;
  }
  for (int32_t line = first; line < end; line++) {
    uint16_t *start = sheet->values + (int64_t)(row + line) * stride * 4;
    const uint8_t *masks = coverage + (int64_t)line * padded;
    for (int32_t part = 0; part < padded; part += STEP) {
      const int32_t at = column + part;
      // Eight pixels that begin in the row end at most in its padding.
      if (at >= sheet->width || at <= -STEP) continue;
      if (at >= 0) {
        add(start + at, stride, masks + part, &own);
      } else {
        uint8_t inside[STEP] = {0};
        memcpy(inside, masks + part - at, (size_t)(STEP + at));
        add(start, stride, inside, &own);
      }
    }
  }
}

// Converts a part of 65535 to the nearest part of 255.
INLINE values narrowed(values all) { return (all - (all >> 8) + (uint16_t)128) >> 8; }

// Adds one channel to `pixels`: the taken colours over the pixels below; `shift` is the position of the channel.
INLINE void lay(products *pixels, values taken, const products *below, int shift, values open) {
  const values channel = __builtin_convertvector(*below >> shift & 255, values) * (uint16_t)257;
  *pixels |= __builtin_convertvector(narrowed(taken + times(channel, open)), products) << shift;
}

// Composites the pixels of a row from a column to the end of its block.
INLINE void lay_row(const cmarkers_sheet *sheet, uint32_t *pixels, int32_t row, int32_t column) {
  const int64_t stride = sheet->stride;
  const int32_t after = column + CMARKERS_COLUMNS, end = after < sheet->width ? after : sheet->width;
  for (; column < end; column += STEP) {
    const uint16_t *from = sheet->values + (int64_t)row * stride * 4 + column;
    const values taken = load(from);
    if (is_zero(taken)) continue;
    // Where nothing is taken the pixels below stay unchanged, to the bit.
    const values open = ~taken;
    uint32_t *at = pixels + (int64_t)row * sheet->width + column;
    const int32_t left = sheet->width - column;
    const size_t size = (size_t)(left < STEP ? left : STEP) * sizeof *at;
    products below = 0, all = 0;
    memcpy(&below, at, size);
    lay(&all, load(from + stride), &below, 0, open);
    lay(&all, load(from + 2 * stride), &below, 8, open);
    lay(&all, load(from + 3 * stride), &below, 16, open);
    lay(&all, taken, &below, 24, open);
    memcpy(at, &all, size);
  }
}

void cmarkers_lay(const cmarkers_sheet *sheet, uint32_t *pixels) {
  const int32_t across = sheet->stride / CMARKERS_COLUMNS;
  for (int32_t row = 0; row < sheet->height; row++) {
    const uint8_t *used = sheet->used + (int64_t)(row / CMARKERS_ROWS) * across;
    for (int32_t block = 0; block < across; block++) {
      if (used[block]) lay_row(sheet, pixels, row, block * CMARKERS_COLUMNS);
    }
  }
}
