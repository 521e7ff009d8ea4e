#include "CTiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CLibraries.h"

// JPEG. Source: libjpeg-turbo, turbojpeg.h; these functions exist since 1.4.
#define JPEG(X)                                                                                                    \
  X(void *, tjInitCompress, (void))                                                                                \
  X(int, tjCompress2, (void *, const unsigned char *, int, int, int, int, unsigned char **, unsigned long *, int,  \
                       int, int))                                                                                  \
  X(void, tjFree, (unsigned char *))                                                                               \
  X(void *, tjInitDecompress, (void))                                                                              \
  X(int, tjDecompressHeader3, (void *, const unsigned char *, unsigned long, int *, int *, int *, int *))          \
  X(int, tjDecompress2, (void *, const unsigned char *, unsigned long, unsigned char *, int, int, int, int, int)) \
  X(char *, tjGetErrorStr, (void))                                                                                 \
  X(int, tjDestroy, (void *))
static const clibraries_library jpeg_library = {"TurboJPEG", "libturbojpeg.so", 0, 0, 0,
                                                "libturbojpeg0 (Debian 12 and 13)"};
static struct {
  JPEG(CLIBRARIES_MEMBER)
} jpeg;
enum { TJPF_RGBX = 2, TJPF_RGBA = 7, TJSAMP_444 = 0 };

static int load_jpeg(char *error) {
  CLIBRARIES_LOAD(jpeg_library, JPEG, jpeg, error)
  return 1;
}

static int jpeg_failure(void *handle, char *error) {
  snprintf(error, CTILES_ERROR_SIZE, "not a readable JPEG: %s", jpeg.tjGetErrorStr());
  if (handle) jpeg.tjDestroy(handle);
  return 0;
}

int ctiles_jpeg_size(const uint8_t *bytes, size_t count, int *width, int *height, char *error) {
  if (!load_jpeg(error)) return 0;
  void *handle = jpeg.tjInitDecompress();
  int sampling, space;
  if (!handle || jpeg.tjDecompressHeader3(handle, bytes, count, width, height, &sampling, &space) != 0)
    return jpeg_failure(handle, error);
  jpeg.tjDestroy(handle);
  return 1;
}

int ctiles_jpeg_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, int width, int height, char *error) {
  if (!load_jpeg(error)) return 0;
  void *handle = jpeg.tjInitDecompress();
  if (!handle || jpeg.tjDecompress2(handle, bytes, count, pixels, width, width * 4, height, TJPF_RGBA, 0) != 0)
    return jpeg_failure(handle, error);
  jpeg.tjDestroy(handle);
  return 1;
}

int ctiles_jpeg_encode(const uint8_t *pixels, int width, int height, int quality, uint8_t **bytes, size_t *count,
                       char *error) {
  if (!load_jpeg(error)) return 0;
  void *handle = jpeg.tjInitCompress();
  unsigned char *made = NULL;
  unsigned long size = 0;
  // Colours are not subsampled, which would blur text and thin lines.
  if (!handle || jpeg.tjCompress2(handle, pixels, width, width * 4, height, TJPF_RGBX, &made, &size, TJSAMP_444,
                                  quality, 0) != 0) {
    snprintf(error, CTILES_ERROR_SIZE, "the JPEG cannot be made: %s", jpeg.tjGetErrorStr());
    if (made) jpeg.tjFree(made);
    if (handle) jpeg.tjDestroy(handle);
    return 0;
  }
  jpeg.tjDestroy(handle);
  *bytes = made;
  *count = size;
  return 1;
}

void ctiles_jpeg_free(uint8_t *bytes) { jpeg.tjFree(bytes); }

// WebP. Source: libwebp, decode.h and encode.h.
#define WEBP(X)                                                            \
  X(int, WebPGetInfo, (const uint8_t *, size_t, int *, int *))             \
  X(size_t, WebPEncodeLosslessRGBA, (const uint8_t *, int, int, int, uint8_t **)) \
  X(void, WebPFree, (void *))                                              \
  X(uint8_t *, WebPDecodeRGBAInto, (const uint8_t *, size_t, uint8_t *, size_t, int))
static const clibraries_library webp_library = {"WebP", "libwebp.so", 0, 7, 7, "libwebp7 (Debian 12 and 13)"};
static struct {
  WEBP(CLIBRARIES_MEMBER)
} webp;

