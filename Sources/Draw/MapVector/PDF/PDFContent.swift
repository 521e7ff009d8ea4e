import Glibc
import MapDrawing
import MapGeometry
import MapModel
import MapSystem

/// The drawing operators of a page or of a group, in pixels, y down.
///
/// - Source: ISO 32000-1:2008, annex A lists the operators.
struct PDFContent {
  private(set) var text = VectorText()

  /// The state that operators set; nil where it is unknown.
  private struct State {
    var fill: String?
    var stroke: String?
    var alpha: String?
    var pen: String?
  }
  private var state = State()
  private var saved: [State] = []

  var bytes: [UInt8] { text.bytes }

  static func += (content: inout PDFContent, operators: String) { content.text += operators }

  /// Adds the operators of a path, or of a symbol between ``save()`` and ``restore()``.
  static func += (content: inout PDFContent, other: PDFContent) { content.text.bytes += other.bytes }

  /// Adds a number and a blank.
  mutating func add(_ number: Double, decimals: Int) {
    text.add(value: number, decimals: decimals, after: " ")
  }

  mutating func save() {
    saved.append(state)
    self += "q\n"
  }

  mutating func restore() {
    state = saved.popLast() ?? State()
    self += "Q\n"
  }

  /// Multiplies the transformation.
  mutating func transform(_ a: Double, _ b: Double, _ c: Double, _ d: Double, x: Double, y: Double) {
    for (number, decimals) in [(a, 6), (b, 6), (c, 6), (d, 6), (x, 3), (y, 3)] {
      text.add(value: number, decimals: decimals, after: " ")
    }
    self += "cm\n"
  }

  // MARK: Paint

  private static func channels(_ color: Color) -> String {
    [color.red, color.green, color.blue].map { (Double($0) / 255).thousandths }.joined(separator: " ")
  }

  private mutating func set(_ property: WritableKeyPath<State, String?>, _ operators: String) {
    guard state[keyPath: property] != operators else { return }
    state[keyPath: property] = operators
    self += operators
  }

  mutating func setFill(_ color: Color, _ resources: inout PDFResources) {
    set(\.fill, "\(Self.channels(color)) rg\n")
    set(\.alpha, "/\(resources.alpha(Double(color.alpha) / 255)) gs\n")
  }

  mutating func setStroke(_ pen: Stroke, _ resources: inout PDFResources) {
    set(\.stroke, "\(Self.channels(pen.color)) RG\n")
    set(\.alpha, "/\(resources.alpha(Double(pen.color.alpha) / 255)) gs\n")
    let cap =
      switch pen.cap {
      case .butt: 0
      case .round: 1
      case .square: 2
      }
    let join =
      switch pen.join {
      case .miter: 0
      case .round: 1
      case .bevel: 2
      }
    let limit = pen.join == .miter ? " \(pen.miterLimit.thousandths) M" : ""
    set(\.pen, "\(min(pen.width, Stroke.widthLimit).thousandths) w \(cap) J \(join) j\(limit)\n")
  }

  mutating func setAlpha(_ alpha: Double, _ resources: inout PDFResources) {
    set(\.alpha, "/\(resources.alpha(alpha)) gs\n")
  }

  // MARK: Paths

  mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    for side in [x, y, width, height] { text.add(value: side, decimals: 2, after: " ") }
    self += "re\n"
  }

  mutating func move(_ x: Double, _ y: Double) { add(x, y, "m\n") }
  mutating func line(_ x: Double, _ y: Double) { add(x, y, "l\n") }

  private mutating func add(_ x: Double, _ y: Double, _ operation: String) {
    text.add(x)
    self += " "
    text.add(y)
    self += " "
    self += operation
  }

  /// Adds steps, transformed.
  mutating func add(
    _ steps: [GlyphOutline.Step], x: (Double, Double) -> Double, y: (Double, Double) -> Double
  ) {
    for step in steps {
      switch step {
      case .move(let px, let py): move(x(px, py), y(px, py))
      case .line(let px, let py): line(x(px, py), y(px, py))
      case .curve(let x1, let y1, let x2, let y2, let px, let py):
        add(x(x1, y1), y(x1, y1), "")
        add(x(x2, y2), y(x2, y2), "")
        add(x(px, py), y(px, py), "c\n")
      case .close: self += "h\n"
      }
    }
  }

  /// Adds chains of points about a point, or a circle if there are none.
  mutating func addMarker(_ look: MarkerStyle) {
    guard !look.chains.isEmpty else {
      return add(
        GlyphOutline.Step.circle(radius: look.size / 2), x: { x, _ in x + look.offsetX },
        y: { _, y in y + look.offsetY })
    }
    for chain in look.chains {
      for (number, point) in chain.enumerated() {
        add(point.x + look.offsetX, point.y + look.offsetY, number == 0 ? "m\n" : "l\n")
      }
      if !look.isOpen { self += "h\n" }
    }
  }

  /// Adds the parts of a row; small parts have more decimals.
  ///
  /// - Returns: false if a coordinate cannot be written; the path is then to be ended without painting.
  mutating func addRow(_ row: Int, of geometry: borrowing CoordinateBuffer, isOpen: Bool) -> Bool {
    let decimals = VectorText.decimals(geometry, row)
    let units = pow(10, Double(decimals))
    for part in geometry.parts(ofRow: row) {
      var range = geometry.vertices(ofPart: part)
      let isClosed = geometry.kind == .polygon && !isOpen
      if isClosed, range.count > 1, geometry.x[range.upperBound - 1] == geometry.x[range.lowerBound],
        geometry.y[range.upperBound - 1] == geometry.y[range.lowerBound]
      {
        range = range.dropLast()
      }
      for vertex in range {
        let (x, y) = (geometry.x[vertex], geometry.y[vertex])
        guard abs(x) < 1e6, abs(y) < 1e6 else { return false }
        text.add(Int(clamping: (x * units).rounded()), decimals: decimals)
        self += " "
        text.add(Int(clamping: (y * units).rounded()), decimals: decimals)
        self += vertex == range.lowerBound ? " m\n" : " l\n"
      }
      if isClosed { self += "h\n" }
    }
    return true
  }
}

extension GlyphOutline.Step {
  /// Returns a circle about the origin.
  ///
  /// - Error: its four curves differ from it by up to 0.03 % of the radius.
  static func circle(radius r: Double) -> [GlyphOutline.Step] {
    let arm = r * 4 * (2.0.squareRoot() - 1) / 3
    return [
      .move(x: r, y: 0), .curve(x1: r, y1: arm, x2: arm, y2: r, x: 0, y: r),
      .curve(x1: -arm, y1: r, x2: -r, y2: arm, x: -r, y: 0),
      .curve(x1: -r, y1: -arm, x2: -arm, y2: -r, x: 0, y: -r),
      .curve(x1: arm, y1: -r, x2: r, y2: -arm, x: r, y: 0), .close,
    ]
  }
}
