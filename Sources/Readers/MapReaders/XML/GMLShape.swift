package import MapFilter
import MapGeometry
import MapJSON

/// The parts of a geometry in GML: points, lines and polygons.
///
/// Curves of several segments become one line, and surfaces of several patches several polygons. Heights are left out.
///
/// - Source: OGC 07-036 (GML 3.2.1), clauses 10 and 11; OGC 03-105r1 (GML 3.1.1), whose elements are the same; OGC 02-069
///   (GML 2.1.2) for `coordinates`, `coord`, `outerBoundaryIs` and `innerBoundaryIs`.
struct GMLShape {
  /// The properties that a geometry inherits from the elements around it.
  struct Context {
    /// Whether positions have north first, by the name of a spatial reference, which may be missing; nil for another
    /// spatial reference than the requested one.
    let isNorthFirst: @Sendable (String?) -> Bool?
    /// The name of the spatial reference.
    var reference: String?
    /// The number of coordinates of a position.
    var dimension = 2
  }

  /// A position: east and north.
  private typealias Position = SIMD2<Double>

  private var points: [Position] = []
  private var lines: [[Position]] = []
  private var polygons: [[[Position]]] = []

  /// The elements that are geometries.
  static let names: Set<String> = containers.union(curves).union(unread).union([
    "Point", "LinearRing", "Polygon", "PolygonPatch", "Triangle", "Rectangle",
  ])
  private static let containers: Set<String> = [
    "MultiPoint", "MultiLineString", "MultiCurve", "MultiPolygon", "MultiSurface", "MultiGeometry",
    "GeometryCollection", "Surface", "CompositeSurface", "PolyhedralSurface", "Tin", "TriangulatedSurface",
  ]
  private static let curves: Set<String> = [
    "LineString", "LineStringSegment", "Curve", "CompositeCurve", "OrientableCurve",
  ]
  /// The elements whose shape is not that of the straight lines between their positions, or that have another form.
  private static let unread: Set<String> = [
    "Arc", "ArcString", "ArcByBulge", "ArcStringByBulge", "ArcByCenterPoint", "Circle", "CircleByCenterPoint",
    "CubicSpline", "BSpline", "Bezier", "Clothoid", "OffsetCurve", "Geodesic", "GeodesicString", "Cone",
    "Cylinder", "Sphere", "Solid", "CompositeSolid", "MultiSolid", "OrientableSurface", "GeometricComplex",
    "TopoCurve", "TopoSurface", "Grid", "RectifiedGrid", "Box", "Envelope",
  ]

  /// Reads the geometry whose start was read, up to its end.
  init(_ scanner: inout XMLScanner, _ context: Context) throws(ReadFault) { try read(&scanner, context) }

  // MARK: Reading

  private mutating func read(_ scanner: inout XMLScanner, _ outer: Context) throws(ReadFault) {
    let name = scanner.name
    let context = try Self.context(scanner, outer)
    switch name {
    case "Point": points += try Self.line(&scanner, context)
    case "LinearRing", "Ring": polygons.append([try Self.line(&scanner, context)])
    case "Polygon", "PolygonPatch", "Triangle", "Rectangle":
      polygons.append(try Self.rings(&scanner, context))
    case _ where Self.curves.contains(name): lines.append(try Self.line(&scanner, context))
    case _ where Self.containers.contains(name): try readMembers(&scanner, context)
    default:
      throw ReadFault("<\(name)>: geometries of this kind are not read", at: scanner.place)
    }
  }

  /// Reads the geometries in the element that was opened last, also inside elements such as `pointMember`.
  private mutating func readMembers(_ scanner: inout XMLScanner, _ context: Context) throws(ReadFault) {
    // A closure cannot change the shape that it belongs to.
    var shape = self
    try scanner.elements { scanner throws(ReadFault) in
      if Self.names.contains(scanner.name) {
        try shape.read(&scanner, context)
      } else {
        try shape.readMembers(&scanner, context)
      }
    }
    self = shape
  }

  private static func context(_ scanner: XMLScanner, _ outer: Context) throws(ReadFault) -> Context {
    var context = outer
    if let name = try scanner.attribute("srsName"), !name.isEmpty { context.reference = name }
    if let text = try scanner.attribute("srsDimension", or: "dimension") {
      guard let dimension = Int(text), (2...4).contains(dimension) else {
        throw ReadFault("srsDimension: 2, 3 or 4, not \"\(text.prefix(20))\"", at: scanner.place)
      }
      context.dimension = dimension
    }
    return context
  }

