#include "CCurl.h"

#include <arpa/inet.h>
#include <string.h>

static int reach_of_ipv4(uint32_t a) {
  uint32_t first = a >> 24, second = a >> 16 & 255;
  // Linux takes 0.0.0.0 for itself.
  if (first == 127 || first == 0) return CCURL_LOOPBACK;
  if (first == 169 && second == 254) return CCURL_LINK_LOCAL;
  if (first == 10 || (first == 172 && second >= 16 && second < 32) || (first == 192 && second == 168) ||
      (first == 100 && second >= 64 && second < 128) || (first == 198 && (second == 18 || second == 19)) ||
      (a >> 8 == 0xC00000) || first >= 224)
    return CCURL_PRIVATE;
  return CCURL_PUBLIC;
}

static uint32_t big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static int reach_of_ipv6(const uint8_t *a) {
  static const uint8_t zero[15], mapped[12] = {[10] = 0xFF, 0xFF}, nat64[12] = {0, 0x64, 0xFF, 0x9B};
  if (memcmp(a, zero, 15) == 0 && a[15] <= 1) return CCURL_LOOPBACK;
  if (memcmp(a, mapped, 12) == 0 || memcmp(a, nat64, 12) == 0 || memcmp(a, zero, 12) == 0)
    return reach_of_ipv4(big_endian(a + 12));
  if (a[0] == 0x20 && a[1] == 0x02) return reach_of_ipv4(big_endian(a + 2));  // 6to4
  if (a[0] == 0xFE && (a[1] & 0xC0) == 0x80) return CCURL_LINK_LOCAL;
  // Unique local, the former site local, multicast.
  if ((a[0] & 0xFE) == 0xFC || (a[0] == 0xFE && (a[1] & 0xC0) == 0xC0) || a[0] == 0xFF) return CCURL_PRIVATE;
  return CCURL_PUBLIC;
}

int ccurl_reach(const char *address) {
  uint8_t bytes[16];
  if (inet_pton(AF_INET, address, bytes) == 1) return reach_of_ipv4(big_endian(bytes));
  if (inet_pton(AF_INET6, address, bytes) == 1) return reach_of_ipv6(bytes);
  return -1;
}
