// Finds the bytes of delimited text that may end a field, 64 at once.
// This is C because Swift has no instruction that makes a number of the comparison of 16 bytes.
#pragma once

#include <stdint.h>

// Returns a bit for each of 64 bytes, the lowest for the first: whether it is the delimiter, a quotation mark, or a line
// feed or carriage return.
uint64_t cdelimiters_marks(const uint8_t *bytes, uint8_t delimiter);
