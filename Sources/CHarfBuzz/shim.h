#pragma once

#include <hb.h>
#include <hb-ot.h>

// Hands a glyph's outline to `functions`; HarfBuzz 7 gave the call another name.
static inline void charfbuzz_draw_glyph(hb_font_t *font, hb_codepoint_t glyph, hb_draw_funcs_t *functions, void *data) {
#if HB_VERSION_ATLEAST(7, 0, 0)
  hb_font_draw_glyph(font, glyph, functions, data);
#else
  hb_font_get_glyph_shape(font, glyph, functions, data);
#endif
}
