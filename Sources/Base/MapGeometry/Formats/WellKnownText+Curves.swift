/// The curves of well-known text: `CIRCULARSTRING (0 0, 1 1, 2 0)`, `COMPOUNDCURVE`, `CURVEPOLYGON`, `MULTICURVE` and
/// `MULTISURFACE`.
///
/// - Source: ISO 13249-3.
extension WellKnownText {
  /// Reads elements between parentheses.
  mutating func list(
    _ element: (inout WellKnownText) throws(WellKnownTextError) -> Void
  ) throws(WellKnownTextError) {
    try take(0x28)
    repeat { try element(&self) } while accept(0x2C)
    try take(0x29)
  }

  /// Reads the keyword of an element of a list, if there is one; nil for an empty element.
  mutating func member(
    _ known: Set<String>, orElse form: Form
  ) throws(WellKnownTextError) -> Form? {
    let start = skipBlanks()
    let written = word()
    guard !written.isEmpty else { return form }
    guard written != "EMPTY" else { return nil }
    guard known.contains(where: { written.hasPrefix($0) }) else {
      throw WellKnownTextError(.content("\(written) is not allowed here"), offset: start)
    }
    let found = try type(written, at: start).form
    return isEmpty() ? nil : found
  }

  /// Reads a line, arcs or a compound curve as one part; its keyword comes next if `form` is nil.
  mutating func curve(_ form: Form?, _ builder: inout CoordinateBuilder) throws(WellKnownTextError) {
    let start = skipBlanks()
    var asked = form
    if form == nil {
      asked = try member(["LINESTRING", "CIRCULARSTRING", "COMPOUNDCURVE"], orElse: .straight(1))
    }
    guard let asked else { return }
    var last: (x: Double, y: Double)?
    if asked == .compound {
      try list { (reader) throws(WellKnownTextError) in
        guard let form = try reader.member(["LINESTRING", "CIRCULARSTRING"], orElse: .straight(1)) else {
          return
        }
        try reader.piece(form, &last, &builder)
      }
    } else {
      try piece(asked, &last, &builder)
    }
    do { try builder.endPart() } catch { throw WellKnownTextError(.geometry(error), offset: start) }
  }

  /// Reads a line or arcs that continue a part; a start that repeats the last vertex is not added again.
  private mutating func piece(
    _ form: Form, _ last: inout (x: Double, y: Double)?, _ builder: inout CoordinateBuilder
  ) throws(WellKnownTextError) {
    let start = skipBlanks()
    var positions: [(x: Double, y: Double)] = []
    try list { (reader) throws(WellKnownTextError) in positions.append(try reader.position()) }
    do {
      if let first = positions.first, last.map({ $0 != first }) ?? true {
        try builder.addVertex(x: first.x, y: first.y)
      }
      if form == .arcs {
        guard positions.count >= 3, positions.count % 2 == 1 else {
          throw WellKnownTextError(
            .content("\(positions.count) vertices of arcs; their number must be odd, and 3 or more"),
            offset: start)
        }
        remarks.isCurved = true
        for index in stride(from: 2, to: positions.count, by: 2) {
          let vertices = CircularArc.vertices(
            from: positions[index - 2], through: positions[index - 1], to: positions[index])
          for vertex in vertices { try builder.addVertex(x: vertex.x, y: vertex.y) }
        }
      } else {
        for position in positions.dropFirst() { try builder.addVertex(x: position.x, y: position.y) }
      }
    } catch let error as GeometryFault {
      throw WellKnownTextError(.geometry(error), offset: start)
    } catch let error as WellKnownTextError {
      throw error
    } catch {
      throw WellKnownTextError(.content("\(error)"), offset: start)
    }
    last = positions.last
  }
}
