import MapFilter
import MapGeometry
import MapReaders

/// Relations of geometries and of times in filters.
extension SLDMapping {
  mutating func spatial(
    _ element: SLDElement, _ relation: SpatialPredicate
  ) -> FilterExpression? {
    let shapes = element.children.filter { !Self.expressionNames.contains($0.name) }
    // GeoServer writes `Function` for geometries of other layers.
    guard let shape = shapes.last, !element.children.contains(where: { $0.name == "Function" }) else {
      note(element, "needs a geometry")
      return nil
    }
    guard let literal = geometry(shape) else { return nil }
    return .spatial(relation, .property(geometryName), .geometry(literal))
  }

  /// Reads a geometry in GML, in degrees.
  private mutating func geometry(_ element: SLDElement) -> GeometryLiteral? {
    let name =
      element.attributes["srsName"] ?? element.children.lazy.compactMap { $0.attributes["srsName"] }.first
    guard let reference = SLDReference(name) else {
      note(
        element,
        "the spatial reference \"\((name ?? "").prefix(60))\" is not read in filters; EPSG:4326 and EPSG:3857 are"
      )
      return nil
    }
    if element.name == "Envelope" || element.name == "Box" {
      let texts = ["lowerCorner", "upperCorner"].compactMap { element.text($0) }
      let corners = texts.isEmpty ? [element.text("coordinates") ?? ""] : texts
      let coords = element.all("coord").flatMap { [$0.text("X") ?? "", $0.text("Y") ?? ""] }
      let numbers = (coords.isEmpty ? corners : coords).flatMap {
        $0.split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
      }
      guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else {
        note(element, "needs two corners")
        return nil
      }
      let low = reference.point(numbers[0], numbers[1]), high = reference.point(numbers[2], numbers[3])
      return .box(west: low.x, south: low.y, east: high.x, north: high.y)
    }
    do throws(FeatureReadError) {
      let own = Array(bytes[element.range])
      let (isNorthFirst, text) = (reference.isNorthFirst, name)
      guard
        let literal = try GeometryLiteral(
          gml: own, isNorthFirst: { $0 == nil || $0 == text ? isNorthFirst : nil })
      else {
        note(element, "the geometry is empty")
        return nil
      }
      return reference.isMercator ? literal.inDegrees : literal
    } catch {
      note(element, "\(error)")
      return nil
    }
  }

  mutating func temporal(
    _ element: SLDElement, _ relation: TemporalPredicate
  ) -> FilterExpression? {
    guard let property = element.children.first.flatMap({ expression($0) }), let time = element.children.last,
      let operand = term(property, as: .instant, element)
    else { return nil }
    func literal(_ text: String) -> FilterExpression { .literal(Self.literal(text, as: .instant)) }
    func texts(_ element: SLDElement, _ names: [String]) -> [String] {
      element.children.flatMap { names.contains($0.name) ? [$0.text] + texts($0, names) : texts($0, names) }
        .filter { !$0.isEmpty }
    }
    let begin = texts(time, ["beginPosition", "begin"]).first
    let end = texts(time, ["endPosition", "end"]).first
    if let begin, let end {
      return .temporal(relation, operand, .interval(start: literal(begin), end: literal(end)))
    }
    if let position = texts(time, ["timePosition"]).first ?? (time.text.isEmpty ? nil : time.text) {
      return .temporal(relation, operand, literal(position))
    }
    note(element, "the time is not read")
    return nil
  }
}

/// A spatial reference of geometries in filters.
///
/// `EPSG:4326` and addresses of an old form have east first, as in GeoServer and MapServer; URIs have the order of EPSG.
private struct SLDReference {
  let isMercator: Bool
  let isNorthFirst: Bool

  /// Reads a name; nil for another spatial reference.
  ///
  /// Without a name, positions are in degrees and have east first.
  init?(_ name: String?) {
    guard let name, !name.isEmpty else {
      (isMercator, isNorthFirst) = (false, false)
      return
    }
    let words = name.uppercased().split { "/:#[]<> ".contains($0) }
    switch words.last {
    case "CRS84"?: (isMercator, isNorthFirst) = (false, false)
    case "3857"?, "900913"?, "102100"?: (isMercator, isNorthFirst) = (true, false)
    case "4326"?, "4258"?, "4269"?:
      let isOld = name.uppercased().hasPrefix("EPSG:") || name.contains("epsg.xml")
      (isMercator, isNorthFirst) = (false, !isOld)
    default: return nil
    }
  }

  /// Returns a position in degrees, east first.
  func point(_ first: Double, _ second: Double) -> Point {
    let (x, y) = isNorthFirst ? (second, first) : (first, second)
    return isMercator
      ? Point(x: WebMercator.longitude(x: x), y: WebMercator.latitude(y: y)) : Point(x: x, y: y)
  }
}

extension GeometryLiteral {
  /// The geometry with positions in metres of Web Mercator changed to degrees.
  fileprivate var inDegrees: GeometryLiteral {
    func degrees(_ point: Point) -> Point {
      Point(x: WebMercator.longitude(x: point.x), y: WebMercator.latitude(y: point.y))
    }
    return switch self {
    case .point(let point): .point(degrees(point))
    case .multipoint(let points): .multipoint(points.map(degrees))
    case .line(let points): .line(points.map(degrees))
    case .multiline(let lines): .multiline(lines.map { $0.map(degrees) })
    case .polygon(let rings): .polygon(rings.map { $0.map(degrees) })
    case .multipolygon(let polygons): .multipolygon(polygons.map { $0.map { $0.map(degrees) } })
    case .collection(let parts): .collection(parts.map(\.inDegrees))
    case .box: self
    }
  }
}
