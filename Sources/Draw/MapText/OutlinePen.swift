#if Labels
  internal import CHarfBuzz
  internal import MapDrawing

  /// A recorder of a glyph's outline, step by step as HarfBuzz draws it.
  struct OutlinePen {
    let unitsPerEm: Double
    /// The shift to the right of a point one em above the baseline, in ems.
    let slant: Double
    var steps: [GlyphOutline.Step] = []

    init(unitsPerEm: Double, slant: Double) { (self.unitsPerEm, self.slant) = (unitsPerEm, slant) }

    private func point(_ x: Float, _ y: Float) -> (x: Double, y: Double) {
      (Double(x) / unitsPerEm + slant * Double(y) / unitsPerEm, Double(y) / unitsPerEm)
    }

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
          let point = unsafe pen.pointee.point(x, y)
          unsafe pen.pointee.steps.append(.move(x: point.x, y: point.y))
        }, nil, nil)
      unsafe hb_draw_funcs_set_line_to_func(
        functions,
        { _, data, _, x, y, _ in
          guard let pen = unsafe pen(data) else { return }
          let point = unsafe pen.pointee.point(x, y)
          unsafe pen.pointee.steps.append(.line(x: point.x, y: point.y))
        }, nil, nil)
      unsafe hb_draw_funcs_set_cubic_to_func(
        functions,
        { _, data, _, x1, y1, x2, y2, x, y, _ in
          guard let pen = unsafe pen(data) else { return }
          let (first, second, end) = unsafe (
            pen.pointee.point(x1, y1), pen.pointee.point(x2, y2), pen.pointee.point(x, y)
          )
          unsafe pen.pointee.steps.append(
            .curve(x1: first.x, y1: first.y, x2: second.x, y2: second.y, x: end.x, y: end.y))
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
