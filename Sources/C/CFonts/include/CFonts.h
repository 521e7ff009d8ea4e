// The fonts of labels as bytes, made by Scripts/make/fonts; their licence is in OFL.txt beside them.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Returns the bytes of a style of Noto Sans and their number; NULL and 0 for any other style.
// 0 regular, 1 bold, 2 italic, 3 bold italic, 4 to 7 the same, condensed.
const uint8_t *cfonts_noto_sans(int style, size_t *count);
