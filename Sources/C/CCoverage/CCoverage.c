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
// The number of sample rows that are computed at once.
#define LANES 16
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

uint32_t ccoverage_next_shared(const uint32_t *marks, uint32_t begin, uint32_t end, uint32_t first_slot) {
  // Of a long run few are shared, so eight are tested at once.
  for (; end - begin >= 8; begin += 8) {
    const uint32_t *block = marks + begin;
    uint32_t some = 0;
    for (int k = 0; k < 8; k++) some |= block[k] >= first_slot;
    if (some) break;
  }
  while (begin < end && marks[begin] < first_slot) begin++;
  return begin;
}

// Vectors are passed only to functions that are inlined into their caller, so the calling convention does not matter.
#pragma clang diagnostic ignored "-Wpsabi"

// A point, x and y.
typedef double point __attribute__((ext_vector_type(2)));

// The largest number of edges on one side of a piece.
#define SIDE 4
// A number of samples beyond any sheet.
#define FAR 1e30
// The least rise of an edge, per pixel of its width and at most of one pixel: horizontal edges are tilted by an invisible
// amount.
#define LEVEL 1e-6
// The least width or height of an edge in pixels. The direction of a shorter one is that of rounding.
#define SHORTEST 1e-7

// The edges of a piece as infinite lines: left ones from 0 on, right ones from SIDE on. Lines that are not needed are far
// to the left or right.
typedef struct {
  // The number of samples from the first column to a line at the top of the sheet, and the increase per pixel row.
  double at[2 * SIDE], slope[2 * SIDE];
  // The increase per sample row.
  float step[2 * SIDE];
  // The number of lines on each side to be used.
  int used;
} edges;

// Finds the edges of a piece with an area.
//
// With y downwards, an edge that goes down is on the right of a piece that runs clockwise as seen.
static inline __attribute__((always_inline)) void find_edges(
    const double *corners, int is_clockwise, int32_t first_column, edges *found) {
  *found = (edges){.at = {-FAR, -FAR, -FAR, -FAR, FAR, FAR, FAR, FAR}};
  int counts[2] = {0, 0};
  for (int i = 0; i < CORNERS; i++) {
    const double *a = corners + 2 * i, *b = corners + 2 * (i + 1 < CORNERS ? i + 1 : 0);
    const double dx = b[0] - a[0], dy = b[1] - a[1];
    const double width = __builtin_fabs(dx), height = __builtin_fabs(dy);
    if (width < SHORTEST && height < SHORTEST) continue;
    const double level = LEVEL * (width < 1 ? width : 1);
    const double rise = __builtin_copysign(height > level ? height : level, dy);
    const int is_right = (rise > 0) == is_clockwise;
    const int edge = is_right * SIDE + counts[is_right]++;
    const double slope = COLUMNS * dx / rise;
    // Half a sample is added, because the conversion truncates.
    found->at[edge] = COLUMNS * (a[0] - first_column) + 0.5 - slope * a[1];
    found->slope[edge] = slope;
    found->step[edge] = (float)(slope / ROWS);
  }
  found->used = counts[0] > counts[1] ? counts[0] : counts[1];
}

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
#define NAME(name) name##_plain
#define TARGET
#define FIND_EDGES find_edges
#define SHIFT(place) \
  (((words){0} - 1) << __builtin_convertvector(__builtin_elementwise_min(place, (wholes){0} + (COLUMNS - 1)), words) \
   & (words)(place < COLUMNS))
#include "SampledPiece.h"
#undef NAME
#undef TARGET

void ccoverage_add_plain(ccoverage_sheet *sheet, const double *corners) { add_plain(sheet, corners); }

#if defined(__x86_64__)

#undef SHIFT
#undef FIND_EDGES
#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2,popcnt")))
#define FIND_EDGES find_edges_avx2
// Shifts by 32 and more give 0.
#define SHIFT(place) shifted_avx2(place)

typedef uint32_t words_avx2 __attribute__((ext_vector_type(LANES)));
typedef int32_t wholes_avx2 __attribute__((ext_vector_type(LANES)));

static inline __attribute__((always_inline)) TARGET words_avx2 shifted_avx2(wholes_avx2 place) {
  __m256i halves[2];
  memcpy(halves, &place, sizeof halves);
  for (int half = 0; half < 2; half++) halves[half] = _mm256_sllv_epi32(_mm256_set1_epi32(-1), halves[half]);
  words_avx2 shifted;
  memcpy(&shifted, halves, sizeof shifted);
  return shifted;
}

