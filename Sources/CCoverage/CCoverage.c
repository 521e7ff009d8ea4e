#include "CCoverage.h"

#include <stdlib.h>
#include <string.h>

// The code for AVX2 and the plain code must round alike.
#pragma STDC FP_CONTRACT OFF

#define ROWS CCOVERAGE_ROWS
#define COLUMNS CCOVERAGE_COLUMNS
#define CORNERS CCOVERAGE_CORNERS
#define INLINE static inline __attribute__((always_inline))

int ccoverage_take_slots(ccoverage_sheet *sheet, uint32_t count) {
  if (count > sheet->capacity - sheet->count) {
    size_t capacity = sheet->capacity ? sheet->capacity : 512;
    while (capacity < (size_t)sheet->count + count) capacity *= 2;
    if (capacity > INT32_MAX) return 0;
    uint32_t *samples = realloc(sheet->samples, capacity * ROWS * sizeof *samples);
    if (!samples) return 0;
    sheet->samples = samples;
    uint32_t *places = realloc(sheet->places, capacity * sizeof *places);
    if (!places) return 0;
    sheet->places = places;
    sheet->capacity = (uint32_t)capacity;
  }
  memset(sheet->samples + (size_t)sheet->count * ROWS, 0, (size_t)count * ROWS * sizeof(uint32_t));
  sheet->count += count;
  return 1;
}

void ccoverage_free(ccoverage_sheet *sheet) {
  free(sheet->samples);
  free(sheet->places);
  sheet->samples = NULL;
  sheet->places = NULL;
  sheet->count = sheet->capacity = 0;
}

// Returns the samples of a pixel; NULL when it has none, or when all are covered.
INLINE uint32_t *samples_of(ccoverage_sheet *sheet, uint32_t place) {
  uint32_t mark = sheet->marks[place];
  if (mark < sheet->first_slot) {
    if (!sheet->takes_all || !ccoverage_take_slots(sheet, 1)) return NULL;
    mark = sheet->first_slot + sheet->count - 1;
    sheet->marks[place] = mark;
    sheet->places[sheet->count - 1] = place;
  }
  if (mark == CCOVERAGE_FULL) return NULL;
  return sheet->samples + (size_t)(mark - sheet->first_slot) * ROWS;
}

// Vectors are passed only to functions that are inlined into their caller, so the calling convention does not matter.
#pragma clang diagnostic ignored "-Wpsabi"

// A point, x and y.
typedef double point __attribute__((ext_vector_type(2)));
// One value for each of some sample rows that are computed at once: as many as AVX2 holds.
#define LANES 8
#define BLOCKS (ROWS / LANES)
typedef float reals __attribute__((ext_vector_type(LANES)));
typedef int32_t wholes __attribute__((ext_vector_type(LANES)));
typedef uint32_t words __attribute__((ext_vector_type(LANES)));

// Returns for each row the word whose samples are set from `place` on; `place` must not be below 0.
INLINE words from(wholes place) {
  words shift = __builtin_convertvector(__builtin_elementwise_min(place, (wholes){0} + (COLUMNS - 1)), words);
  return ((words){0} - 1) << shift & (words)(place < COLUMNS);
}

// Sets samples of a pixel from `begin` to before `end` in each row; both are counted from `skipped` samples to its
// left.
INLINE void set(uint32_t *samples, wholes begin, wholes end, int32_t skipped) {
  const wholes zero = {0};
  words all;
  memcpy(&all, samples, sizeof all);
  all |= from(__builtin_elementwise_max(begin - skipped, zero)) & ~from(__builtin_elementwise_max(end - skipped, zero));
  memcpy(samples, &all, sizeof all);
}

INLINE int is_full(const uint32_t *samples) {
  uint32_t all = ~0u;
  for (int row = 0; row < ROWS; row++) all &= samples[row];
  return all == ~0u;
}

// An edge as an infinite line. `at` is the number of samples from the first column to the line at the top of the sheet.
// `slope` is the increase of this number per pixel row, `step` the increase per sample row.
typedef struct {
  double at, slope;
  float step;
} line;

