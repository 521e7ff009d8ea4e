// The part of SQLite's C interface in use. These are our own declarations; SQLite's header is not needed.
//
// Source: https://www.sqlite.org/c3ref/intro.html, which promises that functions and numbers stay as they are.
// Scripts/checks/declarations compares them with SQLite's header, where it is installed.
#pragma once

// X(result, name, parameters)
#define CGEOSPATIAL_SQLITE(X) \
  X(int, sqlite3_open_v2, (const char *, sqlite3 **, int, const char *)) \
  X(int, sqlite3_close_v2, (sqlite3 *)) \
  X(int, sqlite3_prepare_v2, (sqlite3 *, const char *, int, sqlite3_stmt **, const char **)) \
  X(int, sqlite3_step, (sqlite3_stmt *)) \
  X(int, sqlite3_finalize, (sqlite3_stmt *)) \
  X(int, sqlite3_bind_text, (sqlite3_stmt *, int, const char *, int, void (*)(void *))) \
  X(int, sqlite3_column_type, (sqlite3_stmt *, int)) \
  X(sqlite3_int64, sqlite3_column_int64, (sqlite3_stmt *, int)) \
  X(const unsigned char *, sqlite3_column_text, (sqlite3_stmt *, int)) \
  X(int, sqlite3_column_bytes, (sqlite3_stmt *, int)) \
  X(const char *, sqlite3_errmsg, (sqlite3 *)) \
  X(int, sqlite3_set_authorizer, (sqlite3 *, int (*)(void *, int, const char *, const char *, const char *, \
      const char *), void *)) \
  X(void, sqlite3_progress_handler, (sqlite3 *, int, int (*)(void *), void *)) \
  X(int, sqlite3_limit, (sqlite3 *, int, int))

// The one function with a variable number of arguments, which Swift cannot call.
#define CGEOSPATIAL_SQLITE_VARIADIC(X) X(int, sqlite3_db_config, (sqlite3 *, int, ...))

// X(name, value)
#define CGEOSPATIAL_SQLITE_NUMBERS(X) \
  X(SQLITE_OK, 0) X(SQLITE_ROW, 100) X(SQLITE_DONE, 101) X(SQLITE_INTEGER, 1) X(SQLITE_TEXT, 3) \
  X(SQLITE_OPEN_READONLY, 1) X(SQLITE_OPEN_URI, 64) X(SQLITE_OPEN_NOMUTEX, 32768) \
  X(SQLITE_DBCONFIG_ENABLE_TRIGGER, 1003) X(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1006) \
  X(SQLITE_DBCONFIG_DEFENSIVE, 1010) X(SQLITE_DBCONFIG_ENABLE_VIEW, 1015) X(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1017) \
  X(SQLITE_LIMIT_LENGTH, 0) X(SQLITE_LIMIT_ATTACHED, 7) X(SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 8) \
  X(SQLITE_DENY, 1) X(SQLITE_READ, 20) X(SQLITE_SELECT, 21) X(SQLITE_FUNCTION, 31) X(SQLITE_RECURSIVE, 33)

#ifndef CGEOSPATIAL_COMPARED
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef long long sqlite3_int64;
CGEOSPATIAL_SQLITE_NUMBERS(CGEOSPATIAL_NUMBER)
#endif
