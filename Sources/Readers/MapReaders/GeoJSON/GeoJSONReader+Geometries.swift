package import MapGeometry
package import MapJSON

extension GeoJSONReader {
  /// Reads the geometries of a value: a geometry, a feature or a collection; nil for another value.
  ///
  /// Features without a geometry are left out. The spatial reference is WGS 84 unless the member `crs` names another.
  ///
  /// - Throws: `JSONDecodingError` with the path.
  package static func geometries(_ node: JSONNode) throws(JSONDecodingError) -> [any Geometry]? {
    guard let type = node["type"]?.value.string, isType(type) else { return nil }
    var reference = SpatialReference.wgs84
    if let crs = node["crs"] {
      guard let named = GeoJSONReference.reference(crs.value) else {
        throw crs.invalid("a spatial reference without a code is not supported")
      }
      reference = named
    }
    let features = type == "FeatureCollection" ? try node.required("features").elements() : [node]
    var geometries: [any Geometry] = []
    for feature in features {
      let shape =
        GeoJSONType(rawValue: feature["type"]?.value.string ?? "") == nil ? feature["geometry"] : feature
      guard let shape else { continue }
      if let geometry = try geometry(shape, reference) { geometries.append(geometry) }
    }
    return geometries
  }

  /// Reads a geometry; nil for an empty one.
  private static func geometry(
    _ node: JSONNode, _ reference: SpatialReference
  ) throws(JSONDecodingError) -> (any Geometry)? {
    let name = try node.required("type").string()
    guard let type = GeoJSONType(rawValue: name) else {
      throw node.invalid(
        name == "GeometryCollection"
          ? "a GeometryCollection is not supported" : "\"\(name)\" is not a geometry type of GeoJSON")
    }
    let coordinates = try node.required("coordinates")
    var builder = CoordinateBuilder()
    do throws(GeometryFault) { try builder.beginRow(type.kind) } catch { throw node.invalid("\(error)") }
    if type.nesting == 0 {
      if coordinates.value.array?.isEmpty == false { try append(coordinates, to: &builder) }
    } else {
      try append(coordinates, nesting: type.nesting, to: &builder)
    }
    builder.endRow()
    return builder.result?.geometry(ofRow: 0, spatialReference: reference)
  }

  /// Appends nested arrays of positions; each innermost array is a part.
  private static func append(
    _ node: JSONNode, nesting: Int, to builder: inout CoordinateBuilder
  ) throws(JSONDecodingError) {
    for element in try node.elements() {
      if nesting > 1 {
        try append(element, nesting: nesting - 1, to: &builder)
      } else {
        try append(element, to: &builder)
      }
    }
    if nesting == 2 { builder.endPolygon() }
    guard nesting == 1 else { return }
    do throws(GeometryFault) { try builder.endPart() } catch { throw node.invalid("\(error)") }
  }

  /// Appends a position; numbers after the second are ignored.
  private static func append(_ node: JSONNode, to builder: inout CoordinateBuilder) throws(JSONDecodingError)
  {
    let numbers = try node.elements()
    guard numbers.count >= 2 else { throw node.invalid("a position needs two numbers") }
    let (x, y) = (try numbers[0].double(), try numbers[1].double())
    do throws(GeometryFault) { try builder.addVertex(x: x, y: y) } catch { throw node.invalid("\(error)") }
  }
}
