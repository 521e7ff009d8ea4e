// Circles of 6 pixels in 12 classes: R1, the same in painter's order, and R4.
//
// The last circle is drawn first, and a plane has the share of the ground that is still visible in each pixel (0 to
// 255): a circle without a visible pixel costs 8 loads. Positions are rounded to 1/16 pixel, hence 256 sprites.
#include "bounds.h"
#include <math.h>

enum { PHASES = 16, SIDE = 8, MARGIN = 8, TILES = 64, TILE = 256, PIXELS = (WIDTH + 2 * MARGIN) * (HEIGHT + 2 * MARGIN) };
static const double X0 = -13642075.766731447, X1 = -13616727.943817453, Y0 = 4537132.130042938, Y1 = 4556142.9972284315;
static const uint8_t colors[][3] = {
  {31, 119, 180}, {174, 199, 232}, {255, 127, 14}, {255, 187, 120}, {44, 160, 44}, {152, 223, 138},
  {214, 39, 40}, {255, 152, 150}, {148, 103, 189}, {197, 176, 213}, {140, 86, 75}, {227, 119, 194}};

static uint8_t sprites[PHASES * PHASES][SIDE * SIDE], masks[PHASES * PHASES][SIDE * SIDE];
// A part of an image, with a margin: no sprite needs clipping.
static struct Planes {
  uint8_t ground[PIXELS], channels[3][PIXELS];
} planes[MOST_THREADS];

static size_t pointCount, drawn[MOST_THREADS];
static double *xs, *ys;
static uint8_t *classes, image[WIDTH * HEIGHT * 4], painted[WIDTH * HEIGHT * 4];

static void loadPoints(const char *name) {
  size_t bytes;
  xs = load(name, ".x", &bytes), ys = load(name, ".y", &bytes), classes = load(name, ".class", &pointCount);
  check(bytes == 8 * pointCount, "the columns of the points differ in length");
  for (int phase = 0; phase < PHASES * PHASES; phase++)
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
      double x = 3 + (phase % PHASES + 0.5) / PHASES, y = 3 + (phase / PHASES + 0.5) / PHASES;
      int inside = 0;
      for (int sample = 0; sample < 1024; sample++)
        inside += hypot(pixel % SIDE + (sample % 32 + 0.5) / 32 - x, pixel / SIDE + (sample / 32 + 0.5) / 32 - y) < 3;
      sprites[phase][pixel] = (uint8_t)lround(inside * 255 / 1024.0);
      masks[phase][pixel] = inside ? 255 : 0;
    }
}

static inline unsigned part(unsigned a, unsigned b) { return ((a * b + 128) * 257) >> 16; }

// Draws a circle below all before it.
static inline void below(struct Planes *to, size_t start, int stride, int phase, const uint8_t *color) {
  uint64_t visible = 0, pixels, mask;
  for (int row = 0; row < SIDE; row++) {
    memcpy(&pixels, to->ground + start + row * stride, 8), memcpy(&mask, masks[phase] + row * SIDE, 8);
    visible |= pixels & mask;
  }
  if (!visible) return;
  const uint8_t *sprite = sprites[phase];
  for (int row = 0; row < SIDE; row++, start += stride, sprite += SIDE)
    for (int pixel = 0; pixel < SIDE; pixel++) {
      unsigned share = part(to->ground[start + pixel], sprite[pixel]);
      to->ground[start + pixel] -= share;
      for (int channel = 0; channel < 3; channel++) to->channels[channel][start + pixel] += part(share, color[channel]);
    }
}

// Draws a circle over all before it.
static inline void over(struct Planes *to, size_t start, int stride, int phase, const uint8_t *color) {
  const uint8_t *sprite = sprites[phase];
  for (int row = 0; row < SIDE; row++, start += stride, sprite += SIDE)
    for (int channel = 0; channel < 3; channel++)
      for (int pixel = 0; pixel < SIDE; pixel++) {
        uint8_t *byte = &to->channels[channel][start + pixel];
        *byte = part(*byte, 255 - sprite[pixel]) + part(color[channel], sprite[pixel]);
      }
}

// Draws all points, or those of a list, that touch a part of an image; returns the number of centres in it.
static inline size_t drawPart(int thread, const uint32_t *list, size_t count, double left, double top, double scale,
                              int width, int height, int inOrder, uint8_t *rgba) {
  struct Planes *to = &planes[thread];
  int stride = width + 2 * MARGIN, pixels = stride * (height + 2 * MARGIN);
  size_t centres = 0;
  memset(to->ground, inOrder ? 0 : 255, pixels);
  for (int channel = 0; channel < 3; channel++) memset(to->channels[channel], inOrder ? 255 : 0, pixels);
  for (size_t index = 0; index < count; index++) {
    size_t place = inOrder ? index : count - 1 - index, row = list ? list[place] : place;
    double x = (xs[row] - left) * scale, y = (top - ys[row]) * scale;
    if (x <= -4 || x >= width + 4 || y <= -4 || y >= height + 4) continue;
    centres += x >= 0 && x <= width && y >= 0 && y < height;
    int column = (int)((x + MARGIN) * PHASES), line = (int)((y + MARGIN) * PHASES);
    int phase = line % PHASES * PHASES + column % PHASES;
    size_t start = (size_t)(line / PHASES - 3) * stride + column / PHASES - 3;
    if (inOrder) over(to, start, stride, phase, colors[classes[row]]);
    else below(to, start, stride, phase, colors[classes[row]]);
  }
  // RGBA over white.
  for (int row = 0; row < height; row++) {
    size_t start = (size_t)(row + MARGIN) * stride + MARGIN;
    for (int pixel = 0; pixel < width; pixel++, rgba += 4) {
      for (int channel = 0; channel < 3; channel++)
        rgba[channel] = to->channels[channel][start + pixel] + to->ground[start + pixel];
      rgba[3] = 255;
    }
  }
  return centres;
}

