#if Labels
  internal import CHarfBuzz
  internal import MapDrawing

  /// A recorder of a glyph's outline, step by step as HarfBuzz draws it.
  struct OutlinePen {
    let unitsPerEm: Double
    var steps: [GlyphOutline.Step] = []

    init(unitsPerEm: Double) { self.unitsPerEm = unitsPerEm }

    private func em(_ units: Float) -> Double { Double(units) / unitsPerEm }

    /// Returns the pen behind the pointer from ``FontFace/outline(of:)``, which is valid while HarfBuzz draws.
    @unsafe private static func pen(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<OutlinePen>? {
      unsafe data?.assumingMemoryBound(to: OutlinePen.self)
    }

    /// The functions that HarfBuzz calls: one immutable set for all threads, never freed.
    ///
    /// Quadratic curves have no function, because HarfBuzz converts them to cubic ones.
    nonisolated(unsafe) static let functions: OpaquePointer? = {
      let functions: OpaquePointer? = unsafe hb_draw_funcs_create()
      unsafe hb_draw_funcs_set_move_to_func(
        functions,
        { _, data, _, x, y, _ in
          guard let pen = unsafe pen(data) else { return }
          unsafe pen.pointee.steps.append(.move(x: pen.pointee.em(x), y: pen.pointee.em(y)))
        }, nil, nil)
      unsafe hb_draw_funcs_set_line_to_func(
        functions,
        { _, data, _, x, y, _ in
          guard let pen = unsafe pen(data) else { return }
          unsafe pen.pointee.steps.append(.line(x: pen.pointee.em(x), y: pen.pointee.em(y)))
        }, nil, nil)
      unsafe hb_draw_funcs_set_cubic_to_func(
        functions,
        { _, data, _, x1, y1, x2, y2, x, y, _ in
          guard let pen = unsafe pen(data) else { return }
          let em = unsafe pen.pointee.em
          unsafe pen.pointee.steps.append(
            .curve(x1: em(x1), y1: em(y1), x2: em(x2), y2: em(y2), x: em(x), y: em(y)))
        }, nil, nil)
      unsafe hb_draw_funcs_set_close_path_func(
        functions,
        { _, data, _, _ in
          guard let pen = unsafe pen(data) else { return }
          unsafe pen.pointee.steps.append(.close)
        }, nil, nil)
      unsafe hb_draw_funcs_make_immutable(functions)
      return unsafe functions
    }()
  }
#endif
