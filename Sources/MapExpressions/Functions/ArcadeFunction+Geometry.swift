internal import Glibc
internal import MapFeatures
internal import MapFilter
internal import MapGeometry
internal import MapSystem

/// Functions of the feature's geometry, planar in the spatial reference of the table, or in Web Mercator for degrees.
///
/// - Source: https://developers.arcgis.com/arcade/function-reference/geometry_functions/.
extension ArcadeFunction {
  static let geometric: [ArcadeFunction] = [
    ArcadeFunction("Geometry", 1...1) { machine, values in
      guard case .feature = values[0], machine.inputs.shape(row: machine.row) != nil else { return .null }
      return .geometry(.ofFeature)
    },
    ArcadeFunction("Area", 1...2) { machine, values throws(ArcadeError) in
      try measure(values, machine, areaUnits) { $0.area }
    },
    ArcadeFunction("Length", 1...2) { machine, values throws(ArcadeError) in
      try measure(values, machine, lengthUnits) { $0.length }
    },
    ArcadeFunction("Centroid", 1...1) { machine, values throws(ArcadeError) in
      switch values[0] {
      case .geometry(.point): return values[0]
      case .feature, .geometry(.ofFeature):
        guard let shape = machine.inputs.shape(row: machine.row) else { return .null }
        try machine.charge(shape.count / 16)
        return shape.centroid.map { .geometry(.point(x: $0.x, y: $0.y)) } ?? .null
      case .null: return .null
      default: throw ArcadeError("expected a feature or a geometry", at: 0)
      }
    },
  ]

  /// Metres in a unit of length.
  private static let lengthUnits: [String: Double] = [
    "meters": 1, "meter": 1, "metres": 1, "kilometers": 1000, "kilometer": 1000, "feet": 0.3048,
    "foot": 0.3048,
    "miles": 1609.344, "mile": 1609.344, "yards": 0.9144, "yard": 0.9144, "nautical-miles": 1852,
    "nautical-mile": 1852, "nauticalmiles": 1852,
  ]
  /// Square metres in a unit of area.
  private static let areaUnits: [String: Double] = {
    var units: [String: Double] = [
      "acres": 4046.8564224, "acre": 4046.8564224, "hectares": 10_000, "hectare": 10_000, "ares": 100,
      "are": 100,
    ]
    for (name, metres) in lengthUnits { units["square-" + name] = metres * metres }
    return units
  }()

  private static func measure(
    _ values: [ArcadeValue], _ machine: ArcadeMachine, _ units: [String: Double],
    _ measure: (ArcadeShape) -> Double
  ) throws(ArcadeError) -> ArcadeValue {
    switch values[0] {
    case .feature, .geometry(.ofFeature): break
    case .geometry(.point): return .number(0)
    case .null: return .number(0)
    default: throw ArcadeError("expected a feature or a geometry", at: 0)
    }
    guard let shape = machine.inputs.shape(row: machine.row) else { return .number(0) }
    try machine.charge(shape.count / 16)
    let result = measure(shape)
    guard values.count > 1, !values[1].isNull else { return .number(result) }
    let unit = try text(values[1], machine).lowercased()
    guard let factor = units[unit] else { throw ArcadeError("unknown unit \(unit)", at: 0) }
    return .number(result / factor)
  }
}

/// A geometry of a table as the map shows it: degrees become Web Mercator.
struct ArcadeShape {
  private let buffer: CoordinateBuffer
  private let row: Int
  private let inDegrees: Bool

  init(_ buffer: CoordinateBuffer, row: Int, inDegrees: Bool) {
    (self.buffer, self.row, self.inDegrees) = (buffer, row, inDegrees)
  }

  /// The coordinates of a vertex.
  ///
  /// - Source: EPSG guidance note 7-2, Popular Visualisation Pseudo Mercator.
  func place(_ vertex: Int) -> (x: Double, y: Double) {
    let (x, y) = (buffer.x[vertex], buffer.y[vertex])
    guard inDegrees else { return (x, y) }
    let radius = 6_378_137.0
    let latitude = min(max(y, -89.999), 89.999) * .pi / 180
    return (x * .pi / 180 * radius, radius * log(tan(.pi / 4 + latitude / 2)))
  }

