// Files inside the program: the levels of the basemap and its names, made by Scripts/make/basemap.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Returns the bytes of a level (0 world, 1 continent, 2 country) and their number; NULL and 0 for any other level.
const uint8_t *cbundled_basemap(int level, size_t *count);

// Returns the table of names and its number of bytes.
const uint8_t *cbundled_names(size_t *count);
