// bounds FOLDER RUNS WORKLOAD: runs the jobs of a workload with 1 and 2 threads; prints one JSON line for each.
#include "bounds.h"
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

const char *folder;
int threads = 1;
static char facts[256];

void fail(const char *text) {
  fprintf(stderr, "error: %s\n", text);
  exit(1);
}

void fact(const char *name, double value) {
  size_t used = strlen(facts);
  snprintf(facts + used, sizeof facts - used, ", \"%s\": %.10g", name, value);
}

void *load(const char *name, const char *suffix, size_t *bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
  struct stat status;
  FILE *file = fopen(path, "rb");
  check(file != NULL && fstat(fileno(file), &status) == 0, path);
  *bytes = (size_t)status.st_size;
  void *content = malloc(*bytes);
  check(content != NULL && fread(content, 1, *bytes, file) == *bytes, path);
  fclose(file);
  return content;
}

typedef struct {
  void (*body)(int thread);
  int thread;
} Call;

static void *call(void *pointer) {
  Call *own = pointer;
  own->body(own->thread);
  return NULL;
}

void parallel(void (*body)(int thread)) {
  pthread_t others[MOST_THREADS];
  Call calls[MOST_THREADS];
  for (int thread = 1; thread < threads; thread++) {
    calls[thread] = (Call){body, thread};
    check(pthread_create(&others[thread], NULL, call, &calls[thread]) == 0, "no thread");
  }
  body(0);
  for (int thread = 1; thread < threads; thread++) pthread_join(others[thread], NULL);
}

static double milliseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(const Job *job, int runs) {
  double wall[runs], processor[runs];
  job->prepare();
  for (threads = 1; threads <= MOST_THREADS; threads++) {
    job->run();
    for (int run = 0; run < runs; run++) {
      wall[run] = -milliseconds(CLOCK_MONOTONIC), processor[run] = -milliseconds(CLOCK_PROCESS_CPUTIME_ID);
      job->run();
      wall[run] += milliseconds(CLOCK_MONOTONIC), processor[run] += milliseconds(CLOCK_PROCESS_CPUTIME_ID);
    }
    facts[0] = 0;
    job->check();
    qsort(wall, runs, sizeof *wall, ascending);
    qsort(processor, runs, sizeof *processor, ascending);
    printf("{\"peer\": \"%s, %d thread%s\", \"wl\": \"%s\", \"what\": \"%s\", \"min\": %.4g, \"med\": %.4g, "
           "\"processor\": %.4g%s}\n", job->program, threads, threads > 1 ? "s" : "", job->workload, job->what, wall[0],
           wall[runs / 2], processor[runs / 2], facts);
  }
  threads = 1;
}

int main(int count, char **arguments) {
  check(count == 4 && atoi(arguments[2]) > 0, "usage: bounds FOLDER RUNS WORKLOAD");
  folder = arguments[1];
  const Job *jobs[] = {circlesJobs, circlesJobs + 1, circlesJobs + 2, shapesJobs, shapesJobs + 1, shapesJobs + 2,
                       pngJobs, statisticsJobs, csvJobs};
  for (size_t job = 0; job < sizeof jobs / sizeof *jobs; job++)
    if (strcmp(jobs[job]->workload, arguments[3]) == 0) measure(jobs[job], atoi(arguments[2]));
}