// Each thread draws a band of the image.
static inline void band(int thread, int inOrder, uint8_t *rgba) {
  int first = HEIGHT * thread / threads, rows = HEIGHT * (thread + 1) / threads - first;
  double scale = WIDTH / (X1 - X0);
  drawn[thread] = drawPart(thread, NULL, pointCount, X0, Y1 - first / scale, scale, WIDTH, rows, inOrder,
                           rgba + (size_t)first * WIDTH * 4);
}

static void bandBelow(int thread) { band(thread, 0, image); }
static void bandOver(int thread) { band(thread, 1, painted); }
static void draw(void) { parallel(bandBelow); }
static void paint(void) { parallel(bandOver); }
static void prepare(void) { loadPoints("bounds/p1m"); }

void drawFewCircles(uint8_t *rgba) {
  loadPoints("bounds/p100k");
  draw();
  memcpy(rgba, image, sizeof image);
}

// Both orders give the same image but for rounding.
static void compare(const uint8_t *one, const uint8_t *other, size_t bytes) {
  size_t sum = 0;
  int largest = 0;
  for (size_t byte = 0; byte < bytes; byte++) {
    int difference = abs(one[byte] - other[byte]);
    sum += difference;
    largest = difference > largest ? difference : largest;
  }
  check(largest <= 8 && sum < bytes, "the two orders draw different images");
}

static void checkImages(void) {
  size_t count = 0;
  for (int thread = 0; thread < threads; thread++) count += drawn[thread];
  check(count == 848459, "MapState draws another number of circles");
  draw(), paint();
  compare(image, painted, sizeof image);
  fact("drawn", count);
  savePNG("R1", image);
}

// The tiles: each thread lists the circles of its rows of tiles, then draws and encodes these tiles.
static uint32_t *lists[TILES], counts[TILES];
static uint8_t tiles[TILES][TILE * TILE * 4], pngs[TILES][TILE * TILE * 4 + 65536];
static size_t sizes[TILES];
static const double WORLD = 20037508.342789244, side = 2 * 20037508.342789244 / 16384;
static double left, top;

static void prepareTiles(void) {
  prepare();
  left = (floor(((X0 + X1) / 2 + WORLD) / side) - 4) * side - WORLD;
  top = WORLD - (floor((WORLD - (Y0 + Y1) / 2) / side) - 4) * side;
  for (int tile = 0; tile < TILES; tile++) lists[tile] = malloc(pointCount * sizeof **lists);
}

static void drawTile(int thread, int tile, const uint32_t *list, size_t count, int inOrder, uint8_t *rgba) {
  drawPart(thread, list, count, left + tile % 8 * side, top - tile / 8 * side, TILE / side, TILE, TILE, inOrder, rgba);
}

static void drawRows(int thread) {
  double scale = TILE / side;
  for (int tile = 0; tile < TILES; tile++) if (tile / 8 % threads == thread) counts[tile] = 0;
  for (size_t point = 0; point < pointCount; point++) {
    double x = (xs[point] - left) * scale, y = (top - ys[point]) * scale;
    if (x <= -4 || x >= 8 * TILE + 4 || y <= -4 || y >= 8 * TILE + 4) continue;
    int lastRow = ((int)y + 4) / TILE, lastColumn = ((int)x + 4) / TILE;
    for (int row = y < 4 ? 0 : ((int)y - 4) / TILE; row <= lastRow && row < 8; row++)
      for (int column = x < 4 ? 0 : ((int)x - 4) / TILE; column <= lastColumn && column < 8; column++)
        if (row % threads == thread) lists[row * 8 + column][counts[row * 8 + column]++] = (uint32_t)point;
  }
  for (int tile = 0; tile < TILES; tile++) {
    if (tile / 8 % threads != thread) continue;
    drawTile(thread, tile, lists[tile], counts[tile], 0, tiles[tile]);
    sizes[tile] = encode(tiles[tile], TILE, TILE, pngs[tile], thread);
  }
}

static void drawTiles(void) { parallel(drawRows); }

static void checkTiles(void) {
  size_t circles = 0, bytes = 0;
  for (int tile = 0; tile < TILES; tile++) {
    checkPNG(pngs[tile], sizes[tile], tiles[tile]);
    drawTile(0, tile, NULL, pointCount, 1, painted);
    compare(tiles[tile], painted, sizeof *tiles);
    circles += counts[tile], bytes += sizes[tile];
  }
  fact("circles", circles), fact("bytes", bytes);
}

const Job circlesJobs[3] = {
  {"C", "R1", "warm draw", prepare, draw, checkImages},
  {"C in painter's order", "R1", "warm draw", prepare, paint, checkImages},
  {"C", "R4", "64 tiles with PNG", prepareTiles, drawTiles, checkTiles}};