  /// Reads the rings of a polygon, the outer one first.
  private static func rings(
    _ scanner: inout XMLScanner, _ context: Context
  ) throws(ReadFault) -> [[Position]] {
    var (outer, inner): ([[Position]], [[Position]]) = ([], [])
    let place = scanner.place
    try scanner.elements { scanner throws(ReadFault) in
      let isOuter = ["exterior", "outerBoundaryIs"].contains(scanner.name)
      guard isOuter || ["interior", "innerBoundaryIs"].contains(scanner.name) else { return }
      let ring = try line(&scanner, context)
      if isOuter { outer.append(ring) } else { inner.append(ring) }
    }
    // An empty polygon has no rings.
    guard outer.count < 2, !outer.isEmpty || inner.isEmpty else {
      throw ReadFault("a polygon with \(outer.isEmpty ? "no" : "several") outer rings", at: place)
    }
    return (outer + inner).filter { !$0.isEmpty }
  }

  /// Reads the positions of a line or ring, also of one that consists of several.
  private static func line(
    _ scanner: inout XMLScanner, _ outer: Context
  ) throws(ReadFault) -> [Position] {
    let context = try context(scanner, outer)
    let orientation = try scanner.attribute("orientation")
    let isReversed = scanner.name == "OrientableCurve" && orientation == "-"
    var line: [Position] = []
    try scanner.elements { scanner throws(ReadFault) in
      if let positions = try listed(&scanner, context) {
        line += positions
      } else if unread.contains(scanner.name) {
        throw ReadFault("<\(scanner.name)>: curves of this kind are not read", at: scanner.place)
      } else {
        let part = try Self.line(&scanner, context)
        // Parts meet in one position.
        line += part.first == line.last ? part.dropFirst() : part[...]
      }
    }
    return isReversed ? line.reversed() : line
  }

  /// Reads the positions of the element that was opened last; nil for another element.
  private static func listed(
    _ scanner: inout XMLScanner, _ outer: Context
  ) throws(ReadFault) -> [Position]? {
    let (name, place) = (scanner.name, scanner.place)
    guard ["pos", "posList", "coordinates", "coord"].contains(name) else { return nil }
    var context = try context(scanner, outer)
    let numbers: [Double]
    switch name {
    case "coord":
      var values: [String: Double] = [:]
      try scanner.elements { scanner throws(ReadFault) in
        let axis = scanner.name
        values[axis] = try Self.numbers(try scanner.elementText(), axis, at: place).first
      }
      numbers = [values["X"], values["Y"]].compactMap { $0 }
      context.dimension = 2
    case "coordinates":
      let decimal = try scanner.attribute("decimal")?.utf8.first ?? UInt8(ascii: ".")
      let separator = try scanner.attribute("cs")?.utf8.first ?? UInt8(ascii: ",")
      let tuples = try scanner.attribute("ts")?.utf8.first ?? 0x20
      let text = try scanner.elementText()
      let first = text.split { $0 == tuples || XMLScanner.isSpace($0) }.first ?? []
      context.dimension = max(2, first.split(separator: separator).count)
      numbers = try Self.numbers(text, name, at: place, decimal: decimal, separators: [separator, tuples])
    default:
      let found = try Self.numbers(try scanner.elementText(), name, at: place)
      // A position states its number of coordinates itself.
      if name == "pos", !found.isEmpty { context.dimension = max(2, found.count) }
      numbers = found
    }
    guard numbers.count.isMultiple(of: context.dimension) else {
      throw ReadFault(
        "<\(name)>: \(numbers.count) numbers are not positions of \(context.dimension) coordinates", at: place
      )
    }
    guard let isNorthFirst = context.isNorthFirst(context.reference) else {
      throw ReadFault(
        "the spatial reference \"\(context.reference ?? "")\", which was not requested", at: place)
    }
    return stride(from: 0, to: numbers.count, by: context.dimension).map { index in
      let (first, second) = (numbers[index], numbers[index + 1])
      return isNorthFirst ? Position(second, first) : Position(first, second)
    }
  }

