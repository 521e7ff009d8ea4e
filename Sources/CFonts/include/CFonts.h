// The fonts of labels as bytes, made by Scripts/make-fonts; their licence is in OFL.txt beside them.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Returns the bytes of Noto Sans (0 regular, 1 bold) and their number; NULL and 0 for any other weight.
const uint8_t *cfonts_noto_sans(int weight, size_t *count);
