#define _GNU_SOURCE
#include "CCurl.h"
#include "Exchange.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

// Maximum concurrent connections to one host; further exchanges queue. Six is the browsers' limit.
enum { CONNECTIONS_PER_HOST = 6, LONGEST_NAP = 60000 };

// The process-wide engine: one thread and one multi handle, so that connections are shared and kept alive.
static struct {
  pthread_once_t once;
  pthread_mutex_t lock;
  exchange *added;                      // submitted, not yet taken by the thread; newest first
  uint64_t *cancelled;                  // ids of exchanges to cancel
  size_t cancelled_count, cancelled_room;
  CURLM *multi;
  exchange *waiting;                    // in order of submission
  exchange *active;
  int is_ready;
  char error[CCURL_ERROR_SIZE];
} engine = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

static void finish(exchange *e) {
  if (e->easy && e->is_active) curl.curl_multi_remove_handle(engine.multi, e->easy);
  exchange_free(e);
}

static int active_with(const char *host) {
  int count = 0;
  for (exchange *e = engine.active; e; e = e->next) count += strcmp(e->host, host) == 0;
  return count;
}

static void unlink_from(exchange **list, exchange *e) {
  while (*list && *list != e) list = &(*list)->next;
  if (*list) *list = e->next;
}

static exchange *find_id(exchange *list, uint64_t id) {
  while (list && list->id != id) list = list->next;
  return list;
}

// Takes the submitted and the cancelled exchanges under one lock: an id is only cancelled after its exchange was
// submitted.
static void take_requests(void) {
  pthread_mutex_lock(&engine.lock);
  exchange *ordered = NULL;  // `added` is newest first: reverse it
  while (engine.added) {
    exchange *next = engine.added->next;
    engine.added->next = ordered;
    ordered = engine.added;
    engine.added = next;
  }
  exchange **end = &engine.waiting;
  while (*end) end = &(*end)->next;
  *end = ordered;
  while (engine.cancelled_count) {
    uint64_t id = engine.cancelled[--engine.cancelled_count];
    exchange *e = find_id(engine.active, id);
    if (!e) e = find_id(engine.waiting, id);
    if (e) e->is_cancelled = 1;
  }
  pthread_mutex_unlock(&engine.lock);
}

static void end_cancelled(exchange **list) {
  while (*list) {
    exchange *e = *list;
    if (!e->is_cancelled) {
      list = &e->next;
      continue;
    }
    *list = e->next;
    exchange_tell(e, CCURL_CANCELLED, "");
    finish(e);
  }
}

// Starts every waiting exchange whose host has a free connection; ends those whose deadline has passed. Returns the
// milliseconds until the next deadline of an exchange that still waits.
static int64_t start_waiting(void) {
  int64_t nap = LONGEST_NAP, now = exchange_now();
  for (exchange *e = engine.waiting, *next; e; e = next) {
    next = e->next;
    int64_t left = e->deadline - now;
    if (left > 0 && active_with(e->host) >= CONNECTIONS_PER_HOST) {
      if (left < nap) nap = left;
      continue;
    }
    unlink_from(&engine.waiting, e);
    const char *fault = left > 0 ? exchange_prepare(e, left) : "";
    if (!fault && curl.curl_multi_add_handle(engine.multi, e->easy) != CURLM_OK) fault = "libcurl refuses the transfer";
    if (fault) {
      exchange_tell(e, left > 0 ? CCURL_FAILED : CCURL_TIMED_OUT, fault);
      finish(e);
      continue;
    }
    e->is_active = 1;
    e->next = engine.active;
    engine.active = e;
  }
  return nap;
}

// Ends finished exchanges, or retries them. Returns the number of exchanges that ended or were retried.
static int end_done(void) {
  int left, count = 0;
  for (CURLMsg *message; (message = curl.curl_multi_info_read(engine.multi, &left));) {
    if (message->msg != CURLMSG_DONE) continue;
    CURLcode code = message->data.result;
    exchange *e = engine.active;
    while (e && e->easy != message->easy_handle) e = e->next;
    if (!e) continue;
    // Bytes of an earlier answer were left on a kept connection: repeat the request on a new connection.
    if (exchange_is_misread(e, code)) {
      curl.curl_multi_remove_handle(engine.multi, e->easy);
      if (exchange_begin_again(e) && curl.curl_multi_add_handle(engine.multi, e->easy) == CURLM_OK) {
        count++;
        continue;
      }
      e->is_active = 0;
    }
    unlink_from(&engine.active, e);
    exchange_tell_result(e, code);
    finish(e);
    count++;
  }
  return count;
}

static void *run(void *unused) {
  (void)unused;
  for (;;) {
    take_requests();
    end_cancelled(&engine.active);
    end_cancelled(&engine.waiting);
    int64_t nap = start_waiting();
    int running;
    curl.curl_multi_perform(engine.multi, &running);
    if (end_done()) continue;  // a connection may have become free
    curl.curl_multi_poll(engine.multi, NULL, 0, (int)nap, NULL);
  }
  return NULL;
}

static void prepare(void) {
  if (!exchange_load(engine.error)) return;
  if (curl.curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK || !(engine.multi = curl.curl_multi_init())) {
    snprintf(engine.error, sizeof engine.error, "libcurl cannot be started");
    return;
  }
  curl.curl_multi_setopt(engine.multi, CURLMOPT_MAXCONNECTS, 32L);
  // The other threads handle signals; this thread sees a broken pipe as an error code.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int failed = pthread_create(&thread, NULL, run, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failed) {
    snprintf(engine.error, sizeof engine.error, "no thread can be started for HTTP");
    return;
  }
  pthread_detach(thread);
  engine.is_ready = 1;
}

int ccurl_start(uint64_t id, const ccurl_request *request, ccurl_done done, void *context, char *error) {
  pthread_once(&engine.once, prepare);
  exchange *e = engine.is_ready ? exchange_make(id, request, done, context) : NULL;
  if (!e) {
    snprintf(error, CCURL_ERROR_SIZE, "%s", engine.is_ready ? "no memory for the request" : engine.error);
    return 0;
  }
  pthread_mutex_lock(&engine.lock);
  e->next = engine.added;
  engine.added = e;
  pthread_mutex_unlock(&engine.lock);
  curl.curl_multi_wakeup(engine.multi);
  return 1;
}

void ccurl_cancel(uint64_t id) {
  pthread_once(&engine.once, prepare);
  if (!engine.is_ready) return;
  pthread_mutex_lock(&engine.lock);
  if (engine.cancelled_count == engine.cancelled_room) {
    size_t room = engine.cancelled_room ? engine.cancelled_room * 2 : 16;
    uint64_t *more = realloc(engine.cancelled, room * sizeof *more);
    // If allocation fails, the exchange is not cancelled and runs until its timeout.
    if (more) (void)(engine.cancelled = more), engine.cancelled_room = room;
  }
  if (engine.cancelled_count < engine.cancelled_room) engine.cancelled[engine.cancelled_count++] = id;
  pthread_mutex_unlock(&engine.lock);
  curl.curl_multi_wakeup(engine.multi);
}

uint64_t ccurl_new_id(void) {
  static atomic_uint_fast64_t last;
  return atomic_fetch_add(&last, 1) + 1;
}
