#include "CPNGGuard.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// The unread part of the input.
typedef struct {
  const uint8_t *bytes;
  size_t left;
} source;

static void set_text(char *error, const char *text) {
  strncpy(error, text, CPNGGUARD_ERROR_SIZE - 1);
  error[CPNGGUARD_ERROR_SIZE - 1] = 0;
}

static void fail(png_structp png, png_const_charp text) {
  set_text(png_get_error_ptr(png), text);
  png_longjmp(png, 1);
}

// Warnings concern parts that do not change the pixels (a bad checksum of a text, an unknown profile).
static void ignore(png_structp png, png_const_charp text) { (void)png, (void)text; }

static void take(png_structp png, png_bytep bytes, png_size_t count) {
  source *from = png_get_io_ptr(png);
  if (count > from->left) png_error(png, "the data end too early");
  memcpy(bytes, from->bytes, count);
  from->bytes += count;
  from->left -= count;
}

uint32_t cpngguard_adler32(const uint8_t *bytes, size_t count) { return (uint32_t)adler32_z(1, bytes, count); }

uint32_t cpngguard_adler32_combine(uint32_t first, uint32_t second, size_t second_count) {
  return (uint32_t)adler32_combine(first, second, (z_off_t)second_count);
}

uint32_t cpngguard_crc32(const uint8_t *bytes, size_t count) { return (uint32_t)crc32_z(0, bytes, count); }

// Creates a reader and its info; the caller must set the jump target right after.
static png_structp open_reader(png_infop *info, char *error) {
  set_text(error, "out of memory");
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, error, fail, ignore);
  if (!png) return NULL;
  *info = png_create_info_struct(png);
  if (!*info) png_destroy_read_struct(&png, NULL, NULL);
  return png;
}

// Refuses a chunk that is longer than the data: libpng would allocate memory for it before it notices that they end.
static void check_lengths(png_structp png, const source *from) {
  const uint8_t *bytes = from->bytes;
  for (size_t start = 8; start + 8 <= from->left;) {
    size_t length = png_get_uint_32(bytes + start), rest = from->left - start - 8;
    if (length > rest) png_error(png, "the data end too early");
    if (memcmp(bytes + start + 4, "IEND", 4) == 0) return;
    start += 8 + length + (rest - length < 4 ? rest - length : 4);
  }
}

// Reads up to the first row. Chunks other than those of pixels are limited to 8 MB each and to 256 in number. So a
// small file cannot demand much memory.
static void read_info(png_structp png, png_infop info, source *from, uint32_t side_limit) {
  png_set_user_limits(png, side_limit, side_limit);
  png_set_chunk_malloc_max(png, 8 << 20);
  png_set_chunk_cache_max(png, 256);
  png_set_read_fn(png, from, take);
  check_lengths(png, from);
  png_read_info(png, info);
}

int cpngguard_read_header(const uint8_t *bytes, size_t count, uint32_t side_limit, cpngguard_header *header,
                          char *error) {
  source from = {bytes, count};
  png_infop info = NULL;
  png_structp png = open_reader(&info, error);
  if (!png) return 0;
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    return 0;
  }
  read_info(png, info, &from, side_limit);
  header->width = png_get_image_width(png, info);
  header->height = png_get_image_height(png, info);
  header->raw_bytes = png_get_rowbytes(png, info) * (size_t)header->height;
  png_destroy_read_struct(&png, &info, NULL);
  return 1;
}

int cpngguard_decode(const uint8_t *bytes, size_t count, uint32_t side_limit, uint8_t *rgba, size_t capacity,
                     char *error) {
  source from = {bytes, count};
  png_infop info = NULL;
  png_structp png = open_reader(&info, error);
  if (!png) return 0;
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    return 0;
  }
  read_info(png, info, &from, side_limit);
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  size_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
  if (png_get_rowbytes(png, info) != width * 4 || width * height * 4 != capacity) {
    png_error(png, "rows of an unexpected length");
  }
  for (int pass = 0; pass < passes; pass++) {
    for (size_t row = 0; row < height; row++) png_read_row(png, rgba + row * width * 4, NULL);
  }
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  return 1;
}

const char *cpngguard_version(void) { return png_get_libpng_ver(NULL); }
