// CSV of 1,000,000 points with five fields to columns: the file of L1.
//
// Each thread reads a part of the file that begins after a newline, into columns of its own; then their dictionaries are
// joined. Texts become codes, times milliseconds, empty numbers NaN. Decimals have at most 15 digits, so one division
// rounds them correctly.
#include "bounds.h"
#include <fcntl.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_ROWS = 1 << 20, NAMES = 64 };
typedef struct {
  const char *text;
  size_t length;
} Name;
// Columns of a part, and its dictionary: names by code, and codes plus 1 by hash.
typedef struct {
  size_t rows;
  int64_t id[MOST_ROWS], opened[MOST_ROWS];
  double pop[MOST_ROWS], lon[MOST_ROWS], lat[MOST_ROWS];
  int32_t rank[MOST_ROWS];
  uint8_t kind[MOST_ROWS], slots[NAMES];
  Name names[NAMES];
  int nameCount;
} Part;
static Part parts[MOST_THREADS];
static const char *content;
static size_t size;
static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

static inline uint64_t eight(const char *at) {
  uint64_t bytes;
  memcpy(&bytes, at, 8);
  return bytes;
}

// Reads a whole number, and moves on to the byte after it.
static inline int64_t whole(const char **at) {
  int64_t value = 0;
  const char *start = *at;
  while ((unsigned)(**at - '0') < 10) value = value * 10 + *(*at)++ - '0';
  check(*at - start > 0 && *at - start < 16, "no number, or one with more than 15 digits");
  return value;
}

// Reads a decimal, up to 8 of its digits after the point at once.
static inline double decimal(const char **at) {
  int isNegative = **at == '-';
  *at += isNegative;
  const char *start = *at;
  int64_t value = whole(at);
  if (**at == '.') {
    uint64_t digits = eight(++*at) - 0x3030303030303030;
    uint64_t others = (digits | (digits + 0x7676767676767676)) & 0x8080808080808080;
    int count = others ? __builtin_ctzll(others) / 8 : 8;
    check(*at + count - start < 17 && (unsigned)((*at)[count] - '0') >= 10, "a number with more than 15 digits");
    // The digits move to the end of 8, with zeros before them; pairs, then fours, then all are joined.
    digits = count ? digits << (64 - 8 * count) : 0;
    digits = digits * 10 + (digits >> 8);
    digits = ((digits & 0x000000FF000000FF) * 0x000F424000000064 +
              (digits >> 16 & 0x000000FF000000FF) * 0x0000271000000001) >> 32;
    static const int64_t tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    double result = (double)(value * tens[count] + (int64_t)digits) / powers[count];
    *at += count;
    return isNegative ? -result : result;
  }
  return isNegative ? -value : value;
}

static inline int two(const char *at) {
  check((unsigned)(at[0] - '0') < 10 && (unsigned)(at[1] - '0') < 10, "no time");
  return (at[0] - '0') * 10 + at[1] - '0';
}

// Reads "2023-08-28 05:17:45.000" as milliseconds since 1970.
static inline int64_t timestamp(const char **at) {
  const char *t = *at;
  check(t[4] == '-' && t[7] == '-' && t[10] == ' ' && t[13] == ':' && t[16] == ':' && t[19] == '.', "no time");
  int year = two(t) * 100 + two(t + 2), month = two(t + 5), day = two(t + 8);
  if (month <= 2) year--, month += 12;
  int64_t days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month - 457) / 5 + day - 719469;
  *at += 23;
  return (((days * 24 + two(t + 11)) * 60 + two(t + 14)) * 60 + two(t + 17)) * 1000 + two(t + 20) * 10 + t[22] - '0';
}

// Returns the code of a text, which the dictionary gets if it lacks it.
static inline uint8_t code(Part *to, const char *text, size_t length) {
  uint64_t key = eight(text) << (length < 8 ? 64 - 8 * length : 0);
  size_t slot = ((key ^ length) * 0x9E3779B97F4A7C15) >> 58;
  for (; to->slots[slot]; slot = (slot + 1) % NAMES) {
    Name *known = &to->names[to->slots[slot] - 1];
    if (known->length == length && memcmp(known->text, text, length) == 0) return to->slots[slot] - 1;
  }
  check(to->nameCount < NAMES - 1 && length > 0, "too many texts, or an empty one");
  to->names[to->nameCount] = (Name){text, length};
  return (to->slots[slot] = ++to->nameCount) - 1;
}

