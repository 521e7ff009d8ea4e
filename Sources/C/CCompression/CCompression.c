#include "CCompression.h"

#include <stdio.h>

#include "CLibraries.h"
#include "Compression.h"

#define VALUE(name, value) name = value,
enum { CCOMPRESSION_LZ4_NUMBERS(VALUE) };

static const clibraries_library lz4_library = {"LZ4", "liblz4.so", 0, 1, 1, "liblz4-1 (Debian 12 and 13)"};
static struct {
  CCOMPRESSION_LZ4(CLIBRARIES_MEMBER)
} lz4;

static const clibraries_library zstd_library = {"Zstandard", "libzstd.so", 0, 1, 1, "libzstd1 (Debian 12 and 13)"};
static struct {
  CCOMPRESSION_ZSTD(CLIBRARIES_MEMBER)
} zstd;

static int failure(const char *reason, char *error) {
  snprintf(error, CCOMPRESSION_ERROR_SIZE, "%s", reason);
  return 0;
}

static int load_lz4(char *error) {
  CLIBRARIES_LOAD(lz4_library, CCOMPRESSION_LZ4, lz4, error)
  return 1;
}

static int load_zstd(char *error) {
  CLIBRARIES_LOAD(zstd_library, CCOMPRESSION_ZSTD, zstd, error)
  return 1;
}

int ccompression_lz4(const uint8_t *bytes, size_t count, uint8_t *output, size_t size, char *error) {
  if (!load_lz4(error)) return 0;
  LZ4F_dctx *context = NULL;
  size_t code = lz4.LZ4F_createDecompressionContext(&context, LZ4F_VERSION);
  if (lz4.LZ4F_isError(code)) return failure(lz4.LZ4F_getErrorName(code), error);
  size_t read = 0, written = 0;
  // The last call returns 0 at the end of the frame; a call that does nothing will do nothing again.
  for (code = 1; code != 0;) {
    size_t consumed = count - read, produced = size - written;
    code = lz4.LZ4F_decompress(context, output + written, &produced, bytes + read, &consumed, NULL);
    if (lz4.LZ4F_isError(code)) break;
    read += consumed;
    written += produced;
    if (consumed == 0 && produced == 0) break;
  }
  lz4.LZ4F_freeDecompressionContext(context);
  if (lz4.LZ4F_isError(code)) return failure(lz4.LZ4F_getErrorName(code), error);
  if (code != 0 || written != size) return failure("its size is not the declared one", error);
  return 1;
}

int ccompression_zstd(const uint8_t *bytes, size_t count, uint8_t *output, size_t size, char *error) {
  if (!load_zstd(error)) return 0;
  size_t code = zstd.ZSTD_decompress(output, size, bytes, count);
  if (zstd.ZSTD_isError(code)) return failure(zstd.ZSTD_getErrorName(code), error);
  if (code != size) return failure("its size is not the declared one", error);
  return 1;
}

size_t ccompression_zstd_compress(const uint8_t *bytes, size_t count, uint8_t *output, size_t size, int level,
                                  char *error) {
  if (!load_zstd(error)) return 0;
  size_t code = zstd.ZSTD_compress(output, size, bytes, count, level);
  if (zstd.ZSTD_isError(code)) return failure(zstd.ZSTD_getErrorName(code), error);
  return code;
}
