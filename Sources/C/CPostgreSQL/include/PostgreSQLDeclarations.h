// The part of libpq's C interface in use. These are our own declarations; libpq's header is not needed.
//
// Source: https://www.postgresql.org/docs/15/libpq.html; the number in the library's file name, 5, stands for this
// interface. Scripts/checks/declarations compares the declarations with libpq's header, where it is installed.
#pragma once

// X(result, name, parameters)
#define CPOSTGRESQL_FUNCTIONS(X) \
  X(PGconn *, PQconnectStartParams, (const char *const *, const char *const *, int)) \
  X(PostgresPollingStatusType, PQconnectPoll, (PGconn *)) \
  X(ConnStatusType, PQstatus, (const PGconn *)) \
  X(char *, PQerrorMessage, (const PGconn *)) \
  X(int, PQsocket, (const PGconn *)) \
  X(int, PQserverVersion, (const PGconn *)) \
  X(void, PQfinish, (PGconn *)) \
  X(PQnoticeProcessor, PQsetNoticeProcessor, (PGconn *, PQnoticeProcessor, void *)) \
  X(int, PQsendQuery, (PGconn *, const char *)) \
  X(int, PQsendQueryParams, (PGconn *, const char *, int, const Oid *, const char *const *, const int *, const int *, \
      int)) \
  X(int, PQsetSingleRowMode, (PGconn *)) \
  X(int, PQconsumeInput, (PGconn *)) \
  X(int, PQisBusy, (PGconn *)) \
  X(PGresult *, PQgetResult, (PGconn *)) \
  X(ExecStatusType, PQresultStatus, (const PGresult *)) \
  X(char *, PQresultErrorMessage, (const PGresult *)) \
  X(char *, PQresultErrorField, (const PGresult *, int)) \
  X(int, PQntuples, (const PGresult *)) \
  X(int, PQnfields, (const PGresult *)) \
  X(int, PQgetisnull, (const PGresult *, int, int)) \
  X(char *, PQgetvalue, (const PGresult *, int, int)) \
  X(int, PQgetlength, (const PGresult *, int, int)) \
  X(void, PQclear, (PGresult *)) \
  X(int, PQgetCopyData, (PGconn *, char **, int)) \
  X(void, PQfreemem, (void *))

// X(name, value)
#define CPOSTGRESQL_NUMBERS(X) \
  X(CONNECTION_OK, 0) X(CONNECTION_BAD, 1) \
  X(PGRES_POLLING_FAILED, 0) X(PGRES_POLLING_READING, 1) X(PGRES_POLLING_WRITING, 2) X(PGRES_POLLING_OK, 3) \
  X(PGRES_COMMAND_OK, 1) X(PGRES_TUPLES_OK, 2) X(PGRES_COPY_OUT, 3) X(PGRES_SINGLE_TUPLE, 9) \
  X(PG_DIAG_SQLSTATE, 67)

#ifndef CPOSTGRESQL_COMPARED
typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int PostgresPollingStatusType, ConnStatusType, ExecStatusType, Oid;
typedef void (*PQnoticeProcessor)(void *, const char *);
CPOSTGRESQL_NUMBERS(CPOSTGRESQL_NUMBER)
#endif