static int load_webp(char *error) {
  CLIBRARIES_LOAD(webp_library, WEBP, webp, error)
  return 1;
}

static int webp_failure(char *error) {
  snprintf(error, CTILES_ERROR_SIZE, "not a readable WebP image");
  return 0;
}

int ctiles_webp_size(const uint8_t *bytes, size_t count, int *width, int *height, char *error) {
  if (!load_webp(error)) return 0;
  return webp.WebPGetInfo(bytes, count, width, height) ? 1 : webp_failure(error);
}

int ctiles_webp_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, int width, int height, char *error) {
  if (!load_webp(error)) return 0;
  size_t size = (size_t)width * (size_t)height * 4;
  return webp.WebPDecodeRGBAInto(bytes, count, pixels, size, width * 4) ? 1 : webp_failure(error);
}

int ctiles_webp_encode(const uint8_t *pixels, int width, int height, uint8_t **bytes, size_t *count, char *error) {
  if (!load_webp(error)) return 0;
  *count = webp.WebPEncodeLosslessRGBA(pixels, width, height, width * 4, bytes);
  if (*count > 0) return 1;
  snprintf(error, CTILES_ERROR_SIZE, "the WebP image cannot be made");
  return 0;
}

void ctiles_webp_free(uint8_t *bytes) { webp.WebPFree(bytes); }

// SQLite. Source: https://www.sqlite.org/c3ref/intro.html.
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
#define SQLITE(X)                                                                            \
  X(int, sqlite3_open_v2, (const char *, sqlite3 **, int, const char *))                     \
  X(int, sqlite3_close_v2, (sqlite3 *))                                                      \
  X(int, sqlite3_exec, (sqlite3 *, const char *, void *, void *, char **))                   \
  X(int, sqlite3_prepare_v2, (sqlite3 *, const char *, int, sqlite3_stmt **, const char **)) \
  X(int, sqlite3_step, (sqlite3_stmt *))                                                     \
  X(int, sqlite3_finalize, (sqlite3_stmt *))                                                 \
  X(int, sqlite3_bind_int64, (sqlite3_stmt *, int, long long))                               \
  X(int, sqlite3_bind_text, (sqlite3_stmt *, int, const char *, int, void (*)(void *)))      \
  X(int, sqlite3_bind_blob, (sqlite3_stmt *, int, const void *, int, void (*)(void *)))      \
  X(long long, sqlite3_column_int64, (sqlite3_stmt *, int))                                  \
  X(const void *, sqlite3_column_blob, (sqlite3_stmt *, int))                                \
  X(int, sqlite3_column_bytes, (sqlite3_stmt *, int))                                        \
  X(const char *, sqlite3_errmsg, (sqlite3 *))                                               \
  X(int, sqlite3_limit, (sqlite3 *, int, int))                                               \
  X(void, sqlite3_progress_handler, (sqlite3 *, int, int (*)(void *), void *))               \
  X(int, sqlite3_db_config, (sqlite3 *, int, ...))
static const clibraries_library sqlite_library = {"SQLite", "libsqlite3.so", 0, 0, 0,
                                                  "libsqlite3-0 (Debian 12 and 13)"};
static struct {
  SQLITE(CLIBRARIES_MEMBER)
} sqlite;
enum {
  SQLITE_ROW = 100, SQLITE_DONE = 101, SQLITE_OPEN_READONLY = 1, SQLITE_OPEN_READWRITE = 2, SQLITE_OPEN_CREATE = 4,
  SQLITE_OPEN_NOMUTEX = 32768, SQLITE_DBCONFIG_ENABLE_TRIGGER = 1003, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE = 1006,
  SQLITE_DBCONFIG_DEFENSIVE = 1010, SQLITE_DBCONFIG_TRUSTED_SCHEMA = 1017, SQLITE_LIMIT_LENGTH = 0,
  SQLITE_LIMIT_LIKE_PATTERN_LENGTH = 8,
  // The longest blob, and the steps of a statement in hundreds: a file's own views run, and must end.
  LONGEST_BLOB = 64 << 20, MOST_STEPS = 200000
};

