// Performs the steps of its arguments in one session with one thread, for Scripts/checks/instructions.
#include <stdio.h>
#include <string.h>

#include "mapstate.h"

int main(int count, char **arguments) {
  const char *options = "{\"threads\": 1}";
  mapstate_session map = 0;
  mapstate_answer answer = {0};
  mapstate_result result = mapstate_create(options, strlen(options), &map, &answer);
  for (int index = 1; index < count && result == MAPSTATE_DONE; index++) {
    mapstate_answer_free(&answer);
    result = mapstate_request(map, arguments[index], strlen(arguments[index]), &answer);
  }
  if (result != MAPSTATE_DONE) fprintf(stderr, "error: %s\n", answer.json ? answer.json : "no session");
  mapstate_answer_free(&answer);
  mapstate_destroy(map);
  return result;
}
