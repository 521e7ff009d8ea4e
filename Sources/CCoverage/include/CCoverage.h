// Samples of convex pieces: 32 rows of 32 in each pixel, of those pixels that are to be sampled.
//
// In C because 8 rows are told at once where the processor has AVX2, which Swift cannot ask for function by function: a
// third of the time. Both ways give the same bits: no sum is joined with a product, and rounding is the processor's own.
#pragma once

#include <stdint.h>

// Rows of samples in a pixel, each a word, and samples in a row.
enum { CCOVERAGE_ROWS = 32, CCOVERAGE_COLUMNS = 32 };
// Corners of a piece; one that has fewer repeats some.
enum { CCOVERAGE_CORNERS = 5 };
// The mark of a pixel of which all samples are covered.
static const uint32_t CCOVERAGE_FULL = UINT32_MAX;

// A sheet of pixels; the caller owns `marks` and `open`, ccoverage_free frees the rest.
typedef struct {
  int32_t width;
  // The part of the sheet that pieces are added to; what of them lies beyond is left out.
  int32_t first_column, end_column, first_row, end_row;
  // For each pixel: from `first_slot` on where its samples are; below, it has none.
  uint32_t *marks;
  // For each row the number of its pixels that may be sampled and are not covered whole; a row without is passed over. NULL
  // passes over none.
  int32_t *open;
  uint32_t first_slot;
  // Not 0: each pixel that a piece touches is sampled.
  int32_t takes_all;
  // Slots in use, and how many there is room for.
  uint32_t count, capacity;
  uint32_t *samples;
  // The pixel of each slot, when all are sampled.
  uint32_t *places;
} ccoverage_sheet;

// Makes room for `count` cleared slots after those in use, which are in use then; 0 when there is no memory.
int ccoverage_take_slots(ccoverage_sheet *sheet, uint32_t count);

// Adds a convex piece, the corners in order, x and y in turn, in pixels of the sheet and finite. Where memory runs out
// the rest of the piece is left out.
void ccoverage_add(ccoverage_sheet *sheet, const double *corners);

// The same without AVX2.
void ccoverage_add_plain(ccoverage_sheet *sheet, const double *corners);

// How many of the 1024 samples of a slot are covered, which begin at `samples`.
int ccoverage_count(const uint32_t *samples);

// Frees what the sheet has allocated.
void ccoverage_free(ccoverage_sheet *sheet);