// A convex piece is the area right of its left edges and left of its right edges. Each edge is used as an infinite
// line, so that all sample rows are computed alike. Sample rows above and below the piece come out empty.
INLINE void add(ccoverage_sheet *sheet, const double *corners) {
  point all[CORNERS];
  memcpy(all, corners, sizeof all);
  point lowest = all[0], highest = all[0];
  for (int i = 1; i < CORNERS; i++) {
    lowest = all[i] < lowest ? all[i] : lowest;
    highest = all[i] > highest ? all[i] : highest;
  }
  const double left = lowest.x, right = highest.x, top = lowest.y, bottom = highest.y;
  if (!(right > sheet->first_column && left < sheet->end_column && bottom > sheet->first_row && top < sheet->end_row))
    return;
  double area = 0;
  for (int i = 1; i + 1 < CORNERS; i++) {
    const point a = all[i] - all[0], b = all[i + 1] - all[0];
    area += a.x * b.y - b.x * a.y;
  }
  const int32_t first_column = left > sheet->first_column ? (int32_t)left : sheet->first_column;
  const int32_t last_column = right < sheet->end_column ? (int32_t)right : sheet->end_column - 1;
  const int32_t first_row = top > sheet->first_row ? (int32_t)top : sheet->first_row;
  const int32_t last_row = bottom < sheet->end_row ? (int32_t)bottom : sheet->end_row - 1;

  // Horizontal edges are tilted by an invisible amount.
  const double level = 1e-6;
  // Left edges, then right ones; selected without branches, which the processor could not predict.
  line lines[2][CORNERS];
  int counts[2] = {0, 0};
  for (int i = 0; i < CORNERS; i++) {
    int next = i + 1 < CORNERS ? i + 1 : 0;
    const double dx = all[next].x - all[i].x, dy = all[next].y - all[i].y;
    double steep = __builtin_fabs(dy) > level ? __builtin_fabs(dy) : level;
    double rise = __builtin_copysign(steep, dy);
    // With y downwards, an edge that goes down is on the right of a piece that runs clockwise as seen.
    int is_right = (rise > 0) == (area > 0);
    line *edge = &lines[is_right][counts[is_right]];
    edge->slope = COLUMNS * dx / rise;
    // Half a sample is added, because the conversion truncates.
    edge->at = COLUMNS * (all[i].x - first_column) + 0.5 - edge->slope * all[i].y;
    edge->step = (float)(edge->slope / ROWS);
    counts[is_right] += (dx != 0) | (dy != 0);
  }
  const int is_wide = last_column - first_column > 3;
  const float limit = (float)COLUMNS * (float)(last_column - first_column + 1) + 0.5f;
  reals middle;
  for (int k = 0; k < LANES; k++) middle[k] = (float)k + 0.5f;
  for (int32_t row = first_row; row <= last_row; row++) {
    if (sheet->open && sheet->open[row] <= 0) continue;
    const int first_block = top > row ? (int)((top - row) * BLOCKS) : 0;
    const int last_block = bottom < row + 1 ? (int)((bottom - row) * BLOCKS) : BLOCKS - 1;
    wholes begins[BLOCKS], ends[BLOCKS];
    for (int block = first_block; block <= last_block; block++) {
      const reals rows = middle + (float)(LANES * block);
      reals begin = (reals){0} + 0.5f, end = (reals){0} + limit;
      for (int i = 0; i < counts[0]; i++) {
        const reals edge = (float)(lines[0][i].at + lines[0][i].slope * row) + lines[0][i].step * rows;
        begin = edge > begin ? edge : begin;
      }
      for (int i = 0; i < counts[1]; i++) {
        const reals edge = (float)(lines[1][i].at + lines[1][i].slope * row) + lines[1][i].step * rows;
        end = edge < end ? edge : end;
      }
      begin = begin < limit ? begin : limit;
      end = end > begin ? end : begin;
      begins[block] = __builtin_convertvector(begin, wholes), ends[block] = __builtin_convertvector(end, wholes);
    }
    int32_t column = first_column, last = last_column;
    if (is_wide) {
      int32_t from = INT32_MAX, to = 0;
      for (int block = first_block; block <= last_block; block++) {
        for (int k = 0; k < LANES; k++) {
          int32_t begin = begins[block][k], end = ends[block][k];
          from = begin < end && begin < from ? begin : from;
          to = begin < end && end > to ? end : to;
        }
      }
      if (from >= to) continue;
      column = first_column + from / COLUMNS, last = first_column + (to - 1) / COLUMNS;
    }
    for (; column <= last; column++) {
      uint32_t place = (uint32_t)row * (uint32_t)sheet->width + (uint32_t)column;
      uint32_t *samples = samples_of(sheet, place);
      if (!samples) continue;
      for (int block = first_block; block <= last_block; block++) {
        set(samples + LANES * block, begins[block], ends[block], (column - first_column) * COLUMNS);
      }
      if (sheet->open && is_full(samples)) {
        sheet->marks[place] = CCOVERAGE_FULL;
        sheet->open[row]--;
      }
    }
  }
}

INLINE int count(const uint32_t *samples) {
  int sum = 0;
  for (int row = 0; row < ROWS; row++) sum += __builtin_popcount(samples[row]);
  return sum;
}

void ccoverage_add_plain(ccoverage_sheet *sheet, const double *corners) { add(sheet, corners); }

#if defined(__x86_64__)

#define WIDE __attribute__((target("avx2,popcnt")))
WIDE static void add_wide(ccoverage_sheet *sheet, const double *corners) { add(sheet, corners); }
WIDE static int count_wide(const uint32_t *samples) { return count(samples); }
static int has_wide(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"); }

void ccoverage_add(ccoverage_sheet *sheet, const double *corners) {
  if (has_wide()) add_wide(sheet, corners); else add(sheet, corners);
}

int ccoverage_count(const uint32_t *samples) { return has_wide() ? count_wide(samples) : count(samples); }

#else

void ccoverage_add(ccoverage_sheet *sheet, const double *corners) { add(sheet, corners); }
int ccoverage_count(const uint32_t *samples) { return count(samples); }

#endif
