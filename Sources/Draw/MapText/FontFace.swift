#if Labels
  internal import CFonts
  internal import CHarfBuzz
  internal import MapDrawing
  internal import MapModel

  /// A HarfBuzz font, scaled so that HarfBuzz units are the font's own units.
  ///
  /// Owns one reference to the font, which owns its face and blob. `deinit` releases it.
  @safe final class FontFace: Sendable {
    /// The font, made immutable in `init`; HarfBuzz lets any number of threads read an immutable font.
    nonisolated(unsafe) private let font: OpaquePointer
    private let unitsPerEm: Double
    /// The number of glyphs; 0 for bytes that are no font.
    let glyphCount: Int
    /// The family in the font's name table; empty without one.
    let family: String
    /// Whether the style's name says bold, and whether it says italic or oblique.
    let (isBold, isItalic): (Bool, Bool)

    /// Creates the bundled font of a style, see `cfonts_noto_sans`.
    convenience init(notoSans style: Int32) {
      var count = 0
      // The bytes are constants of the program: they outlive the blob, which neither copies nor frees them.
      let bytes = unsafe cfonts_noto_sans(style, &count)
      let size = UInt32(clamping: count)
      let blob = unsafe bytes?.withMemoryRebound(to: CChar.self, capacity: count) { chars in
        unsafe hb_blob_create(chars, size, HB_MEMORY_MODE_READONLY, nil, nil)
      }
      unsafe self.init(blob)
    }

    /// Creates the first font of a file's bytes, which HarfBuzz copies.
    ///
    /// HarfBuzz checks every table before it reads it, and drops tables that are damaged.
    convenience init(_ bytes: [UInt8]) {
      let blob = unsafe bytes.withUnsafeBytes { buffer in
        unsafe hb_blob_create(
          buffer.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(clamping: buffer.count),
          HB_MEMORY_MODE_DUPLICATE, nil, nil)
      }
      unsafe self.init(blob)
    }

    /// Creates a font from a blob, and releases the caller's reference to it.
    @unsafe private init(_ blob: OpaquePointer?) {
      // HarfBuzz never returns NULL: when memory runs out it returns an inert empty object, which shapes to nothing.
      // The face takes a reference to the blob and the font takes one to the face, so this function releases its own
      // here.
      let face = unsafe hb_face_create(blob, 0)
      unsafe hb_blob_destroy(blob)
      let upem = unsafe hb_face_get_upem(face)
      glyphCount = Int(unsafe hb_face_get_glyph_count(face))
      // The typographic names, which are missing when they equal the others.
      let typographic = unsafe Self.name(face, 16)
      family = typographic.isEmpty ? unsafe Self.name(face, 1) : typographic
      let style = typographic.isEmpty ? unsafe Self.name(face, 2) : unsafe Self.name(face, 17)
      let words = style.lowercased()
      (isBold, isItalic) = (words.contains("bold"), words.contains("italic") || words.contains("oblique"))
      let font: OpaquePointer = unsafe hb_font_create(face)
      unsafe hb_face_destroy(face)
      unsafe hb_font_set_scale(font, Int32(clamping: upem), Int32(clamping: upem))
      unsafe hb_font_make_immutable(font)
      unsafe self.font = font
      unitsPerEm = Double(max(upem, 1))
    }

    deinit { unsafe hb_font_destroy(font) }

    /// Returns a name of a face in English; empty if it has none.
    @unsafe private static func name(_ face: OpaquePointer?, _ id: UInt32) -> String {
      var size = UInt32(256)
      return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        guard let start = buffer.baseAddress else { return "" }
        unsafe buffer.initialize(repeating: 0)
        _ = unsafe hb_ot_name_get_utf8(face, id, hb_language_from_string("en", -1), &size, start)
        return unsafe String(cString: start)
      }
    }

    static var libraryVersion: String {
      guard let text = unsafe hb_version_string() else { return "" }
      return unsafe String(cString: text)
    }

    /// Returns whether the font has a glyph for a character.
    func has(_ scalar: Unicode.Scalar) -> Bool {
      var glyph: hb_codepoint_t = 0
      return unsafe hb_font_get_nominal_glyph(font, scalar.value, &glyph) != 0
    }

    /// Appends the glyphs of a run to a line, from left to right.
    ///
    /// - Parameters:
    ///   - number: the number of this font in the line's chain, which becomes part of its glyphs.
    ///   - slant: the shift to the right of a point one em above the baseline, in ems.
    ///   - isKerned: whether the spaces between letters are adjusted.
    ///   - pen: the end of the line in ems.
    /// - Cost: O(characters).
    func append(
      _ run: TextRun, of scalars: [Unicode.Scalar], number: Int, slant: Double, isKerned: Bool,
      to glyphs: inout [ShapedLine.Glyph], missing: inout [Unicode.Scalar], pen: inout Double
    ) {
      // The buffer belongs to this call, so no other thread uses it.
      let buffer = unsafe hb_buffer_create()
      defer { unsafe hb_buffer_destroy(buffer) }
      for index in run.range { unsafe hb_buffer_add(buffer, scalars[index].value, UInt32(clamping: index)) }
      // Each character keeps its own cluster, so that a missing mark is distinguished from the letter below it.
      unsafe hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_CHARACTERS)
      unsafe hb_buffer_set_content_type(buffer, HB_BUFFER_CONTENT_TYPE_UNICODE)
      unsafe hb_buffer_set_script(buffer, run.script)
      unsafe hb_buffer_set_direction(buffer, run.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
      // No language is set: the machine's language would change which glyphs a font prefers.
      if isKerned {
        unsafe hb_shape(font, buffer, nil, 0)
      } else {
        // The tag "kern", switched off for the whole text.
        let kerning = hb_feature_t(tag: 0x6B65_726E, value: 0, start: 0, end: .max)
        unsafe withUnsafePointer(to: kerning) { unsafe hb_shape(font, buffer, $0, 1) }
      }
      var (count, placed) = (UInt32(0), UInt32(0))
      // Both arrays belong to the buffer and are valid until it is changed.
      guard let infos = unsafe hb_buffer_get_glyph_infos(buffer, &count),
        let positions = unsafe hb_buffer_get_glyph_positions(buffer, &placed), count == placed
      else { return }
      var units = 0.0
      for index in 0..<Int(count) {
        let (info, position) = unsafe (infos[index], positions[index])
        let y = Double(position.y_offset) / unitsPerEm
        glyphs.append(
          ShapedLine.Glyph(
            glyph: FontChain.glyph(info.codepoint, ofFace: number),
            x: pen + (units + Double(position.x_offset)) / unitsPerEm + slant * y, y: y,
            advance: Double(position.x_advance) / unitsPerEm, character: Int(info.cluster)))
        units += Double(position.x_advance)
        // Glyph 0 is the box for characters that the font lacks; its cluster is the index of its first character.
        if info.codepoint == 0, Int(info.cluster) < scalars.count {
          missing.append(scalars[Int(info.cluster)])
        }
      }
      pen += units / unitsPerEm
    }

    /// Returns the outline of a glyph; an empty one for a glyph that the font lacks.
    func outline(of glyph: UInt32, slant: Double) -> GlyphOutline {
      var pen = OutlinePen(unitsPerEm: unitsPerEm, slant: slant)
      unsafe withUnsafeMutablePointer(to: &pen) { pen in
        unsafe charfbuzz_draw_glyph(font, glyph, OutlinePen.functions, pen)
      }
      let advance = unsafe Double(hb_font_get_glyph_h_advance(font, glyph)) / unitsPerEm
      return GlyphOutline(steps: pen.steps, advance: advance)
    }
  }
#endif
