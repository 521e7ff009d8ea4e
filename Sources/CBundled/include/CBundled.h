// Files that are part of the program: the levels of the basemap, made by Scripts/make-basemap.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The bytes of a level, 0 world, 1 continent, 2 country, and how many; NULL and 0 for any other.
const uint8_t *cbundled_basemap(int level, size_t *count);
