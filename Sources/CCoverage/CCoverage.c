#include "CCoverage.h"

#include <stdlib.h>
#include <string.h>

// Both ways of compiling must round alike.
#pragma STDC FP_CONTRACT OFF

#define ROWS CCOVERAGE_ROWS
#define CORNERS CCOVERAGE_CORNERS
#define INLINE static inline __attribute__((always_inline))

int ccoverage_take_slots(ccoverage_sheet *sheet, uint32_t count) {
  if (count > sheet->capacity - sheet->count) {
    size_t capacity = sheet->capacity ? sheet->capacity : 512;
    while (capacity < (size_t)sheet->count + count) capacity *= 2;
    if (capacity > INT32_MAX) return 0;
    uint64_t *samples = realloc(sheet->samples, capacity * ROWS * sizeof *samples);
    if (!samples) return 0;
    sheet->samples = samples;
    uint32_t *places = realloc(sheet->places, capacity * sizeof *places);
    if (!places) return 0;
    sheet->places = places;
    sheet->capacity = (uint32_t)capacity;
  }
  memset(sheet->samples + (size_t)sheet->count * ROWS, 0, (size_t)count * ROWS * sizeof(uint64_t));
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

// The samples of a pixel; NULL when it has none, or all are covered.
INLINE uint64_t *samples_of(ccoverage_sheet *sheet, uint32_t place) {
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

// Vectors are handed only to functions that become part of their caller, so how they would be passed is nothing.
#pragma clang diagnostic ignored "-Wpsabi"

// One value for each row of samples of a pixel.
typedef float reals __attribute__((ext_vector_type(ROWS)));
typedef int32_t wholes __attribute__((ext_vector_type(ROWS)));
typedef uint64_t words __attribute__((ext_vector_type(ROWS)));

// For each row the word whose samples are set from some place on, which is not below 0.
INLINE words from(wholes place) {
  words shift = __builtin_convertvector(__builtin_elementwise_min(place, (wholes){0} + 63), words);
  return ((words){0} - 1) << shift & (words)__builtin_convertvector(place < 64, words);
}

// Sets the samples of a pixel from `begin` to before `end` in each row, counted from some pixel `skipped` samples left.
INLINE void set(uint64_t *samples, wholes begin, wholes end, int32_t skipped) {
  const wholes zero = {0};
  words all;
  memcpy(&all, samples, sizeof all);
  all |= from(__builtin_elementwise_max(begin - skipped, zero)) & ~from(__builtin_elementwise_max(end - skipped, zero));
  memcpy(samples, &all, sizeof all);
}

INLINE int is_full(const uint64_t *samples) {
  uint64_t all = ~0ull;
  for (int row = 0; row < ROWS; row++) all &= samples[row];
  return all == ~0ull;
}

// A convex piece is what lies right of its left edges and left of its right ones, each taken as an endless line: so all
// rows of samples are told alike, and those above and below come out empty.
INLINE void add(ccoverage_sheet *sheet, const double *corners) {
  double x[CORNERS], y[CORNERS];
  for (int i = 0; i < CORNERS; i++) x[i] = corners[2 * i], y[i] = corners[2 * i + 1];
  double left = x[0], right = x[0], top = y[0], bottom = y[0], area = 0;
  for (int i = 0; i < CORNERS; i++) {
    left = x[i] < left ? x[i] : left, right = x[i] > right ? x[i] : right;
    top = y[i] < top ? y[i] : top, bottom = y[i] > bottom ? y[i] : bottom;
    int next = i + 1 < CORNERS ? i + 1 : 0;
    area += (x[i] - x[0]) * (y[next] - y[0]) - (x[next] - x[0]) * (y[i] - y[0]);
  }
  if (!(right > 0 && left < sheet->width && bottom > 0 && top < sheet->height)) return;
  int32_t first_column = left > 0 ? (int32_t)left : 0, first_row = top > 0 ? (int32_t)top : 0;
  int32_t last_column = right < sheet->width ? (int32_t)right : sheet->width - 1;
  int32_t last_row = bottom < sheet->height ? (int32_t)bottom : sheet->height - 1;

  // Lines in samples from the first column, half of one more since conversions cut; what a line does not bound is moved
  // out of the way. Edges that lie level are tipped by too little to show.
  const double level = 1e-6, away = 1e30;
  double at[CORNERS], slope[CORNERS], to_left[CORNERS], to_right[CORNERS];
  float step[CORNERS];
  for (int i = 0; i < CORNERS; i++) {
    int next = i + 1 < CORNERS ? i + 1 : 0;
    double dx = x[next] - x[i], dy = y[next] - y[i];
    double rise = dy < 0 ? (dy > -level ? -level : dy) : (dy < level ? level : dy);
    slope[i] = 64 * dx / rise;
    at[i] = 64 * (x[i] - first_column) + 0.5 - slope[i] * y[i];
    step[i] = (float)(slope[i] / ROWS);
    // Downwards is on the right of what runs clockwise as seen, y being downwards.
    int is_right = (rise > 0) == (area > 0), is_none = (dx == 0) & (dy == 0);
    to_left[i] = is_right | is_none ? -away : 0;
    to_right[i] = !is_right | is_none ? away : 0;
  }
  const int is_wide = last_column - first_column > 3;
  const float limit = 64.0f * (float)(last_column - first_column + 1) + 0.5f;
  reals middle;
  for (int k = 0; k < ROWS; k++) middle[k] = (float)k + 0.5f;
  for (int32_t row = first_row; row <= last_row; row++) {
    if (!sheet->takes_all && sheet->open[row] <= 0) continue;
    reals begin = (reals){0} + 0.5f, end = (reals){0} + limit;
#pragma clang loop unroll(disable)
    for (int i = 0; i < CORNERS; i++) {
      double start = at[i] + slope[i] * row;
      reals way = step[i] * middle;
      const reals left_edge = (float)(start + to_left[i]) + way, right_edge = (float)(start + to_right[i]) + way;
      begin = left_edge > begin ? left_edge : begin;
      end = right_edge < end ? right_edge : end;
    }
    begin = begin < limit ? begin : limit;
    end = end > begin ? end : begin;
    const wholes begins = __builtin_convertvector(begin, wholes), ends = __builtin_convertvector(end, wholes);
    int32_t column = first_column, last = last_column;
    if (is_wide) {
      int32_t from = INT32_MAX, to = 0;
      for (int k = 0; k < ROWS; k++) {
        from = begins[k] < ends[k] && begins[k] < from ? begins[k] : from;
        to = begins[k] < ends[k] && ends[k] > to ? ends[k] : to;
      }
      if (from >= to) continue;
      column = first_column + from / 64, last = first_column + (to - 1) / 64;
    }
    for (; column <= last; column++) {
      uint32_t place = (uint32_t)row * (uint32_t)sheet->width + (uint32_t)column;
      uint64_t *samples = samples_of(sheet, place);
      if (!samples) continue;
      set(samples, begins, ends, (column - first_column) * 64);
      if (!sheet->takes_all && is_full(samples)) {
        sheet->marks[place] = CCOVERAGE_FULL;
        sheet->open[row]--;
      }
    }
  }
}

INLINE int count(const uint64_t *samples) {
  int sum = 0;
  for (int row = 0; row < ROWS; row++) sum += __builtin_popcountll(samples[row]);
  return sum;
}

void ccoverage_add_plain(ccoverage_sheet *sheet, const double *corners) { add(sheet, corners); }

#if defined(__x86_64__)

#define WIDE __attribute__((target("avx2,popcnt")))
WIDE static void add_wide(ccoverage_sheet *sheet, const double *corners) { add(sheet, corners); }
WIDE static int count_wide(const uint64_t *samples) { return count(samples); }
static int has_wide(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"); }

void ccoverage_add(ccoverage_sheet *sheet, const double *corners) {
  if (has_wide()) add_wide(sheet, corners); else add(sheet, corners);
}

int ccoverage_count(const uint64_t *samples) { return has_wide() ? count_wide(samples) : count(samples); }

#else

void ccoverage_add(ccoverage_sheet *sheet, const double *corners) { add(sheet, corners); }
int ccoverage_count(const uint64_t *samples) { return count(samples); }

#endif
