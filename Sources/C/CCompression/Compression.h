// The parts of the C interfaces of LZ4 and Zstandard in use. These are our own declarations; the libraries' headers are
// not needed.
//
// Source: lz4frame.h of LZ4 1.9 and zstd.h of Zstandard 1.5; both promise that these functions stay as they are.
// Scripts/checks/declarations compares them with the headers, where these are installed.
#pragma once

#ifndef CCOMPRESSION_COMPARED
#include <stddef.h>
typedef struct LZ4F_dctx_s LZ4F_dctx;
typedef struct LZ4F_options_s LZ4F_decompressOptions_t;
#endif

// X(result, name, parameters)
#define CCOMPRESSION_LZ4(X) \
  X(size_t, LZ4F_createDecompressionContext, (LZ4F_dctx **, unsigned)) \
  X(size_t, LZ4F_freeDecompressionContext, (LZ4F_dctx *)) \
  X(size_t, LZ4F_decompress, \
    (LZ4F_dctx *, void *, size_t *, const void *, size_t *, const LZ4F_decompressOptions_t *)) \
  X(unsigned, LZ4F_isError, (size_t)) \
  X(const char *, LZ4F_getErrorName, (size_t))
#define CCOMPRESSION_ZSTD(X) \
  X(size_t, ZSTD_decompress, (void *, size_t, const void *, size_t)) \
  X(size_t, ZSTD_compress, (void *, size_t, const void *, size_t, int)) \
  X(unsigned, ZSTD_isError, (size_t)) \
  X(const char *, ZSTD_getErrorName, (size_t))

// X(name, value)
#define CCOMPRESSION_LZ4_NUMBERS(X) X(LZ4F_VERSION, 100)
