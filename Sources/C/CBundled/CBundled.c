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
static const uint8_t street_layers[] = {
#embed "streets/layers.json"
};
static const uint8_t street_palettes[] = {
#embed "streets/palettes.json"
};
static const uint8_t street_schemas[] = {
#embed "streets/schemas.json"
};
static const uint8_t street_image_places[] = {
#embed "streets/images.json"
};
static const uint8_t street_images[] = {
#embed "streets/images.png"
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

const uint8_t *cbundled_streets(int file, size_t *count) {
  switch (file) {
  case 0: *count = sizeof street_layers; return street_layers;
  case 1: *count = sizeof street_palettes; return street_palettes;
  case 2: *count = sizeof street_schemas; return street_schemas;
  case 3: *count = sizeof street_image_places; return street_image_places;
  case 4: *count = sizeof street_images; return street_images;
  default: *count = 0; return NULL;
  }
}