// For each set of the first four edges, the order that puts them first, as pairs of places of 32 bits.
static const int32_t orders[16][8] = {
#define PAIR(edge) 2 * edge, 2 * edge + 1
#define ORDER(a, b, c, d) {PAIR(a), PAIR(b), PAIR(c), PAIR(d)}
  ORDER(0, 0, 0, 0), ORDER(0, 0, 0, 0), ORDER(1, 0, 0, 0), ORDER(0, 1, 0, 0), ORDER(2, 0, 0, 0), ORDER(0, 2, 0, 0),
  ORDER(1, 2, 0, 0), ORDER(0, 1, 2, 0), ORDER(3, 0, 0, 0), ORDER(0, 3, 0, 0), ORDER(1, 3, 0, 0), ORDER(0, 1, 3, 0),
  ORDER(2, 3, 0, 0), ORDER(0, 2, 3, 0), ORDER(1, 2, 3, 0), ORDER(0, 1, 2, 3),
#undef ORDER
#undef PAIR
};
// Four elements from SIDE - n on have all bits in the first n.
static const int64_t firsts[2 * SIDE] = {-1, -1, -1, -1, 0, 0, 0, 0};

// The lines of some edges, and which edges go down.
typedef struct {
  __m256d at, slope;
  int is_edge, goes_down;
} lines_avx2;

static inline __attribute__((always_inline)) TARGET lines_avx2 find_lines_avx2(
    __m256d x, __m256d y, __m256d dx, __m256d dy, int32_t first_column) {
  const __m256d sign = _mm256_set1_pd(-0.0), shortest = _mm256_set1_pd(SHORTEST), columns = _mm256_set1_pd(COLUMNS);
  const __m256d width = _mm256_andnot_pd(sign, dx), height = _mm256_andnot_pd(sign, dy);
  const __m256d level = _mm256_mul_pd(_mm256_set1_pd(LEVEL), _mm256_min_pd(width, _mm256_set1_pd(1)));
  const __m256d rise = _mm256_or_pd(_mm256_max_pd(height, level), _mm256_and_pd(sign, dy));
  lines_avx2 found;
  found.slope = _mm256_div_pd(_mm256_mul_pd(columns, dx), rise);
  const __m256d distance = _mm256_mul_pd(columns, _mm256_sub_pd(x, _mm256_set1_pd(first_column)));
  // Half a sample is added, because the conversion truncates.
  found.at = _mm256_sub_pd(_mm256_add_pd(distance, _mm256_set1_pd(0.5)), _mm256_mul_pd(found.slope, y));
  found.is_edge = _mm256_movemask_pd(_mm256_cmp_pd(_mm256_max_pd(width, height), shortest, _CMP_GE_OQ));
  found.goes_down = ~_mm256_movemask_pd(rise) & 15;
  return found;
}

static inline __attribute__((always_inline)) TARGET __m256d sorted_avx2(__m256d values, int set) {
  const __m256i order = _mm256_loadu_si256((const __m256i *)orders[set]);
  return _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(values), order));
}

// Returns all bits of the first elements.
static inline __attribute__((always_inline)) TARGET __m256d first_avx2(int count) {
  return _mm256_castsi256_pd(_mm256_loadu_si256((const __m256i *)(firsts + SIDE - count)));
}

// Finds all edges of a piece at once, the last one in a vector of its own.
static inline __attribute__((always_inline)) TARGET void find_edges_avx2(
    const double *corners, int is_clockwise, int32_t first_column, edges *found) {
  const __m256d ab = _mm256_loadu_pd(corners), cd = _mm256_loadu_pd(corners + 4);
  const __m256d bc = _mm256_loadu_pd(corners + 2), de = _mm256_loadu_pd(corners + 6);
  const __m256d x = _mm256_permute4x64_pd(_mm256_unpacklo_pd(ab, cd), 0xD8);
  const __m256d y = _mm256_permute4x64_pd(_mm256_unpackhi_pd(ab, cd), 0xD8);
  const __m256d dx = _mm256_sub_pd(_mm256_permute4x64_pd(_mm256_unpacklo_pd(bc, de), 0xD8), x);
  const __m256d dy = _mm256_sub_pd(_mm256_permute4x64_pd(_mm256_unpackhi_pd(bc, de), 0xD8), y);
  const __m256d last_x = _mm256_set1_pd(corners[8]), last_y = _mm256_set1_pd(corners[9]);
  const lines_avx2 most = find_lines_avx2(x, y, dx, dy, first_column);
  const lines_avx2 last = find_lines_avx2(
      last_x, last_y, _mm256_sub_pd(_mm256_set1_pd(corners[0]), last_x),
      _mm256_sub_pd(_mm256_set1_pd(corners[1]), last_y), first_column);
  const int flip = is_clockwise ? 0 : 15;
  const int right = most.is_edge & (most.goes_down ^ flip), left = most.is_edge & ~right;
  const int last_right = last.is_edge & (last.goes_down ^ flip) & 1, last_left = last.is_edge & ~last_right & 1;
  const int counts[2] = {__builtin_popcount(left), __builtin_popcount(right)};
  for (int side = 0; side < 2; side++) {
    const int set = side ? right : left, count = counts[side], more = side ? last_right : last_left;
    const __m256d own = first_avx2(count), all = first_avx2(count + more);
    const __m256d none = _mm256_set1_pd(side ? FAR : -FAR);
    __m256d at = _mm256_blendv_pd(none, last.at, all), slope = _mm256_and_pd(last.slope, all);
    at = _mm256_blendv_pd(at, sorted_avx2(most.at, set), own);
    slope = _mm256_blendv_pd(slope, sorted_avx2(most.slope, set), own);
    _mm256_storeu_pd(found->at + side * SIDE, at);
    _mm256_storeu_pd(found->slope + side * SIDE, slope);
    _mm_storeu_ps(found->step + side * SIDE, _mm256_cvtpd_ps(_mm256_div_pd(slope, _mm256_set1_pd(ROWS))));
  }
  const int is_rare = counts[0] + last_left == SIDE || counts[1] + last_right == SIDE;
  // A constant number, except for rare pieces, needs no loop.
  found->used = __builtin_expect(is_rare, 0) ? SIDE : SIDE - 1;
}

