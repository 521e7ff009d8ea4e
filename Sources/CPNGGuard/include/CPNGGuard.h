// libpng's calls under setjmp: libpng reports errors by longjmp, which must not cross Swift frames.
// Every function answers 0 and fills `error` (a C string) on failure, and keeps nothing allocated then.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Bytes that Swift gives for an error text.
enum { CPNGGUARD_ERROR_SIZE = 256 };

// Bytes written so far; free `data` with cpngguard_free.
typedef struct {
  uint8_t *data;
  size_t count;
  size_t capacity;
} cpngguard_buffer;

// What an image header says, and the bytes that its rows take uncompressed.
typedef struct {
  uint32_t width;
  uint32_t height;
  size_t raw_bytes;
} cpngguard_header;

// Encodes `height` rows of `width` RGBA pixels, straight alpha, 4 * width bytes a row. `opaque` leaves alpha out
// (RGB). `level` is zlib's, 0 to 9; `filters` is a set of PNG_FILTER_ bits. No time stamp, no text.
int cpngguard_encode(const uint8_t *rgba, uint32_t width, uint32_t height, int opaque, int level, int filters,
                     cpngguard_buffer *buffer, char *error);

// Reads the header only, with no side above `side_limit`.
int cpngguard_read_header(const uint8_t *bytes, size_t count, uint32_t side_limit, cpngguard_header *header,
                          char *error);

// Decodes to RGBA of 8 bits, straight alpha, into `rgba` of `capacity` bytes, which must be 4 * width * height
// of the header. Palettes, grey, 1 to 16 bits, tRNS and interlacing are expanded; gamma and colour profiles are
// left as they are.
int cpngguard_decode(const uint8_t *bytes, size_t count, uint32_t side_limit, uint8_t *rgba, size_t capacity,
                     char *error);

void cpngguard_free(cpngguard_buffer *buffer);
// The version of libpng that runs, as text that is never freed.
const char *cpngguard_version(void);
