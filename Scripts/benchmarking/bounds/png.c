// PNG of an RGB image without row filters: P1, and the tiles of R4.
//
// Deflate in the manner of fpng: for each pixel, one earlier place is tried, the last one with the same two pixels; then
// a piece of rows gets one dynamic Huffman code. Pieces are independent, so threads compress them at the same time.
#include "bounds.h"
#include <png.h>
#include <zlib.h>

enum { PIECE = 1 << 17, PIECES = WIDTH * HEIGHT / PIECE, HASHES = 1 << 14, LENGTHS = 286, DISTANCES = 30 };

typedef struct {
  uint8_t rows[3 * PIECE + HEIGHT + 64], bytes[4 * PIECE + 4096];
  uint32_t places[HASHES], tokens[PIECE];
  size_t size;
  uint32_t sum, rawBytes;
} Piece;
static Piece pieces[PIECES];

typedef struct {
  uint8_t length[LENGTHS];
  uint16_t code[LENGTHS];
} Code;

// Deflate's symbols of match lengths and distances, with their first values and extra bits.
static uint8_t lengthSymbol[259];
static const uint16_t firstLength[29] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83,
                                         99, 115, 131, 163, 195, 227, 258};
static const uint8_t lengthBits[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

static inline int distanceSymbol(uint32_t distance, int *bits) {
  if (--distance < 4) return *bits = 0, (int)distance;
  *bits = 30 - __builtin_clz(distance);
  return 2 * *bits + 2 + (distance >> *bits & 1);
}

static unsigned reversed(unsigned bits, int count) {
  unsigned result = 0;
  for (int bit = 0; bit < count; bit++) result |= (bits >> bit & 1) << (count - 1 - bit);
  return result;
}

static int ascending(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

// Makes a Huffman code of at most 15 bits from counts; the codes' bits are reversed, as deflate writes them.
static void makeCode(Code *to, const uint32_t *counts, int symbols) {
  uint64_t sorted[LENGTHS];
  int used = 0, longest = 16;
  memset(to, 0, sizeof *to);
  for (int symbol = 0; symbol < symbols; symbol++)
    if (counts[symbol]) sorted[used++] = (uint64_t)counts[symbol] << 16 | (unsigned)symbol;
  qsort(sorted, used, sizeof *sorted, ascending);
  for (int shift = 0; longest > 15; shift++) {
    // Leaves are in ascending order, and so are the sums: the two smallest are at the front of either.
    uint32_t weights[2 * LENGTHS] = {0};
    int parents[2 * LENGTHS], depths[2 * LENGTHS] = {0}, leaf = 0, sum = used, end = used;
    for (int index = 0; index < used; index++) weights[index] = (uint32_t)(sorted[index] >> 16 >> shift) + 1;
    for (; end < 2 * used - 1; end++)
      for (int child = 0; child < 2; child++) {
        int least = leaf < used && (sum >= end || weights[leaf] <= weights[sum]) ? leaf++ : sum++;
        weights[end] += weights[least], parents[least] = end;
      }
    longest = 0;
    for (int node = 2 * used - 3; node >= 0; node--) {
      depths[node] = depths[parents[node]] + 1;
      longest = depths[node] > longest ? depths[node] : longest;
    }
    for (int index = 0; index < used; index++) to->length[sorted[index] & 0xFFFF] = used == 1 ? 1 : depths[index];
  }
  unsigned next = 0;
  for (int length = 1; length <= 15; length++, next <<= 1)
    for (int symbol = 0; symbol < symbols; symbol++)
      if (to->length[symbol] == length) to->code[symbol] = reversed(next++, length);
}

typedef struct {
  uint64_t bits;
  int count;
  uint8_t *at;
} Writer;

static inline void put(Writer *to, uint64_t bits, int count) {
  to->bits |= bits << to->count;
  to->count += count;
}

static inline void flush(Writer *to) {
  memcpy(to->at, &to->bits, 8);
  to->at += to->count >> 3;
  to->bits >>= to->count & ~7;
  to->count &= 7;
}

static inline uint64_t eight(const uint8_t *at) {
  uint64_t bytes;
  memcpy(&bytes, at, 8);
  return bytes;
}

// Compresses rows as one block, with the chunk's name before them.
static void compressRows(Piece *to, const uint8_t *rgba, int width, int rows, int isFirst, int isLast) {
  static const uint32_t isMatch = 1u << 31;
  uint32_t literals[3][256] = {0}, lengths[LENGTHS] = {0}, distances[DISTANCES] = {0}, *token = to->tokens;
  uint8_t *end = to->rows;
  for (int row = 0; row < rows; row++) {
    *end++ = 0;
    for (int pixel = 0; pixel < width; pixel++, rgba += 4, end += 3) memcpy(end, rgba, 4);
  }
  to->rawBytes = (uint32_t)(end - to->rows);
  to->sum = (uint32_t)adler32(1, to->rows, to->rawBytes);
  memset(to->places, 0, sizeof to->places);
  uint8_t *at = to->rows;
  for (int row = 0; row < rows; row++) {
    at++;
    for (uint8_t *rowEnd = at + 3 * width; at < rowEnd;) {
      uint64_t next = eight(at) << 16;
      uint32_t *place = &to->places[next * 0x9E3779B97F4A7C15 >> 50], position = (uint32_t)(at - to->rows);
      uint32_t distance = position - *place;
      uint8_t *known = to->rows + *place;
      *place = position;
      if (distance <= 32768 && distance && eight(known) << 16 == next) {
        int most = rowEnd - at < 258 ? (int)(rowEnd - at) : 258, length = 6, bits;
        for (; length < most; length += 8) {
          uint64_t difference = eight(known + length) ^ eight(at + length);
          if (difference) {
            length += __builtin_ctzll(difference) / 8;
            break;
          }
        }
        length = length > most ? most : length - length % 3;
        lengths[257 + lengthSymbol[length]]++;
        distances[distanceSymbol(distance, &bits)]++;
        *token++ = isMatch | (uint32_t)length << 16 | (distance - 1);
        at += length;
      } else {
        for (int channel = 0; channel < 3; channel++) literals[channel][at[channel]]++;
        *token++ = (uint32_t)eight(at) & 0xFFFFFF;
        at += 3;
      }
    }
  }
  for (int byte = 0; byte < 256; byte++) lengths[byte] = literals[0][byte] + literals[1][byte] + literals[2][byte];
  lengths[0] += rows, lengths[256] = 1;
  Code code, distanceCode;
  makeCode(&code, lengths, LENGTHS);
  makeCode(&distanceCode, distances, DISTANCES);
  memcpy(to->bytes, "IDAT\x78\x01", 6);
  Writer writer = {0, 0, to->bytes + (isFirst ? 6 : 4)};
  // A dynamic block with all symbols; the lengths of their codes have 4 bits each, and none is repeated.
  put(&writer, (unsigned)isLast | 2 << 1 | (LENGTHS - 257) << 3 | (DISTANCES - 1) << 8 | 15 << 13, 17), flush(&writer);
  for (int symbol = 0; symbol < 19; symbol++) put(&writer, symbol < 3 ? 0 : 4, 3), flush(&writer);
  for (int symbol = 0; symbol < LENGTHS + DISTANCES; symbol++) {
    int length = symbol < LENGTHS ? code.length[symbol] : distanceCode.length[symbol - LENGTHS];
    put(&writer, reversed(length, 4), 4), flush(&writer);
  }
  int pixels = width;
  for (uint32_t *token0 = to->tokens; token0 < token; token0++) {
    if (pixels == width) put(&writer, code.code[0], code.length[0]), flush(&writer), pixels = 0;
    if (*token0 & isMatch) {
      int length = *token0 >> 16 & 0x7FFF, symbol = lengthSymbol[length], bits;
      uint32_t distance = (*token0 & 0xFFFF) + 1;
      put(&writer, code.code[257 + symbol], code.length[257 + symbol]);
      put(&writer, length - firstLength[symbol], lengthBits[symbol]);
      symbol = distanceSymbol(distance, &bits);
      put(&writer, distanceCode.code[symbol], distanceCode.length[symbol]);
      put(&writer, (distance - 1) & ((1u << bits) - 1), bits);
      pixels += length / 3;
    } else {
      for (int channel = 0; channel < 24; channel += 8) {
        uint8_t byte = *token0 >> channel & 255;
        put(&writer, code.code[byte], code.length[byte]);
      }
      pixels++;
    }
    flush(&writer);
  }
  put(&writer, code.code[256], code.length[256]), flush(&writer);
  // An empty stored block ends at a whole byte.
  if (!isLast) put(&writer, 0, 3), flush(&writer);
  to->size = writer.at - to->bytes + (writer.count > 0);
  if (!isLast) memcpy(to->bytes + to->size, "\0\0\xFF\xFF", 4), to->size += 4;
}

static void number(uint8_t *to, uint32_t value) {
  value = __builtin_bswap32(value);
  memcpy(to, &value, 4);
}

// Writes a chunk, whose content begins with its name.
static uint8_t *chunk(uint8_t *to, const void *content, size_t bytes) {
  number(to, (uint32_t)bytes - 4);
  memcpy(to + 4, content, bytes);
  number(to + 4 + bytes, (uint32_t)crc32(0, content, (unsigned)bytes));
  return to + bytes + 8;
}

static struct {
  const uint8_t *rgba;
  int width, height;
} source;

static void compressPieces(int thread) {
  int rows = PIECE / source.width, count = (source.height + rows - 1) / rows;
  for (int piece = thread; piece < count; piece += threads) {
    int first = piece * rows, left = source.height - first;
    compressRows(&pieces[piece], source.rgba + (size_t)first * source.width * 4, source.width, left < rows ? left : rows,
                 piece == 0, piece == count - 1);
  }
}

size_t encode(const uint8_t *rgba, int width, int height, uint8_t *png, int thread) {
  for (int symbol = 0; symbol < 29 && !lengthSymbol[258]; symbol++)
    for (int length = firstLength[symbol]; length < (symbol < 28 ? firstLength[symbol + 1] : 259); length++)
      lengthSymbol[length] = symbol;
  Piece *piece = pieces, *end = pieces + (width * height + PIECE - 1) / PIECE;
  if (thread == ALL_THREADS) {
    source.rgba = rgba, source.width = width, source.height = height;
    parallel(compressPieces);
  } else {
    piece += thread, end = piece + 1;
    compressRows(piece, rgba, width, height, 1, 1);
  }
  uint8_t header[] = {'I', 'H', 'D', 'R', 0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0}, sum[] = {'I', 'D', 'A', 'T', 0, 0, 0, 0};
  number(header + 4, width), number(header + 8, height);
  memcpy(png, "\x89PNG\r\n\x1a\n", 8);
  uint8_t *at = chunk(png + 8, header, sizeof header);
  uLong adler = 1;
  for (; piece < end; piece++) {
    at = chunk(at, piece->bytes, piece->size);
    adler = adler32_combine(adler, piece->sum, piece->rawBytes);
  }
  number(sum + 4, (uint32_t)adler);
  return chunk(chunk(at, sum, sizeof sum), "IEND", 4) - png;
}

void checkPNG(const uint8_t *png, size_t bytes, const uint8_t *rgba) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  check(png_image_begin_read_from_memory(&image, png, bytes), "libpng refuses the file");
  image.format = PNG_FORMAT_RGBA;
  uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
  check(pixels != NULL && png_image_finish_read(&image, NULL, pixels, 0, NULL), image.message);
  check(memcmp(pixels, rgba, PNG_IMAGE_SIZE(image)) == 0, "the PNG has other pixels");
  free(pixels);
}

static uint8_t image[WIDTH * HEIGHT * 4], file[PNG_SPACE];
static size_t fileSize;

void savePNG(const char *name, const uint8_t *rgba) {
  char path[4096];
  snprintf(path, sizeof path, "%s/bounds/%s.png", folder, name);
  FILE *to = fopen(path, "wb");
  size_t size = encode(rgba, WIDTH, HEIGHT, file, ALL_THREADS);
  check(to != NULL && fwrite(file, 1, size, to) == size && fclose(to) == 0, path);
}

static void prepare(void) { drawFewCircles(image); }
static void run(void) { fileSize = encode(image, WIDTH, HEIGHT, file, ALL_THREADS); }

static void checkFile(void) {
  checkPNG(file, fileSize, image);
  fact("bytes", fileSize);
}

const Job pngJobs[1] = {{"C", "P1", "PNG of R1b", prepare, run, checkFile}};
