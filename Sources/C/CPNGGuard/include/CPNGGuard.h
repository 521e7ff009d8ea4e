// libpng's calls under setjmp, because libpng reports errors by longjmp, which must not cross Swift frames; and the
// checksums of zlib, which comes with libpng.
// On failure, `cpngguard_read_header` and `cpngguard_decode` return 0, fill `error` (a C string) and leave nothing
// allocated.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The size of the buffer for an error message.
enum { CPNGGUARD_ERROR_SIZE = 256 };

// The size in an image header, and the number of bytes of its uncompressed rows.
typedef struct {
  uint32_t width;
  uint32_t height;
  size_t raw_bytes;
} cpngguard_header;

// Returns the Adler-32 checksum of bytes.
uint32_t cpngguard_adler32(const uint8_t *bytes, size_t count);

// Returns the Adler-32 checksum of two consecutive runs of bytes from the checksums of both.
uint32_t cpngguard_adler32_combine(uint32_t first, uint32_t second, size_t second_count);

// Returns the CRC-32 checksum of bytes.
uint32_t cpngguard_crc32(const uint8_t *bytes, size_t count);

// Reads the header only; refuses sides above `side_limit`.
int cpngguard_read_header(const uint8_t *bytes, size_t count, uint32_t side_limit, cpngguard_header *header,
                          char *error);

// Decodes to RGBA with 8 bits per channel and straight alpha into `rgba`. Its `capacity` in bytes must be 4 * width *
// height of the header. Palettes, grey, 1 to 16 bits, tRNS and interlacing are expanded. Gamma and colour profiles
// are ignored.
int cpngguard_decode(const uint8_t *bytes, size_t count, uint32_t side_limit, uint8_t *rgba, size_t capacity,
                     char *error);

// Returns the version of the libpng in use, as text that is never freed.
const char *cpngguard_version(void);
