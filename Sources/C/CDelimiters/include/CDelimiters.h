// Finds the bytes of delimited text that may end a field, 64 at once.
// This is C because Swift has no operation that collects the results of 16 comparisons in one integer.
#pragma once

#include <stdint.h>

// Returns a bit for each of 64 bytes, the lowest for the first: whether it is the delimiter, a quotation mark, or a line
// feed or carriage return.
uint64_t cdelimiters_marks(const uint8_t *bytes, uint8_t delimiter);