#include "SampledPiece.h"
#undef NAME
#undef TARGET
#undef FIND_EDGES
#undef SHIFT

#define NAME(name) name##_avx512
#define TARGET __attribute__((target("avx2,popcnt,avx512f,avx512bw,avx512dq,avx512vl")))
#define FIND_EDGES find_edges_avx512
// Shifts by 32 and more give 0.
#define SHIFT(place) (words)_mm512_sllv_epi32(_mm512_set1_epi32(-1), (__m512i)place)

// Finds all edges of a piece at once.
static inline __attribute__((always_inline)) TARGET void find_edges_avx512(
    const double *corners, int is_clockwise, int32_t first_column, edges *found) {
  typedef double reals __attribute__((ext_vector_type(8)));
  reals head, tail;
  memcpy(&head, corners, sizeof head);
  memcpy(&tail, corners + 2, sizeof tail);
  // The last three edges have no length.
  const reals x = __builtin_shufflevector(head, tail, 0, 2, 4, 6, 14, 14, 14, 14);
  const reals y = __builtin_shufflevector(head, tail, 1, 3, 5, 7, 15, 15, 15, 15);
  const reals dx = __builtin_shufflevector(x, x, 1, 2, 3, 4, 0, 5, 6, 7) - x;
  const reals dy = __builtin_shufflevector(y, y, 1, 2, 3, 4, 0, 5, 6, 7) - y;
  const reals width = __builtin_elementwise_abs(dx), height = __builtin_elementwise_abs(dy);
  const reals level = LEVEL * __builtin_elementwise_min(width, (reals){0} + 1);
  const reals rise = __builtin_elementwise_copysign(__builtin_elementwise_max(height, level), dy);
  const reals slope = COLUMNS * dx / rise;
  const reals at = COLUMNS * (x - first_column) + 0.5 - slope * y;
  const __mmask8 is_edge = _mm512_movepi64_mask((__m512i)((width >= SHORTEST) | (height >= SHORTEST)));
  const __mmask8 goes_down = _mm512_movepi64_mask((__m512i)(rise > 0));
  const __mmask8 right = is_edge & (is_clockwise ? goes_down : ~goes_down), left = is_edge & ~right;
  const reals slopes = __builtin_shufflevector(
      (reals)_mm512_maskz_compress_pd(left, slope), (reals)_mm512_maskz_compress_pd(right, slope),
      0, 1, 2, 3, 8, 9, 10, 11);
  const reals ats = __builtin_shufflevector(
      (reals)_mm512_mask_compress_pd(_mm512_set1_pd(-FAR), left, at),
      (reals)_mm512_mask_compress_pd(_mm512_set1_pd(FAR), right, at), 0, 1, 2, 3, 8, 9, 10, 11);
  memcpy(found->slope, &slopes, sizeof slopes);
  memcpy(found->at, &ats, sizeof ats);
  _mm256_storeu_ps(found->step, _mm512_cvtpd_ps(slopes / ROWS));
  // A constant number, except for rare pieces, needs no loop.
  const int is_rare = __builtin_popcount(left) == SIDE || __builtin_popcount(right) == SIDE;
  found->used = __builtin_expect(is_rare, 0) ? SIDE : SIDE - 1;
}

#include "SampledPiece.h"

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
