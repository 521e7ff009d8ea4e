// The code that adds a convex piece, for one kind of processor. CCoverage.c includes it once for each:
//   NAME(name)    the name of a function
//   TARGET        the attribute that allows the processor's instructions
//   SHIFT(place)  words with all bits from `place` on set; `place` is not below 0
//   FIND_EDGES    the function that finds the edges of a piece

#define BLOCKS (ROWS / LANES)
#define INLINE static inline __attribute__((always_inline)) TARGET
// One value for each sample row.
#define reals NAME(reals)
#define wholes NAME(wholes)
#define words NAME(words)

typedef float reals __attribute__((ext_vector_type(LANES)));
typedef int32_t wholes __attribute__((ext_vector_type(LANES)));
typedef uint32_t words __attribute__((ext_vector_type(LANES)));

// Returns the samples of a pixel; NULL when it has none, or when all are covered.
INLINE uint32_t *NAME(samples_of)(ccoverage_sheet *sheet, uint32_t place) {
  uint32_t mark = sheet->marks[place];
  if (mark < sheet->first_slot) {
    if (!sheet->takes_all) return NULL;
    if (sheet->count < sheet->capacity) {
      memset(sheet->samples + (size_t)sheet->count * ROWS, 0, ROWS * sizeof(uint32_t));
      sheet->count++;
    } else if (!ccoverage_take_slots(sheet, 1)) {
      return NULL;
    }
    mark = sheet->first_slot + sheet->count - 1;
    sheet->marks[place] = mark;
    sheet->places[sheet->count - 1] = place;
  }
  if (mark == CCOVERAGE_FULL) return NULL;
  return sheet->samples + (size_t)(mark - sheet->first_slot) * ROWS;
}

// Sets samples of a pixel from `begin` to before `end` in each row; both are counted from `skipped` samples to its
// left.
INLINE void NAME(set)(uint32_t *samples, wholes begin, wholes end, int32_t skipped) {
  const wholes zero = {0};
  const wholes first = __builtin_elementwise_max(begin - skipped, zero);
  const wholes last = __builtin_elementwise_max(end - skipped, zero);
  words all;
  memcpy(&all, samples, sizeof all);
  all |= SHIFT(first) & ~(SHIFT(last));
  memcpy(samples, &all, sizeof all);
}

INLINE int NAME(is_full)(const uint32_t *samples) {
  // Few pixels of a thin stroke are full.
  if (samples[0] != ~0u || samples[ROWS / 2] != ~0u) return 0;
  uint32_t all = ~0u;
  for (int row = 0; row < ROWS; row++) all &= samples[row];
  return all == ~0u;
}

// Returns whether a row has pixels with samples, not all of them covered, between two columns.
INLINE int NAME(has_open)(const ccoverage_sheet *sheet, int32_t row, int32_t first, int32_t last) {
  const uint32_t *marks = sheet->marks + (size_t)row * (size_t)sheet->width;
  for (int32_t column = first; column <= last; column++) {
    if (marks[column] >= sheet->first_slot && marks[column] != CCOVERAGE_FULL) return 1;
  }
  return 0;
}

// A convex piece is the area right of its left edges and left of its right edges. Each edge is used as an infinite
// line, so that all sample rows are computed alike. Sample rows above and below the piece come out empty.
TARGET static void NAME(add)(ccoverage_sheet *sheet, const double *corners) {
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
  const int32_t first_column = left > sheet->first_column ? (int32_t)left : sheet->first_column;
  const int32_t last_column = right < sheet->end_column ? (int32_t)right : sheet->end_column - 1;
  int32_t first_row = top > sheet->first_row ? (int32_t)top : sheet->first_row;
  int32_t last_row = bottom < sheet->end_row ? (int32_t)bottom : sheet->end_row - 1;
  // Most pieces of thin strokes touch few pixels, often none that has samples.
  if (!sheet->takes_all && last_column - first_column < SMALL && last_row - first_row < SMALL) {
    while (first_row <= last_row && !NAME(has_open)(sheet, first_row, first_column, last_column)) first_row++;
    while (first_row < last_row && !NAME(has_open)(sheet, last_row, first_column, last_column)) last_row--;
    if (first_row > last_row) return;
  }
  double area = 0;
  for (int i = 1; i + 1 < CORNERS; i++) {
    const point a = all[i] - all[0], b = all[i + 1] - all[0];
    area += a.x * b.y - b.x * a.y;
  }

  // A piece with an area has edges that go down and edges that go up.
  if (!(area > 0 || area < 0)) return;
  edges found;
  FIND_EDGES(corners, area > 0, first_column, &found);
  const int is_wide = last_column - first_column > 3;
  const float limit = (float)COLUMNS * (float)(last_column - first_column + 1) + 0.5f;
  reals middle;
  for (int k = 0; k < LANES; k++) middle[k] = (float)k + 0.5f;
  // Blocks of sample rows that are computed at once, counted from the top of the sheet.
  const int32_t first_block = top > first_row ? (int32_t)(top * BLOCKS) : first_row * BLOCKS;
  const int32_t last_block = bottom < last_row + 1 ? (int32_t)(bottom * BLOCKS) : last_row * BLOCKS + BLOCKS - 1;
  for (int32_t block = first_block; block <= last_block; block++) {
    const int32_t row = block / BLOCKS, part = block % BLOCKS;
    if (sheet->open && sheet->open[row] <= 0) continue;
    const reals rows = middle + (float)(LANES * part);
    float at[2 * SIDE];
    for (int i = 0; i < 2 * SIDE; i++) at[i] = (float)(found.at[i] + found.slope[i] * row);
    // The compiler would take the numbers from a register, which costs more than from memory.
    __asm__("" : "+m"(at));
    reals begin = (reals){0} + 0.5f, end = (reals){0} + limit;
    for (int i = 0; i < found.used; i++) {
      const reals left = at[i] + found.step[i] * rows, right = at[SIDE + i] + found.step[SIDE + i] * rows;
      begin = left > begin ? left : begin;
      end = right < end ? right : end;
    }
    begin = begin < limit ? begin : limit;
    end = end > begin ? end : begin;
    const wholes begins = __builtin_convertvector(begin, wholes), ends = __builtin_convertvector(end, wholes);
    int32_t column = first_column, last = last_column;
    if (is_wide) {
      const wholes is_empty = begins >= ends;
      const int32_t from = __builtin_reduce_min(is_empty ? (wholes){0} + INT32_MAX : begins);
      const int32_t to = __builtin_reduce_max(is_empty ? (wholes){0} : ends);
      if (from >= to) continue;
      column = first_column + from / COLUMNS, last = first_column + (to - 1) / COLUMNS;
    }
    for (; column <= last; column++) {
      uint32_t place = (uint32_t)row * (uint32_t)sheet->width + (uint32_t)column;
      uint32_t *samples = NAME(samples_of)(sheet, place);
      if (!samples) continue;
      NAME(set)(samples + LANES * part, begins, ends, (column - first_column) * COLUMNS);
      if (sheet->open && NAME(is_full)(samples)) {
        sheet->marks[place] = CCOVERAGE_FULL;
        sheet->open[row]--;
      }
    }
  }
}

#undef BLOCKS
#undef INLINE
#undef reals
#undef wholes
#undef words
