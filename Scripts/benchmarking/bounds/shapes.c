// Areas in 5 classes with outlines of half a pixel (R2, R2b) and lines of 1.5 pixels (R3).
//
// Each edge adds its signed area and height to the cells that it crosses; the sums along a row are the exact coverage.
// A stroke is the strip between its two offset lines, with mitred joins, bevelled where the turn is sharp.
#include "bounds.h"
#include <math.h>
#include <stdatomic.h>

enum { BAND = 96, BANDS = HEIGHT / BAND, COLUMNS = WIDTH + 2 };
typedef struct { float x, y; } Point;
typedef struct { double x, y; } Vertex;

// The data: vertices of all rings, the first vertex of each ring, the first ring of each row, and classes.
static Vertex *vertices;
static uint32_t *rings, *rows;
static uint8_t *classes;
static double *expected;  // left, top, pixels per metre, area of the fills and of the strokes in pixels
static size_t rowCount;
static int isArea;

static Point *points;
static struct { float top, bottom; } *extents;
static uint8_t image[WIDTH * HEIGHT * 4];
static atomic_int nextBand;
static double fills[MOST_THREADS], strokes[MOST_THREADS];

typedef struct {
  float cells[BAND][COLUMNS];
  int first[BAND], last[BAND];
} Raster;
static Raster rasters[MOST_THREADS];

static inline float clamped(float value, float most) { return value < 0 ? 0 : value > most ? most : value; }

// Adds the part of an edge that lies in one row of cells.
static inline void cross(Raster *to, int row, float x, float next, float height) {
  float *cells = to->cells[row];
  x = clamped(x, WIDTH), next = clamped(next, WIDTH);
  float left = x < next ? x : next, right = x < next ? next : x;
  int first = (int)left, last = (int)right;
  if (first < to->first[row]) to->first[row] = first;
  if (last >= to->last[row]) to->last[row] = last + 1;
  if (first == last) {
    float area = height * ((left + right) / 2 - first);
    cells[first] += height - area;
    cells[first + 1] += area;
    return;
  }
  float slope = height / (right - left), share = slope * (first + 1 - left), done = share;
  float area = share * (left - first + 1) / 2, carried = area;
  cells[first] += share - area;
  for (int column = first + 1; column < last; column++, done += slope) {
    cells[column] += carried + slope / 2;
    carried = slope / 2;
  }
  area = (height - done) * (right - last) / 2;
  cells[last] += carried + height - done - area;
  cells[last + 1] += area;
}

// Adds an edge; rows outside the band are cut off.
static inline void edge(Raster *to, Point a, Point b) {
  if ((a.y <= 0 && b.y <= 0) || (a.y >= BAND && b.y >= BAND) || a.y == b.y) return;
  int row = (int)a.y;
  if (a.y >= 0 && b.y >= 0 && row == (int)b.y && row < BAND) return cross(to, row, a.x, b.x, b.y - a.y);
  float sign = 1;
  if (a.y > b.y) {
    Point other = a;
    a = b, b = other, sign = -1;
  }
  float slope = (b.x - a.x) / (b.y - a.y);
  if (a.y < 0) a.x -= a.y * slope, a.y = 0;
  if (b.y > BAND) b.y = BAND;
  for (row = (int)a.y; row < b.y; row++) {
    float bottom = row + 1 < b.y ? row + 1 : b.y, next = a.x + slope * (bottom - a.y);
    cross(to, row, a.x, next, sign * (bottom - a.y));
    a = (Point){next, bottom};
  }
}

// Paints the coverage in rows of the band over the image, and clears it; returns the sum of the coverage.
static double sweep(Raster *from, int band, int top, int bottom, const uint8_t *color) {
  int64_t sum = 0;
  for (int row = top; row < bottom; row++) {
    float *cells = from->cells[row], area = 0;
    int last = from->last[row];
    uint8_t *pixels = image + (size_t)(band * BAND + row) * WIDTH * 4;
    for (int column = from->first[row]; column <= last; column++) {
      area += cells[column];
      cells[column] = 0;
      float size = fabsf(area);
      int coverage = size >= 1 ? 255 : (int)(size * 255 + 0.5f);
      if (column >= WIDTH) continue;
      sum += coverage;
      uint8_t *pixel = pixels + column * 4;
      if (coverage == 255) memcpy(pixel, color, 4);
      else if (coverage)
        for (int channel = 0; channel < 4; channel++)
          pixel[channel] = ((pixel[channel] * (255 - coverage) + color[channel] * coverage + 128) * 257) >> 16;
    }
    from->first[row] = COLUMNS, from->last[row] = -1;
  }
  return sum / 255.0;
}

// Adds the strip of half a width on both sides of a line or ring.
static void stroke(Raster *to, const Point *line, size_t count, float half, int isClosed, float offset) {
  Point before = {0, 0}, last = line[0], left = {0, 0}, right = {0, 0}, start = {0, 0}, end = {0, 0};
  int isFirst = 1;
  last.y -= offset;
  // A ring ends with its first segment again, whose join closes the strip.
  for (size_t index = 1; index < count + (isClosed ? 1 : 0); index++) {
    Point next = line[index < count ? index : 1];
    next.y -= offset;
    float dx = next.x - last.x, dy = next.y - last.y, length = dx * dx + dy * dy;
    if (length < 1e-6f) continue;
    float scale = half / sqrtf(length);
    Point normal = {-dy * scale, dx * scale};
    if (isFirst) {
      left = start = (Point){last.x + normal.x, last.y + normal.y};
      right = end = (Point){last.x - normal.x, last.y - normal.y};
      if (!isClosed) edge(to, right, left);
      isFirst = 0;
    } else {
      float cosine = 1 + (before.x * normal.x + before.y * normal.y) / (half * half);
      Point l0, r0, l1, r1;
      if (cosine > 0.3f) {
        Point mitre = {(before.x + normal.x) / cosine, (before.y + normal.y) / cosine};
        l0 = l1 = (Point){last.x + mitre.x, last.y + mitre.y};
        r0 = r1 = (Point){last.x - mitre.x, last.y - mitre.y};
      } else {
        l0 = (Point){last.x + before.x, last.y + before.y}, r0 = (Point){last.x - before.x, last.y - before.y};
        l1 = (Point){last.x + normal.x, last.y + normal.y}, r1 = (Point){last.x - normal.x, last.y - normal.y};
        edge(to, l0, l1), edge(to, r1, r0);
      }
      edge(to, left, l0), edge(to, r0, right);
      left = l1, right = r1;
    }
    before = normal, last = next;
  }
  if (isFirst) return;
  if (isClosed) {
    edge(to, left, start), edge(to, end, right);
  } else {
    Point l = {last.x + before.x, last.y + before.y}, r = {last.x - before.x, last.y - before.y};
    edge(to, left, l), edge(to, l, r), edge(to, r, right);
  }
}

