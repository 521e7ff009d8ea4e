#include "CCoverage.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// All versions of the code must round alike.
#pragma STDC FP_CONTRACT OFF

#define ROWS CCOVERAGE_ROWS
#define COLUMNS CCOVERAGE_COLUMNS
#define CORNERS CCOVERAGE_CORNERS
// The largest number of rows and columns whose marks are read before a piece is added.
#define SMALL 8

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

// Vectors are passed only to functions that are inlined into their caller, so the calling convention does not matter.
#pragma clang diagnostic ignored "-Wpsabi"

// A point, x and y.
typedef double point __attribute__((ext_vector_type(2)));

// An edge as an infinite line. `at` is the number of samples from the first column to the line at the top of the sheet.
// `slope` is the increase of this number per pixel row, `step` the increase per sample row.
typedef struct {
  double at, slope;
  float step;
} line;

// Two rows at once.
static inline __attribute__((always_inline)) int count(const uint32_t *samples) {
  int sum = 0;
  for (int row = 0; row < ROWS; row += 2) {
    uint64_t both;
    memcpy(&both, samples + row, sizeof both);
    sum += __builtin_popcountll(both);
  }
  return sum;
}

// The code for any processor.
#define LANES 8
#define NAME(name) name##_plain
#define TARGET
#define SHIFT(place) \
  (((words){0} - 1) << __builtin_convertvector(__builtin_elementwise_min(place, (wholes){0} + (COLUMNS - 1)), words) \
   & (words)(place < COLUMNS))
#include "SampledPiece.h"
#undef LANES
#undef NAME
#undef TARGET
#undef SHIFT

void ccoverage_add_plain(ccoverage_sheet *sheet, const double *corners) { add_plain(sheet, corners); }

#if defined(__x86_64__)

#define LANES 8
#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2,popcnt")))
// Shifts by 32 and more give 0.
#define SHIFT(place) (words)_mm256_sllv_epi32(_mm256_set1_epi32(-1), (__m256i)place)
#include "SampledPiece.h"
#undef LANES
#undef NAME
#undef TARGET
#undef SHIFT

#define LANES 16
#define NAME(name) name##_avx512
#define TARGET __attribute__((target("avx2,popcnt,avx512f,avx512bw,avx512dq,avx512vl")))
#define SHIFT(place) (words)_mm512_sllv_epi32(_mm512_set1_epi32(-1), (__m512i)place)
#include "SampledPiece.h"
#undef LANES
#undef NAME
#undef TARGET
#undef SHIFT

static __attribute__((target("popcnt"))) int count_fast(const uint32_t *samples) { return count(samples); }
static int has_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"); }
static int has_avx512(void) {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
         && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

void ccoverage_add(ccoverage_sheet *sheet, const double *corners) {
  if (has_avx512()) return add_avx512(sheet, corners);
  if (has_avx2()) return add_avx2(sheet, corners);
  add_plain(sheet, corners);
}

int ccoverage_count(const uint32_t *samples) { return has_avx2() ? count_fast(samples) : count(samples); }

#else

void ccoverage_add(ccoverage_sheet *sheet, const double *corners) { add_plain(sheet, corners); }
int ccoverage_count(const uint32_t *samples) { return count(samples); }

#endif
