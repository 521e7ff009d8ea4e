#include "CFonts.h"

// #embed is part of C23; clang also accepts it in older modes, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t regular[] = {
#embed "NotoSans-Regular.ttf"
};
static const uint8_t bold[] = {
#embed "NotoSans-Bold.ttf"
};
static const uint8_t italic[] = {
#embed "NotoSans-Italic.ttf"
};
static const uint8_t bold_italic[] = {
#embed "NotoSans-BoldItalic.ttf"
};
static const uint8_t condensed[] = {
#embed "NotoSans-Condensed.ttf"
};
static const uint8_t condensed_bold[] = {
#embed "NotoSans-CondensedBold.ttf"
};
static const uint8_t condensed_italic[] = {
#embed "NotoSans-CondensedItalic.ttf"
};
static const uint8_t condensed_bold_italic[] = {
#embed "NotoSans-CondensedBoldItalic.ttf"
};

const uint8_t *cfonts_noto_sans(int style, size_t *count) {
  switch (style) {
  case 0: *count = sizeof regular; return regular;
  case 1: *count = sizeof bold; return bold;
  case 2: *count = sizeof italic; return italic;
  case 3: *count = sizeof bold_italic; return bold_italic;
  case 4: *count = sizeof condensed; return condensed;
  case 5: *count = sizeof condensed_bold; return condensed_bold;
  case 6: *count = sizeof condensed_italic; return condensed_italic;
  case 7: *count = sizeof condensed_bold_italic; return condensed_bold_italic;
  default: *count = 0; return NULL;
  }
}
