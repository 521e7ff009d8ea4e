#include <cairo.h>
#include <cairo-pdf.h>
// For mallopt, which is missing from Swift's module of the C library.
#include <malloc.h>
