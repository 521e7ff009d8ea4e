#if Labels
  internal import CFonts
  internal import CHarfBuzz
  internal import MapDrawing
  internal import MapModel

  /// A HarfBuzz font over bytes inside the program, scaled so that HarfBuzz units are the font's own units.
  ///
  /// Owns one reference to the font, which owns its face and blob. `deinit` releases it.
  @safe final class FontFace: Sendable {
    /// The font, made immutable in `init`; HarfBuzz lets any number of threads read an immutable font.
    nonisolated(unsafe) private let font: OpaquePointer
    private let unitsPerEm: Double

    /// Creates the font of a weight.
    init(notoSans weight: TextSymbol.FontWeight) {
      var count = 0
      // The bytes are constants of the program: they outlive the blob, which neither copies nor frees them.
      let bytes = unsafe cfonts_noto_sans(weight == .bold ? 1 : 0, &count)
      let size = UInt32(clamping: count)
      let blob = unsafe bytes?.withMemoryRebound(to: CChar.self, capacity: count) { chars in
        unsafe hb_blob_create(chars, size, HB_MEMORY_MODE_READONLY, nil, nil)
      }
      // HarfBuzz never returns NULL: when memory runs out it returns an inert empty object, which shapes to nothing.
      // The face takes a reference to the blob and the font takes one to the face, so this function releases its own
      // here.
      let face = unsafe hb_face_create(blob, 0)
      unsafe hb_blob_destroy(blob)
      let upem = unsafe hb_face_get_upem(face)
      let font: OpaquePointer = unsafe hb_font_create(face)
      unsafe hb_face_destroy(face)
      unsafe hb_font_set_scale(font, Int32(clamping: upem), Int32(clamping: upem))
      unsafe hb_font_make_immutable(font)
      unsafe self.font = font
      unitsPerEm = Double(max(upem, 1))
    }

    deinit { unsafe hb_font_destroy(font) }

    static var libraryVersion: String {
      guard let text = unsafe hb_version_string() else { return "" }
      return unsafe String(cString: text)
    }

    /// Shapes a line from left to right, one script run after another.
    ///
    /// - Cost: O(characters).
    func shape(_ line: String) -> ShapedLine {
      let scalars = Array(line.unicodeScalars)
      var glyphs: [ShapedLine.Glyph] = []
      var missing: [Unicode.Scalar] = []
      var pen = 0.0
      // The buffer belongs to this call, so no other thread uses it.
      let buffer = unsafe hb_buffer_create()
      defer { unsafe hb_buffer_destroy(buffer) }
      for run in ScriptRun.runs(of: scalars) {
        unsafe hb_buffer_clear_contents(buffer)
        for index in run.range { unsafe hb_buffer_add(buffer, scalars[index].value, UInt32(clamping: index)) }
        // Each character keeps its own cluster, so that a missing mark is distinguished from the letter below it.
        unsafe hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_CHARACTERS)
        unsafe hb_buffer_set_content_type(buffer, HB_BUFFER_CONTENT_TYPE_UNICODE)
        unsafe hb_buffer_set_script(buffer, run.script)
        unsafe hb_buffer_set_direction(buffer, HB_DIRECTION_LTR)
        // No language is set: the machine's language would change which glyphs a font prefers.
        unsafe hb_shape(font, buffer, nil, 0)
        unsafe append(buffer, from: scalars, &glyphs, &missing, &pen)
      }
      return ShapedLine(glyphs: glyphs, advance: pen / unitsPerEm, missing: missing)
    }

    @unsafe private func append(
      _ buffer: OpaquePointer?, from scalars: [Unicode.Scalar], _ glyphs: inout [ShapedLine.Glyph],
      _ missing: inout [Unicode.Scalar], _ pen: inout Double
    ) {
      var (count, placed) = (UInt32(0), UInt32(0))
      // Both arrays belong to the buffer and are valid until it is changed.
      guard let infos = unsafe hb_buffer_get_glyph_infos(buffer, &count),
        let positions = unsafe hb_buffer_get_glyph_positions(buffer, &placed), count == placed
      else { return }
      for index in 0..<Int(count) {
        let (info, position) = unsafe (infos[index], positions[index])
        glyphs.append(
          ShapedLine.Glyph(
            glyph: info.codepoint, x: (pen + Double(position.x_offset)) / unitsPerEm,
            y: Double(position.y_offset) / unitsPerEm))
        pen += Double(position.x_advance)
        // Glyph 0 is the box for characters that the font lacks; its cluster is the index of its first character.
        if info.codepoint == 0, Int(info.cluster) < scalars.count {
          missing.append(scalars[Int(info.cluster)])
        }
      }
    }

    /// Returns the outline of a glyph; an empty one for a glyph that the font lacks.
    func outline(of glyph: UInt32) -> GlyphOutline {
      var pen = OutlinePen(unitsPerEm: unitsPerEm)
      unsafe withUnsafeMutablePointer(to: &pen) { pen in
        unsafe charfbuzz_draw_glyph(font, glyph, OutlinePen.functions, pen)
      }
      return GlyphOutline(steps: pen.steps)
    }
  }
#endif
