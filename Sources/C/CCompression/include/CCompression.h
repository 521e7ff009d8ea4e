// Decompression of LZ4 frames and Zstandard, and compression with Zstandard. Each library is opened when it is first needed.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The size in bytes of the buffer for an error text.
enum { CCOMPRESSION_ERROR_SIZE = 512 };

// Decompresses bytes to exactly `size` bytes. Returns 0 and writes a text to `error` on failure; the text names the
// packages of a missing library.
int ccompression_lz4(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull output, size_t size,
                     char *_Nonnull error);
int ccompression_zstd(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull output, size_t size,
                      char *_Nonnull error);
// Compresses bytes with Zstandard to at most `size` bytes, and returns their number. Returns 0 and writes a text to
// `error` on failure, also if the output is too small.
size_t ccompression_zstd_compress(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull output, size_t size,
                                  int level, char *_Nonnull error);
