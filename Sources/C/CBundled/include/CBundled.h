// Files inside the program: the levels of the basemap and its names, made by Scripts/make/basemap, and the street styles.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Returns the bytes of a level (0 world, 1 continent, 2 country) and their number; NULL and 0 for any other level.
const uint8_t *cbundled_basemap(int level, size_t *count);

// Returns the table of names and its number of bytes.
const uint8_t *cbundled_names(size_t *count);

// Returns the bytes of a file of the street styles (0 layers, 1 palettes, 2 schemas, 3 the places of the images, 4 the
// images) and their number; NULL and 0 for any other file.
const uint8_t *cbundled_streets(int file, size_t *count);