// Reads a quoted text as a code.
static inline uint8_t quoted(Part *to, const char **at) {
  const char *text = *at + 1, *end = memchr(text, '"', content + size - text);
  check(**at == '"' && end != NULL, "no quoted text");
  *at = end + 1;
  return code(to, text, end - text);
}

static const char *start(int thread) {
  if (thread == threads) return content + size;
  return (const char *)memchr(content + size / threads * thread, '\n', size) + 1;
}

static void expect(const char **at, char byte) {
  check(*(*at)++ == byte, "a field has an unexpected end");
}

static void readPart(int thread) {
  Part *to = &parts[thread];
  memset(to->slots, 0, sizeof to->slots);
  to->nameCount = 0;
  size_t row = 0;
  for (const char *at = start(thread), *end = start(thread + 1); at < end; row++) {
    check(row < MOST_ROWS, "too many rows");
    to->id[row] = whole(&at), expect(&at, ',');
    to->kind[row] = quoted(to, &at), expect(&at, ',');
    to->pop[row] = *at == ',' ? NAN : decimal(&at), expect(&at, ',');
    to->rank[row] = (int32_t)whole(&at), expect(&at, ',');
    to->opened[row] = timestamp(&at), expect(&at, ',');
    to->lon[row] = decimal(&at), expect(&at, ',');
    to->lat[row] = decimal(&at), expect(&at, '\n');
  }
  to->rows = row;
}

static void run(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s/p1m.csv", folder);
  int file = open(path, O_RDONLY);
  size = (size_t)lseek(file, 0, SEEK_END);
  content = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
  check(file >= 0 && content != MAP_FAILED && size % 4096 < 4032, path);
  parallel(readPart);
  // The codes of later parts become those of the first.
  for (int thread = 1; thread < threads; thread++) {
    Part *part = &parts[thread];
    uint8_t codes[NAMES];
    for (int name = 0; name < part->nameCount; name++)
      codes[name] = code(&parts[0], part->names[name].text, part->names[name].length);
    for (size_t row = 0; row < part->rows; row++) part->kind[row] = codes[part->kind[row]];
  }
  munmap((void *)content, size);
  close(file);
}

static const int8_t *kinds, *ranks;
static const int64_t *opened;
static const double *pops, *lons, *lats;

static void prepare(void) {
  size_t bytes;
  kinds = load("p1m.cat", ".i8", &bytes), ranks = load("p1m.rank", ".i8", &bytes), pops = load("p1m.pop", ".f64", &bytes);
  opened = load("bounds/p1m", ".opened", &bytes);
  lons = load("bounds/p1m", ".lon", &bytes), lats = load("bounds/p1m", ".lat", &bytes);
}

// All columns are equal to those from which the file was made; the codes may have another order.
static void checkColumns(void) {
  int codes[NAMES];
  memset(codes, -1, sizeof codes);
  int64_t total = 0;
  for (int thread = 0; thread < threads; thread++) {
    Part *part = &parts[thread];
    for (size_t row = 0; row < part->rows; row++, total++) {
      check(total < 1000000, "too many rows");
      int *kind = &codes[(int)kinds[total]];
      *kind = *kind < 0 ? part->kind[row] : *kind;
      check(part->id[row] == total + 1 && part->kind[row] == *kind && part->rank[row] == ranks[total] &&
            part->opened[row] == opened[total] && part->lon[row] == lons[total] && part->lat[row] == lats[total] &&
            (part->pop[row] == pops[total] || (isnan(part->pop[row]) && isnan(pops[total]))), "a value differs");
    }
  }
  check(total == 1000000 && parts[0].nameCount == 12, "the number of rows or texts differs");
  fact("rows", total);
}

const Job csvJobs[1] = {{"C", "L1", "p1m.csv", prepare, run, checkColumns}};
