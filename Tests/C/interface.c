// Calls every function of mapstate.h from C, also with wrong arguments: interface DOCUMENT FOLDER.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mapstate.h"

#undef assert
#define assert(condition) \
  do { if (!(condition)) { fprintf(stderr, "line %d: %s\n", __LINE__, #condition); exit(1); } } while (0)

static mapstate_answer answer;

static mapstate_result ask(mapstate_session map, const char *step) {
  mapstate_answer_free(&answer);
  return mapstate_request(map, step, strlen(step), &answer);
}

int main(int count, char **arguments) {
  assert(count == 3);
  assert(mapstate_interface_version() == MAPSTATE_INTERFACE_VERSION);
  assert(strchr(mapstate_release(), '.'));

  mapstate_session map = 7;
  assert(mapstate_create("{\"folder\": 3}", 13, &map, &answer) == MAPSTATE_INPUT && map == 0);
  mapstate_answer_free(&answer);
  assert(mapstate_create(NULL, 0, &map, &answer) == MAPSTATE_DONE && map != 0);
  assert(strcmp(answer.json, "{\"ok\":true}") == 0 && answer.json_length == 11 && !answer.data);

  char step[4096];
  snprintf(step, sizeof step, "{\"step\": \"open\", \"source\": \"%s\", \"size\": [200, 100]}", arguments[1]);
  assert(ask(map, step) == MAPSTATE_DONE);
  assert(ask(map, "{\"step\": \"count\", \"bounds\": [5, 45, 15, 55]}") == MAPSTATE_DONE);
  assert(strstr(answer.json, "\"count\":144"));
  assert(ask(map, "{\"step\": \"render\"}") == MAPSTATE_DONE);
  assert(answer.data_length > 100 && memcmp(answer.data, "\x89PNG", 4) == 0);

  assert(ask(map, "{\"step\": \"query\", \"format\": \"arrow\", \"maxFeatures\": 3}") == MAPSTATE_DONE);
  assert(answer.data_length > 100 && memcmp(answer.data, "\xff\xff\xff\xff", 4) == 0);
  assert(strstr(answer.json, "\"count\":3"));

  // A reference is recorded, found again, and missed by another map.
  const char *folder = arguments[2];
  snprintf(step, sizeof step, "{\"step\": \"snapshot\", \"folder\": \"%s/cities\", \"record\": true}", folder);
  assert(ask(map, step) == MAPSTATE_DONE);
  snprintf(step, sizeof step, "{\"step\": \"snapshot\", \"folder\": \"%s/cities\"}", folder);
  assert(ask(map, step) == MAPSTATE_DONE);
  assert(ask(map, "{\"step\": \"filter\", \"definition\": \"POP_RANK = 1\"}") == MAPSTATE_DONE);
  assert(ask(map, step) == MAPSTATE_EXPECTATION);
  assert(strstr(answer.json, "definition expression"));

  assert(ask(map, "{\"step\": \"fly\"}") == MAPSTATE_INPUT && !answer.data);
  assert(mapstate_request(map, NULL, 5, NULL) == MAPSTATE_USAGE);
  assert(mapstate_request(0, "{}", 2, NULL) == MAPSTATE_USAGE);
  mapstate_answer_free(&answer);
  assert(mapstate_request(map, "\xff\xfe", 2, &answer) == MAPSTATE_INPUT);
  assert(mapstate_create("{}", 2, NULL, NULL) == MAPSTATE_DONE);

  // A child of fork() gets an error.
  pid_t child = fork();
  if (child == 0) _exit(mapstate_request(map, "{}", 2, NULL));
  int status;
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == MAPSTATE_USAGE);

  mapstate_destroy(map);
  mapstate_destroy(map);
  assert(ask(map, "{\"step\": \"close\"}") == MAPSTATE_USAGE);
  mapstate_answer_free(&answer);
  mapstate_answer_free(&answer);
  mapstate_answer_free(NULL);
  puts("done");
  return 0;
}
