// C programs for one job of the benchmark each, to compare MapState with.
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1024, HEIGHT = 768, MOST_THREADS = 2 };

// A job with its names in the results: `prepare` is called once, then `run` is timed, then `check` reads the answer.
typedef struct {
  const char *program, *workload, *what;
  void (*prepare)(void), (*run)(void), (*check)(void);
} Job;
extern const Job circlesJobs[3], shapesJobs[3], pngJobs[1], statisticsJobs[1], csvJobs[1];

// The folder of the data, and the number of threads of this run; a call of `body` on each of them.
extern const char *folder;
extern int threads;
void parallel(void (*body)(int thread));

// Ends the program with the text, for `check` when the condition is false.
_Noreturn void fail(const char *text);
static inline void check(int condition, const char *text) {
  if (!condition) fail(text);
}
// Adds a number to the job's output.
void fact(const char *name, double value);
// The bytes of the file FOLDER/NAME+SUFFIX, and their number.
void *load(const char *name, const char *suffix, size_t *bytes);

// Draws the circles of R1b.
void drawFewCircles(uint8_t *rgba);
// Encodes an image as PNG on all threads, or as the given thread only; returns the size.
enum { ALL_THREADS = -1, PNG_SPACE = WIDTH * HEIGHT * 4 + 65536 };
size_t encode(const uint8_t *rgba, int width, int height, uint8_t *png, int thread);
// Checks with libpng that the PNG has these pixels.
void checkPNG(const uint8_t *png, size_t bytes, const uint8_t *rgba);
// Writes an image of WIDTH x HEIGHT to FOLDER/bounds.
void savePNG(const char *name, const uint8_t *rgba);