  /// The number of vertices.
  var count: Int { buffer.vertices(ofRow: row).count }

  /// The planar area, without the sign of the rings' direction; 0 for points and lines.
  var area: Double {
    buffer.kind == .polygon ? abs(buffer.parts(ofRow: row).reduce(0) { $0 + ring($1).area }) : 0
  }

  /// The planar length of the parts; 0 for points.
  var length: Double {
    guard buffer.kind == .polyline || buffer.kind == .polygon else { return 0 }
    return buffer.parts(ofRow: row).reduce(0) { $0 + line($1).length }
  }

  /// The planar centroid of the area, of the lines or of the points; nil for an empty area or line.
  var centroid: (x: Double, y: Double)? {
    var (x, y, weight) = (0.0, 0.0, 0.0)
    func add(_ other: (x: Double, y: Double), _ amount: Double) {
      x += other.x * amount
      y += other.y * amount
      weight += amount
    }
    switch buffer.kind {
    case .point: add(place(row), 1)
    case .multipoint: for vertex in buffer.vertices(ofRow: row) { add(place(vertex), 1) }
    case .polyline:
      for part in buffer.parts(ofRow: row) {
        let (length, center) = line(part)
        add(center, length)
      }
    case .polygon:
      for part in buffer.parts(ofRow: row) {
        let (area, center) = ring(part)
        add(center, area)
      }
    }
    return weight == 0 || !weight.isFinite ? nil : (x / weight, y / weight)
  }

  /// Returns the signed area and the centroid of a ring, computed relative to its first vertex for exactness.
  private func ring(_ part: Int) -> (area: Double, center: (x: Double, y: Double)) {
    let range = buffer.vertices(ofPart: part)
    guard let first = range.first else { return (0, (0, 0)) }
    let origin = place(first)
    var (twice, sumX, sumY) = (0.0, 0.0, 0.0)
    var last = (x: 0.0, y: 0.0)
    for vertex in range {
      let found = place(vertex)
      let next = (x: found.x - origin.x, y: found.y - origin.y)
      let cross = last.x * next.y - next.x * last.y
      twice += cross
      sumX += (last.x + next.x) * cross
      sumY += (last.y + next.y) * cross
      last = next
    }
    guard twice != 0 else { return (0, origin) }
    return (twice / 2, (origin.x + sumX / (3 * twice), origin.y + sumY / (3 * twice)))
  }

  /// Returns the length of a part and the centre of its segments.
  private func line(_ part: Int) -> (length: Double, center: (x: Double, y: Double)) {
    var (total, sumX, sumY) = (0.0, 0.0, 0.0)
    var last: (x: Double, y: Double)?
    for vertex in buffer.vertices(ofPart: part) {
      let next = place(vertex)
      if let last {
        let (dX, dY) = (next.x - last.x, next.y - last.y)
        let length = (dX * dX + dY * dY).squareRoot()
        total += length
        sumX += (last.x + dX / 2) * length
        sumY += (last.y + dY / 2) * length
      }
      last = next
    }
    guard total > 0 else { return (0, (0, 0)) }
    return (total, (sumX / total, sumY / total))
  }
}

extension ArcadeInputs {
  /// Returns the name of a code by a field's domain; the code itself without one.
  func domainName(of code: ArcadeValue, field: String) -> ArcadeValue {
    guard case .codedValues(_, let values)? = domain(of: field) else { return code }
    let found = values.first { Self.matches($0.code, code) }
    return found.map { .text($0.name) } ?? code
  }

  /// Returns the code of a name by a field's domain; null for an unknown name.
  func domainCode(of name: String, field: String) -> ArcadeValue {
    guard case .codedValues(_, let values)? = domain(of: field) else { return .null }
    guard let found = values.first(where: { $0.name == name }) else { return .null }
    switch found.code {
    case .integer(let value): return .number(Double(value))
    case .real(let value): return .number(value)
    case .text(let value): return .text(value)
    default: return .null
    }
  }

  private static func matches(_ code: AttributeValue, _ value: ArcadeValue) -> Bool {
    switch (code, value) {
    case (.integer(let a), .number(let b)): Double(a) == b
    case (.real(let a), .number(let b)): a == b
    case (.text(let a), .text(let b)): a == b
    default: false
    }
  }
}
