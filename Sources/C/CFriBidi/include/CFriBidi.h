// The order of right-to-left text, by FriBidi, which is opened when it is first needed.
#pragma once

#include <stdint.h>

// The size in bytes of the buffer for an error text.
enum cfribidi_sizes { CFRIBIDI_ERROR_SIZE = 512 };

// Writes the embedding level of each character (UAX 9) of a line, whose direction is that of its first letter.
//
// Returns 0 and writes a text to `error` when FriBidi is missing or out of memory. Any number of threads may call it.
int cfribidi_levels(const uint32_t *characters, int count, int8_t *levels, char *error);
