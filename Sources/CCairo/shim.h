#include <cairo.h>
// mallopt, which Swift's module of the C library leaves out.
#include <malloc.h>
