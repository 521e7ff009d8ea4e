// The fonts of labels as bytes, made by Scripts/make-fonts; their licence is OFL.txt beside them.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The bytes of Noto Sans, 0 regular, 1 bold, and how many; NULL and 0 for any other.
const uint8_t *cfonts_noto_sans(int weight, size_t *count);