struct ctiles_database {
  sqlite3 *handle;
  sqlite3_stmt *statement;
  int steps;
};

static int load_sqlite(char *error) {
  CLIBRARIES_LOAD(sqlite_library, SQLITE, sqlite, error)
  return 1;
}

static void describe(ctiles_database *database, char *error) {
  snprintf(error, CTILES_ERROR_SIZE, "%s", database->steps > MOST_STEPS ? "its view takes too long"
                                                                       : sqlite.sqlite3_errmsg(database->handle));
}

static int count_steps(void *database) { return ++((ctiles_database *)database)->steps > MOST_STEPS; }

static ctiles_database *open_file(const char *path, int flags, char *error) {
  if (!load_sqlite(error)) return NULL;
  ctiles_database *database = calloc(1, sizeof *database);
  if (!database) return NULL;
  if (sqlite.sqlite3_open_v2(path, &database->handle, flags | SQLITE_OPEN_NOMUTEX, NULL) != 0) {
    snprintf(error, CTILES_ERROR_SIZE, "%s", sqlite.sqlite3_errmsg(database->handle));
    ctiles_close(database);
    return NULL;
  }
  // An older SQLite does not have every option and returns an error for it.
  sqlite.sqlite3_db_config(database->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  sqlite.sqlite3_db_config(database->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  sqlite.sqlite3_db_config(database->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
  sqlite.sqlite3_limit(database->handle, SQLITE_LIMIT_LENGTH, LONGEST_BLOB);
  sqlite.sqlite3_limit(database->handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200);
  return database;
}

ctiles_database *ctiles_open(const char *path, char *error) {
  ctiles_database *database = open_file(path, SQLITE_OPEN_READONLY, error);
  if (!database) return NULL;
  sqlite.sqlite3_db_config(database->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
  sqlite.sqlite3_progress_handler(database->handle, 100, count_steps, database);
  return database;
}

ctiles_database *ctiles_create(const char *path, char *error) {
  return open_file(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
}

void ctiles_close(ctiles_database *database) {
  if (database->statement) sqlite.sqlite3_finalize(database->statement);
  sqlite.sqlite3_close_v2(database->handle);
  free(database);
}

int ctiles_run(ctiles_database *database, const char *sql, char *error) {
  if (sqlite.sqlite3_exec(database->handle, sql, NULL, NULL, NULL) == 0) return 1;
  describe(database, error);
  return 0;
}

int ctiles_prepare(ctiles_database *database, const char *sql, const int64_t *numbers, int number_count,
                   const char *text, const uint8_t *blob, size_t blob_size, char *error) {
  if (database->statement) sqlite.sqlite3_finalize(database->statement);
  database->statement = NULL;
  database->steps = 0;
  // The value -1 lets SQLite copy the bytes.
  void (*copy)(void *) = (void (*)(void *))(intptr_t)-1;
  int place = 1, fault = blob_size > LONGEST_BLOB
                             ? 18
                             : sqlite.sqlite3_prepare_v2(database->handle, sql, -1, &database->statement, NULL);
  for (int index = 0; !fault && index < number_count; index++)
    fault = sqlite.sqlite3_bind_int64(database->statement, place++, numbers[index]);
  if (!fault && text) fault = sqlite.sqlite3_bind_text(database->statement, place++, text, -1, copy);
  if (!fault && blob) fault = sqlite.sqlite3_bind_blob(database->statement, place++, blob, (int)blob_size, copy);
  if (!fault) return 1;
  describe(database, error);
  return 0;
}

int ctiles_step(ctiles_database *database, char *error) {
  int code = database->statement ? sqlite.sqlite3_step(database->statement) : SQLITE_DONE;
  if (code == SQLITE_ROW) return 1;
  if (code == SQLITE_DONE) return 0;
  describe(database, error);
  return -1;
}

int64_t ctiles_number(ctiles_database *database, int column) {
  return sqlite.sqlite3_column_int64(database->statement, column);
}

const uint8_t *ctiles_bytes(ctiles_database *database, int column, size_t *count) {
  const void *bytes = sqlite.sqlite3_column_blob(database->statement, column);
  int size = sqlite.sqlite3_column_bytes(database->statement, column);
  *count = bytes && size > 0 ? (size_t)size : 0;
  return bytes;
}
