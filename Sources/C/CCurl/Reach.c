#define _GNU_SOURCE
#include "CCurl.h"
#include "Exchange.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

static int reach_of_ipv4(uint32_t a) {
  uint32_t first = a >> 24, second = a >> 16 & 255;
  // Linux routes 0.0.0.0 to the machine itself.
  if (first == 127 || first == 0) return CCURL_LOOPBACK;
  // 168.63.129.16 is a cloud's own address for its machines (Azure), besides the usual 169.254.169.254.
  if ((first == 169 && second == 254) || a == 0xA83F8110) return CCURL_LINK_LOCAL;
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
  static const uint8_t zero[15], mapped[12] = {[10] = 0xFF, 0xFF}, nat64[12] = {0, 0x64, 0xFF, 0x9B},
                       local_nat64[6] = {0, 0x64, 0xFF, 0x9B, 0, 1}, translated[12] = {[8] = 0xFF, 0xFF},
                       discard[8] = {1}, isatap[3] = {0, 0x5E, 0xFE};
  if (memcmp(a, zero, 15) == 0 && a[15] <= 1) return CCURL_LOOPBACK;
  if (memcmp(a, mapped, 12) == 0 || memcmp(a, nat64, 12) == 0 || memcmp(a, zero, 12) == 0 ||
      memcmp(a, translated, 12) == 0 || ((a[8] & 0xFD) == 0 && memcmp(a + 9, isatap, 3) == 0))
    return reach_of_ipv4(big_endian(a + 12));
  if (a[0] == 0x20 && a[1] == 0x02) return reach_of_ipv4(big_endian(a + 2));  // 6to4
  if (big_endian(a) == 0x20010000) return reach_of_ipv4(~big_endian(a + 12));  // Teredo
  if (memcmp(a, local_nat64, 6) == 0 || memcmp(a, discard, 8) == 0) return CCURL_PRIVATE;
  if (a[0] == 0xFE && (a[1] & 0xC0) == 0x80) return CCURL_LINK_LOCAL;
  // Unique local, the former site-local, and multicast addresses.
  if ((a[0] & 0xFE) == 0xFC || (a[0] == 0xFE && (a[1] & 0xC0) == 0xC0) || a[0] == 0xFF) return CCURL_PRIVATE;
  return CCURL_PUBLIC;
}

int ccurl_reach(const char *address) {
  uint8_t bytes[16];
  if (inet_pton(AF_INET, address, bytes) == 1) return reach_of_ipv4(big_endian(bytes));
  if (inet_pton(AF_INET6, address, bytes) == 1) return reach_of_ipv6(bytes);
  return -1;
}

int ccurl_socket_reach(const struct sockaddr *address) {
  if (address->sa_family == AF_INET)
    return reach_of_ipv4(ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr));
  if (address->sa_family == AF_INET6) return reach_of_ipv6(((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr);
  return CCURL_LOOPBACK;  // other families (such as Unix sockets) stay on this machine
}

int ccurl_written_reach(const char *host) {
  struct in_addr address;
  int reach = ccurl_reach(host);
  return reach < 0 && inet_aton(host, &address) ? reach_of_ipv4(ntohl(address.s_addr)) : reach;
}