  private static func numbers(
    _ text: [UInt8], _ name: String, at place: Int, decimal: UInt8 = UInt8(ascii: "."),
    separators: [UInt8] = []
  ) throws(ReadFault) -> [Double] {
    var numbers: [Double] = []
    for part in text.split(whereSeparator: { XMLScanner.isSpace($0) || separators.contains($0) }) {
      // A point is no sign of a number that has another decimal sign.
      let digits =
        decimal == 0x2E ? Array(part) : part.map { $0 == decimal ? 0x2E : $0 == 0x2E ? decimal : $0 }
      guard let literal = DecimalLiteral(loose: digits, at: 0), literal.end == digits.count,
        case let number = literal.double(in: digits), number.isFinite
      else {
        let found = String(decoding: part.prefix(40), as: UTF8.self)
        throw ReadFault("<\(name)>: a number, not \"\(found)\"", at: place)
      }
      numbers.append(number)
    }
    return numbers
  }

  // MARK: Writing

  /// Appends the geometry as GeoJSON; `null` without a position.
  func append(to writer: inout JSONWriter) {
    let polygons = polygons.filter { !$0.isEmpty }
    let lines = lines.filter { !$0.isEmpty }
    let kinds = [points.isEmpty, lines.isEmpty, polygons.isEmpty].count { !$0 }
    guard kinds > 0 else { return writer.append(raw: "null") }
    if kinds > 1 { writer.append(raw: #"{"type":"GeometryCollection","geometries":["#) }
    var isFirst = true
    func begin(_ type: String) {
      writer.append(raw: (isFirst ? "" : ",") + #"{"type":"\#(type)","coordinates":"#)
      isFirst = false
    }
    if points.count == 1 {
      begin("Point")
      Self.append(points[0], to: &writer)
      writer.append(raw: "}")
    } else if !points.isEmpty {
      begin("MultiPoint")
      Self.append(points, to: &writer) { Self.append($0, to: &$1) }
      writer.append(raw: "}")
    }
    if !lines.isEmpty {
      begin("MultiLineString")
      Self.append(lines, to: &writer) { Self.append($0, to: &$1) { Self.append($0, to: &$1) } }
      writer.append(raw: "}")
    }
    if !polygons.isEmpty {
      begin("MultiPolygon")
      Self.append(polygons, to: &writer) {
        Self.append($0, to: &$1) { Self.append($0, to: &$1) { Self.append($0, to: &$1) } }
      }
      writer.append(raw: "}")
    }
    if kinds > 1 { writer.append(raw: "]}") }
  }

  private static func append(_ point: Position, to writer: inout JSONWriter) {
    writer.append(raw: "[")
    writer.append(number: point.x)
    writer.append(raw: ",")
    writer.append(number: point.y)
    writer.append(raw: "]")
  }

  private static func append<Element>(
    _ elements: [Element], to writer: inout JSONWriter, _ body: (Element, inout JSONWriter) -> Void
  ) {
    writer.append(raw: "[")
    for (index, element) in elements.enumerated() {
      if index > 0 { writer.append(raw: ",") }
      body(element, &writer)
    }
    writer.append(raw: "]")
  }
}

extension GeometryLiteral {
  /// Reads a geometry in GML, in the coordinates as written; nil without a position.
  ///
  /// - Parameter isNorthFirst: Returns whether positions have north first, by the name of a spatial reference, which may be
  ///   missing; nil for one that cannot be read.
  /// - Throws: ``FeatureReadError``.
  package init?(
    gml bytes: [UInt8], isNorthFirst: @escaping @Sendable (String?) -> Bool?
  ) throws(FeatureReadError) {
    var scanner = XMLScanner(bytes)
    let shape: GMLShape
    do {
      guard try scanner.next() == .start else { return nil }
      shape = try GMLShape(&scanner, GMLShape.Context(isNorthFirst: isNorthFirst))
    } catch {
      throw FeatureReadError(error, in: bytes)
    }
    guard let literal = shape.literal else { return nil }
    self = literal
  }
}

extension GMLShape {
  /// The geometry as a literal of filters; nil without a position.
  fileprivate var literal: GeometryLiteral? {
    func places(_ positions: [Position]) -> [Point] { positions.map { Point(x: $0.x, y: $0.y) } }
    let lines = lines.filter { !$0.isEmpty }.map(places)
    let polygons = polygons.filter { !$0.isEmpty }.map { $0.map(places) }
    var parts: [GeometryLiteral] = []
    if let point = points.first {
      parts.append(points.count == 1 ? .point(Point(x: point.x, y: point.y)) : .multipoint(places(points)))
    }
    if let line = lines.first { parts.append(lines.count == 1 ? .line(line) : .multiline(lines)) }
    if let first = polygons.first {
      parts.append(polygons.count == 1 ? .polygon(first) : .multipolygon(polygons))
    }
    return parts.count > 1 ? .collection(parts) : parts.first
  }
}
