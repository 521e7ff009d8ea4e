// The C interface of MapState: a session holds one map, takes requests as JSON, and answers with JSON, images and tables.
//
// Requests are the steps of `mapstate run`, such as {"step": "open", "source": "map.json"}; `mapstate help run` lists
// them. Here, "render" without "output" returns the image in memory, and "query" with "format": "arrow" an Arrow stream.
// A further step, {"step": "snapshot", "folder": …}, compares the image with the reference in a folder, or writes it with
// "record": true. "blank": true allows an image without features; "artifacts" is a folder for the images of a failure.
//
// All functions may be called from several threads. A session answers one request at a time; others wait. Sessions do not
// share state. A request blocks its thread until it is done; a Swift program calls it on a thread of its own, never on a
// thread of tasks. Only mapstate_run_tool ends the process. After fork(), only the parent may call them: in the child, every request
// is an error.
#ifndef MAPSTATE_H
#define MAPSTATE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this interface; it is raised when a function or a structure changes.
#define MAPSTATE_INTERFACE_VERSION 1

/// A session; 0 is none. Numbers are never used twice, so a destroyed session is recognised.
typedef uint64_t mapstate_session;

/// What a function did: 0, or the kind of the error.
///
/// The numbers are the exit codes of the tool.
typedef enum {
  MAPSTATE_DONE = 0,
  /// An expectation failed.
  MAPSTATE_EXPECTATION = 1,
  /// The input is wrong: a file, a document, a filter or a field.
  MAPSTATE_INPUT = 2,
  /// A service failed.
  MAPSTATE_SERVICE = 3,
  /// The request is wrong: a size, a scale, a destroyed session, a null pointer.
  MAPSTATE_USAGE = 64
} mapstate_result;

/// An answer, which the caller frees with mapstate_answer_free.
typedef struct {
  /// The answer as JSON in UTF-8, with a zero byte at the end; NULL before the first answer.
  ///
  /// A failed request has "ok": false, "error", "kind", and, where known, "detail", "path" and "suggestion".
  char *json;
  /// The number of bytes of json, without the zero byte.
  size_t json_length;
  /// The PNG file of the step "render", or the Arrow stream of the step "query" with "format": "arrow"; NULL for others.
  uint8_t *data;
  /// The number of bytes of data.
  size_t data_length;
} mapstate_answer;

/// Returns the version of the interface of the library, to compare with MAPSTATE_INTERFACE_VERSION.
int32_t mapstate_interface_version(void);

/// Returns the version of MapState, such as "0.1.0"; the text is never freed.
const char *mapstate_release(void);

/// Creates a session.
///
/// options is a JSON object or NULL. Its members: "folder" (where sources are looked up first), "allowPath" (a list of
/// folders that documents may read), "services" (a file with replacements for services), "allowHttp", "allowPrivate",
/// "online" and "offline" (true or false), "portal" (the address of the portal whose items documents name),
/// "maxDownload" (the greatest number of bytes that are fetched from a file on a server), "record", "replay" (folders) and "threads" (the number of painting threads; all cores by default).
/// length is the number of bytes of options. answer receives the error; on success its json is {"ok":true}.
mapstate_result mapstate_create(
    const char *options, size_t length, mapstate_session *session, mapstate_answer *answer);

/// Performs a step and returns when it is done.
///
/// length is the number of bytes of step. A failed step leaves the session as it was.
mapstate_result mapstate_request(
    mapstate_session session, const char *step, size_t length, mapstate_answer *answer);

/// Cancels the request of a session that is in progress, from another thread; it fails as soon as it can.
///
/// Without a request, it does nothing.
void mapstate_cancel(mapstate_session session);

/// Gives the number of images or tiles that the request in progress has made, and that of all: 0 of 0 for a request that
/// makes no series and no tiles. It may be called from another thread; NULL is allowed.
void mapstate_progress(mapstate_session session, uint64_t *done, uint64_t *count);

/// Runs the command-line tool in this process, with the words of its command line: the name of the program and then
/// its arguments. It ends the process with the exit code of the tool, and is for programs that do nothing else.
int32_t mapstate_run_tool(const char *const *words, size_t count);

/// Frees the memory of an answer and empties it; an empty answer and NULL are allowed.
void mapstate_answer_free(mapstate_answer *answer);

/// Destroys a session; an unknown or destroyed session is ignored. A request in progress is completed.
void mapstate_destroy(mapstate_session session);

#ifdef __cplusplus
}
#endif

#endif
