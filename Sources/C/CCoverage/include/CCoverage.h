// Samples of convex pieces: 32 rows of 32 samples in each of the pixels that are to be sampled.
// This is C because it computes 16 rows with the instructions of AVX-512 or AVX2 where the processor has them, which
// Swift cannot enable per function. That takes 0.4 and 0.6 of the time. All versions give the same bits: no product
// is fused with a sum, and rounding is the processor's own.
#pragma once

#include <stdint.h>

// The number of sample rows in a pixel, one word each, and of samples in a row.
enum { CCOVERAGE_ROWS = 32, CCOVERAGE_COLUMNS = 32 };
// The number of corners of a piece; a piece with fewer corners repeats some.
enum { CCOVERAGE_CORNERS = 5 };
// The mark of a pixel whose samples are all covered.
static const uint32_t CCOVERAGE_FULL = UINT32_MAX;

// A sheet of pixels; the caller owns `marks` and `open`, ccoverage_free frees the rest.
typedef struct {
  int32_t width;
  // The part of the sheet to which pieces are added; parts of pieces beyond it are ignored.
  int32_t first_column, end_column, first_row, end_row;
  // For each pixel: from `first_slot` on the slot of its samples; below that it has no samples.
  uint32_t *marks;
  // For each row, the number of its pixels that may be sampled and are not fully covered; a row without such pixels
  // is skipped. NULL skips no row.
  int32_t *open;
  uint32_t first_slot;
  // Not 0: each pixel that a piece touches is sampled.
  int32_t takes_all;
  // The number of slots in use, and of allocated slots.
  uint32_t count, capacity;
  uint32_t *samples;
  // The pixel of each slot, when all pixels are sampled.
  uint32_t *places;
} ccoverage_sheet;

// Adds `count` cleared slots after those in use, and allocates memory for them; returns 0 when memory runs out.
int ccoverage_take_slots(ccoverage_sheet *sheet, uint32_t count);

// Adds a convex piece. The corners are finite, in order, x and y in turn, in pixels of the sheet. When memory runs
// out the rest of the piece is ignored.
void ccoverage_add(ccoverage_sheet *sheet, const double *corners);

// Adds a convex piece without vector instructions of newer processors.
void ccoverage_add_plain(ccoverage_sheet *sheet, const double *corners);

// Returns the first of the marks from `begin` to before `end` that is not below `first_slot`; `end` if all are.
uint32_t ccoverage_next_shared(const uint32_t *marks, uint32_t begin, uint32_t end, uint32_t first_slot);

// Returns the number of covered samples, of 1024, in the slot that begins at `samples`.
int ccoverage_count(const uint32_t *samples);

// Frees the memory that the sheet has allocated.
void ccoverage_free(ccoverage_sheet *sheet);
