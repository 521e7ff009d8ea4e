#include "CBundled.h"

// #embed is part of C23; clang also accepts it in older modes, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t world[] = {
#embed "world.nebm"
};
static const uint8_t continent[] = {
#embed "continent.nebm"
};
static const uint8_t country[] = {
#embed "country.nebm"
};
static const uint8_t names[] = {
#embed "names.tsv"
};

const uint8_t *cbundled_names(size_t *count) {
  *count = sizeof names;
  return names;
}

const uint8_t *cbundled_basemap(int level, size_t *count) {
  switch (level) {
  case 0: *count = sizeof world; return world;
  case 1: *count = sizeof continent; return continent;
  case 2: *count = sizeof country; return country;
  default: *count = 0; return NULL;
  }
}
