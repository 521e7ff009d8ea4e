#include "CDelimiters.h"

#include <string.h>

typedef uint8_t bytes16 __attribute__((ext_vector_type(16)));

// Returns a bit for each of 16 bytes, which are 255 or 0.
static inline uint64_t bits(bytes16 bytes) {
#ifdef __SSE2__
  typedef char chars __attribute__((vector_size(16)));
  return (uint64_t)(uint32_t)__builtin_ia32_pmovmskb128((chars)bytes);
#else
  // The product moves the lowest bit of each of eight bytes, the first of which is the lowest, to the highest byte.
  uint64_t words[2];
  memcpy(words, &bytes, sizeof words);
  const uint64_t lowest = 0x0101010101010101, moves = 0x0102040810204080;
  return (words[0] & lowest) * moves >> 56 | ((words[1] & lowest) * moves >> 56) << 8;
#endif
}

uint64_t cdelimiters_marks(const uint8_t *bytes, uint8_t delimiter) {
  const bytes16 delimiters = delimiter, quotes = '"', feeds = '\n', returns = '\r';
  uint64_t marks = 0;
  for (int part = 0; part < 4; part++) {
    bytes16 some;
    memcpy(&some, bytes + 16 * part, sizeof some);
    marks |= bits((bytes16)((some == delimiters) | (some == quotes) | (some == feeds) | (some == returns))) << 16 * part;
  }
  return marks;
}
