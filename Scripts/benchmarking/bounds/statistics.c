// Seven statistics of `pop` by two fields over 10 million rows: S1.
#include "bounds.h"
#include <math.h>

enum { GROUPS = 128, COPIES = 4 };
typedef struct {
  double count, sum, squares, least, most;
} Moments;
typedef struct {
  double count, sum, least, most, mean, deviation, variance;
} Statistics;

static const int8_t *kinds, *ranks;
static const double *values;
static size_t rowCount;
static Moments partial[MOST_THREADS][COPIES][GROUPS];
static Statistics results[GROUPS];
static const double pivot = 3000;  // sums of distances to a typical value keep more digits

static void prepare(void) {
  size_t bytes;
  kinds = load("p10m.cat", ".i8", &bytes), ranks = load("p10m.rank", ".i8", &rowCount);
  values = load("p10m.pop", ".f64", &bytes);
  check(bytes == 8 * rowCount, "the columns differ in length");
}

// A null is NaN. Rows go to several copies in turn, because rows of one group would wait for each other.
static void collect(int thread) {
  Moments(*to)[GROUPS] = partial[thread];
  for (int copy = 0; copy < COPIES; copy++)
    for (int group = 0; group < GROUPS; group++) to[copy][group] = (Moments){0, 0, 0, INFINITY, -INFINITY};
  size_t end = rowCount * (thread + 1) / threads;
  for (size_t row = rowCount * thread / threads; row < end; row++) {
    double value = values[row], distance = value - pivot;
    if (isnan(value)) continue;
    Moments *group = &to[row % COPIES][kinds[row] * 8 + ranks[row]];
    group->count += 1;
    group->sum += distance;
    group->squares += distance * distance;
    group->least = value < group->least ? value : group->least;
    group->most = value > group->most ? value : group->most;
  }
}

static void run(void) {
  parallel(collect);
  for (int group = 0; group < GROUPS; group++) {
    Moments all = {0, 0, 0, INFINITY, -INFINITY};
    for (int copy = 0; copy < threads * COPIES; copy++) {
      Moments one = partial[copy / COPIES][copy % COPIES][group];
      all.count += one.count, all.sum += one.sum, all.squares += one.squares;
      all.least = fmin(all.least, one.least), all.most = fmax(all.most, one.most);
    }
    double variance = (all.squares - all.sum * all.sum / all.count) / (all.count - 1);
    results[group] = (Statistics){all.count, all.sum + pivot * all.count, all.least, all.most,
                                  all.sum / all.count + pivot, sqrt(variance), variance};
  }
}

// Compares with numpy's statistics of the 84 groups.
static void checkGroups(void) {
  size_t bytes;
  double *expected = load("bounds/p10m", ".statistics", &bytes), *own = (double *)results;
  check(bytes == sizeof results, "the number of groups differs");
  int groups = 0;
  for (int group = 0; group < GROUPS; group++) groups += results[group].count > 0;
  for (int value = 0; value < GROUPS * 7; value++)
    check(results[value / 7].count == expected[value / 7 * 7], "a count differs"),
    check(results[value / 7].count == 0 || fabs(own[value] / expected[value] - 1) < 1e-11, "a statistic differs");
  fact("groups", groups);
}

const Job statisticsJobs[1] = {{"C", "S1", "10m", prepare, run, checkGroups}};
