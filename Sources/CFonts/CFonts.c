#include "CFonts.h"

// #embed is part of C23; clang also accepts it in older modes, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t regular[] = {
#embed "NotoSans-Regular.ttf"
};
static const uint8_t bold[] = {
#embed "NotoSans-Bold.ttf"
};

const uint8_t *cfonts_noto_sans(int weight, size_t *count) {
  switch (weight) {
  case 0: *count = sizeof regular; return regular;
  case 1: *count = sizeof bold; return bold;
  default: *count = 0; return NULL;
  }
}