// Converts the vertices of a share of the rows to pixels, and notes the vertical extent of each row.
static void project(int thread) {
  double left = expected[0], top = expected[1], scale = expected[2];
  size_t end = rowCount * (thread + 1) / threads;
  for (size_t row = rowCount * thread / threads; row < end; row++) {
    float least = INFINITY, most = -INFINITY;
    for (uint32_t index = rings[rows[row]]; index < rings[rows[row + 1]]; index++) {
      Point point = {(float)((vertices[index].x - left) * scale), (float)((top - vertices[index].y) * scale)};
      least = point.y < least ? point.y : least;
      most = point.y > most ? point.y : most;
      points[index] = point;
    }
    extents[row].top = least, extents[row].bottom = most;
  }
}

// Paints bands until none is left.
static void paint(int thread) {
  static const uint8_t ramp[5][4] = {
    {255, 255, 178, 255}, {254, 204, 92, 255}, {253, 141, 60, 255}, {240, 59, 32, 255}, {189, 0, 38, 255}};
  static const uint8_t outline[4] = {128, 128, 128, 255}, line[4] = {68, 68, 102, 255};
  Raster *raster = &rasters[thread];
  float half = isArea ? 0.25f : 0.75f, reach = half * 4;
  fills[thread] = strokes[thread] = 0;
  for (int band; (band = atomic_fetch_add(&nextBand, 1)) < BANDS;) {
    float offset = band * BAND;
    memset(image + (size_t)band * BAND * WIDTH * 4, 255, BAND * WIDTH * 4);
    for (size_t row = 0; row < rowCount; row++) {
      float top = extents[row].top - reach - offset, bottom = extents[row].bottom + reach - offset;
      if (bottom <= 0 || top >= BAND) continue;
      int first = top < 0 ? 0 : (int)top, last = bottom >= BAND ? BAND : (int)bottom + 1;
      if (isArea) {
        for (uint32_t ring = rows[row]; ring < rows[row + 1]; ring++)
          for (Point *point = points + rings[ring] + 1, *end = points + rings[ring + 1]; point < end; point++)
            edge(raster, (Point){point[-1].x, point[-1].y - offset}, (Point){point->x, point->y - offset});
        fills[thread] += sweep(raster, band, first, last, ramp[classes[row]]);
      }
      for (uint32_t ring = rows[row]; ring < rows[row + 1]; ring++)
        stroke(raster, points + rings[ring], rings[ring + 1] - rings[ring], half, isArea, offset);
      strokes[thread] += sweep(raster, band, first, last, isArea ? outline : line);
    }
  }
}

static void draw(void) {
  nextBand = 0;
  parallel(project);
  parallel(paint);
}

static void loadShapes(const char *name) {
  size_t bytes;
  vertices = load(name, ".vertices", &bytes);
  points = malloc(bytes / sizeof *vertices * sizeof *points);
  rings = load(name, ".rings", &bytes), expected = load(name, ".expected", &bytes);
  classes = load(name, ".classes", &rowCount), rows = load(name, ".rows", &bytes);
  check(bytes == 4 * (rowCount + 1), "the files of the shapes differ in length");
  extents = malloc(rowCount * sizeof *extents);
  for (int row = 0; row < MOST_THREADS * BAND; row++)
    rasters[row / BAND].first[row % BAND] = COLUMNS, rasters[row / BAND].last[row % BAND] = -1;
  isArea = expected[3] > 0;
}

static void prepareStates(void) { loadShapes("bounds/adm1"); }
static void prepareCounties(void) { loadShapes("bounds/counties"); }
static void prepareLines(void) { loadShapes("bounds/lines"); }

// GEOS computed the areas of the clipped fills, and of the buffers around all lines. Where a row's outline meets itself
// in a pixel, the sum of its parts is up to 4 % more.
static void checkInk(void) {
  double fill = 0, strip = 0;
  for (int thread = 0; thread < threads; thread++) fill += fills[thread], strip += strokes[thread];
  if (isArea) fact("fill", fill / expected[3]);
  fact("stroke", strip / expected[4]);
  check(!isArea || fabs(fill / expected[3] - 1) < 0.001, "the area of the fills differs");
  check(fabs(strip / expected[4] - 1) < (isArea ? 0.04 : 0.001), "the area of the strokes differs");
  savePNG(!isArea ? "R3" : rowCount > 4000 ? "R2" : "R2b", image);
}

const Job shapesJobs[3] = {
  {"C", "R2", "warm draw", prepareStates, draw, checkInk}, {"C", "R2b", "warm draw", prepareCounties, draw, checkInk},
  {"C", "R3", "warm draw", prepareLines, draw, checkInk}};
