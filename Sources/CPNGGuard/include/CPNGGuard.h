// libpng's calls under setjmp: libpng reports errors by longjmp, which must not cross Swift frames; and the checksums of
// zlib, which libpng brings.
// Every function answers 0 and fills `error` (a C string) on failure, and keeps nothing allocated then.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Bytes that Swift gives for an error text.
enum { CPNGGUARD_ERROR_SIZE = 256 };

// What an image header says, and the bytes that its rows take uncompressed.
typedef struct {
  uint32_t width;
  uint32_t height;
  size_t raw_bytes;
} cpngguard_header;

// The Adler-32 of bytes.
uint32_t cpngguard_adler32(const uint8_t *bytes, size_t count);

// The Adler-32 of two runs of bytes, one after the other.
uint32_t cpngguard_adler32_combine(uint32_t first, uint32_t second, size_t second_count);

// The CRC-32 of bytes.
uint32_t cpngguard_crc32(const uint8_t *bytes, size_t count);

// Reads the header only, with no side above `side_limit`.
int cpngguard_read_header(const uint8_t *bytes, size_t count, uint32_t side_limit, cpngguard_header *header,
                          char *error);

// Decodes to RGBA of 8 bits, straight alpha, into `rgba` of `capacity` bytes, which must be 4 * width * height
// of the header. Palettes, grey, 1 to 16 bits, tRNS and interlacing are expanded; gamma and colour profiles are
// left as they are.
int cpngguard_decode(const uint8_t *bytes, size_t count, uint32_t side_limit, uint8_t *rgba, size_t capacity,
                     char *error);

// The version of libpng that runs, as text that is never freed.
const char *cpngguard_version(void);
