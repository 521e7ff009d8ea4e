import MapJSON

extension EsriGeometryJSON {
  /// Returns a geometry that was read by x and y, with the Z and M values of the same node.
  ///
  /// The third number of a vertex is its Z value, or its M value when the node has `hasM` without `hasZ`. The fourth is
  /// its M value. Null and "NaN" mean no value.
  static func withDepths(_ flat: any Geometry, _ node: JSONNode) throws(JSONDecodingError) -> any Geometry {
    let order = try DepthOrder(node)
    let reference = flat.spatialReference
    switch flat.form {
    case .point(let point):
      return Point(
        x: point.x, y: point.y, z: try coordinate(node, "z"), m: try coordinate(node, "m"),
        spatialReference: reference)
    case .multipoint(let multipoint):
      guard let points = node["points"] else { return flat }
      return Multipoint(
        points: try order.vertices(multipoint.points, points), spatialReference: reference)
    case .polyline(let line):
      return Polyline(parts: try order.parts(line, try node.elements("paths")), spatialReference: reference)
    case .polygon(let polygon):
      return Polygon(parts: try order.parts(polygon, try node.elements("rings")), spatialReference: reference)
    case .envelope: return flat
    }
  }
}

/// The positions of the Z and the M value in a vertex.
private struct DepthOrder {
  private let z: Int?
  private let m: Int?

  init(_ node: JSONNode) throws(JSONDecodingError) {
    switch (node["hasZ"]?.value.boolean, node["hasM"]?.value.boolean) {
    case (false?, false?): (z, m) = (nil, nil)
    case (false?, _), (nil, true?): (z, m) = (nil, 2)
    case (_, false?): (z, m) = (2, nil)
    case (_, _): (z, m) = (2, 3)
    }
  }

  /// Returns the parts with the values of their JSON elements; elements without vertices are skipped, as in the parts.
  func parts(_ flat: some Multipart, _ nodes: [JSONNode]) throws(JSONDecodingError) -> [[Point]] {
    let written = nodes.filter { $0.value.array?.isEmpty == false }
    var parts: [[Point]] = []
    for (part, node) in zip(flat.parts, written) { parts.append(try vertices(part, node)) }
    return parts
  }

  /// Returns the vertices of a part; a vertex added to close a ring gets the values of the first.
  func vertices(_ flat: [Point], _ node: JSONNode) throws(JSONDecodingError) -> [Point] {
    let written = node.value.array ?? []
    var vertices: [Point] = []
    for (index, point) in flat.enumerated() {
      let place = index < written.count ? index : 0
      guard written.indices.contains(place) else { return flat }
      let numbers = written[place].array ?? []
      func number(_ index: Int?) throws(JSONDecodingError) -> Double? {
        guard let index, index < numbers.count else { return nil }
        if case .null = numbers[index] { return nil }
        if numbers[index].string == "NaN" { return nil }
        guard let number = numbers[index].double, number.isFinite else {
          throw JSONDecodingError(
            .invalid("a Z or M value must be a finite number, null or \"NaN\""), at: node.path[place])
        }
        return number
      }
      vertices.append(
        Point(
          x: point.x, y: point.y, z: try number(z), m: try number(m), spatialReference: point.spatialReference
        )
      )
    }
    return vertices
  }
}
