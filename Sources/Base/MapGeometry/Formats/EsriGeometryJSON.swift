package import MapJSON

/// Reads geometries in Esri JSON.
///
/// A point has `x` and `y`, a multipoint `points`, a polyline `paths`, a polygon `rings`, an envelope `xmin` to `ymax`.
/// Z and M values are read for a single geometry and ignored for the rows of a table. Curves (`curvePaths`, `curveRings`)
/// become lines with a vertex every degree of an arc, and 90 to a Bézier curve.
///
/// - Source: ArcGIS REST API, geometry objects.
package enum EsriGeometryJSON {
  /// The losses of a reading.
  package struct Remarks: Hashable, Sendable {
    /// Whether coordinates after the second were dropped.
    package var isFlattened = false
    /// Whether curves became lines.
    package var isCurved = false

    /// Creates remarks without losses.
    package init() {}
  }

  /// Reads any of the five geometries; nil for an empty one.
  package static func geometry(_ node: JSONNode) throws(JSONDecodingError) -> (any Geometry)? {
    let reference = try spatialReference(of: node)
    _ = try node.object()
    if node.value.object?.index(of: "xmin") != nil { return try envelope(node) }
    guard let kind = try kind(of: node) else {
      throw node.invalid("not a geometry: neither x and y nor points, paths, rings or xmin")
    }
    // Lines and rings follow the same rules as in a table's rows.
    var builder = CoordinateBuilder()
    let hasMore = try appendRow(node, kind: kind, to: &builder).isFlattened
    let flat = builder.result?.geometry(ofRow: 0, spatialReference: reference)
    return hasMore ? try flat.map { flat throws(JSONDecodingError) in try withDepths(flat, node) } : flat
  }

  /// Returns the empty geometry whose kind a node's members show; an envelope when they show none.
  static func emptyGeometry(_ node: JSONNode) throws(JSONDecodingError) -> any Geometry {
    let reference = try spatialReference(of: node)
    return switch try kind(of: node) {
    case .point: Point(x: .nan, y: .nan, spatialReference: reference)
    case .multipoint: Multipoint(points: [Point](), spatialReference: reference)
    case .polyline: Polyline(parts: [], spatialReference: reference)
    case .polygon: Polygon(parts: [], spatialReference: reference)
    case nil: Envelope.empty.with(spatialReference: reference)
    }
  }

  /// Reads an envelope; nil when a side is null or NaN, which means empty.
  package static func envelope(_ node: JSONNode) throws(JSONDecodingError) -> Envelope? {
    guard let xMin = try coordinate(node, "xmin"), let yMin = try coordinate(node, "ymin"),
      let xMax = try coordinate(node, "xmax"), let yMax = try coordinate(node, "ymax")
    else { return nil }
    return Envelope(
      xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax, zMin: try coordinate(node, "zmin"),
      zMax: try coordinate(node, "zmax"), mMin: try coordinate(node, "mmin"),
      mMax: try coordinate(node, "mmax"), spatialReference: try spatialReference(of: node))
  }

  /// Reads the member `spatialReference` of an object; nil when it is absent.
  package static func spatialReference(of node: JSONNode) throws(JSONDecodingError) -> SpatialReference? {
    guard let member = node["spatialReference"] else { return nil }
    _ = try member.object()
    let (latest, first) = (try member.integer("latestWkid"), try member.integer("wkid"))
    guard let wkid = latest ?? first else {
      if let text = try member.string("wkt") {
        // The two references that most documents have; others need a reader of the text.
        let names = [
          "PROJCS[\"WGS_1984_Web_Mercator_Auxiliary_Sphere\",": SpatialReference.webMercator,
          "GEOGCS[\"GCS_WGS_1984\",": .wgs84,
        ]
        if let known = names.first(where: { text.hasPrefix($0.key) }) { return known.value }
        throw member.invalid(
          "a spatial reference by wkt alone is read where PROJ knows an equal one with a code; state its wkid"
        )
      }
      return nil
    }
    return SpatialReference(wkid: wkid)
  }

  /// Returns the kind of a geometry by its members; nil when they belong to no kind.
  package static func kind(of node: JSONNode) throws(JSONDecodingError) -> GeometryKind? {
    let object = try node.object()
    let kinds: [(String, GeometryKind)] = [
      ("x", .point), ("points", .multipoint), ("paths", .polyline), ("rings", .polygon),
      ("curvePaths", .polyline), ("curveRings", .polygon),
    ]
    return kinds.first { object.index(of: $0.0) != nil }?.1
  }

  /// Reads a geometry of a known kind as a row of a builder, and returns what was lost.
  package static func appendRow(_ node: JSONNode, kind: GeometryKind, to builder: inout CoordinateBuilder)
    throws(JSONDecodingError) -> Remarks
  {
    if let found = try Self.kind(of: node), found != kind {
      throw node.invalid("a \(found.rawValue) where a \(kind.rawValue) should be")
    }
    var remarks = Remarks()
    do { try builder.beginRow(kind) } catch { throw node.invalid("\(error)") }
    switch kind {
    case .point:
      if let x = try coordinate(node, "x"), let y = try coordinate(node, "y") {
        do { try builder.addVertex(x: x, y: y) } catch { throw node.invalid("\(error)") }
        remarks.isFlattened = node["z"] != nil || node["m"] != nil
      }
    case .multipoint:
      if let points = node["points"] { try addPart(points, to: &builder, &remarks) }
    case .polyline, .polygon:
      let straight = kind == .polyline ? "paths" : "rings"
      let curved = kind == .polyline ? "curvePaths" : "curveRings"
      for part in try node.elements(node[straight] == nil ? curved : straight) {
        try addPart(part, to: &builder, &remarks)
      }
    }
    builder.endRow()
    return remarks
  }

  /// Reads an array of vertices and curves as a part.
  private static func addPart(
    _ node: JSONNode, to builder: inout CoordinateBuilder, _ remarks: inout Remarks
  ) throws(JSONDecodingError) {
    guard case .array(let vertices) = node.value else { throw node.mismatch(.array) }
    var last: (x: Double, y: Double)?
    for (index, vertex) in vertices.enumerated() {
      if case .object = vertex {
        guard let start = last else {
          throw JSONDecodingError(.invalid("a part must begin with a vertex"), at: node.path[index])
        }
        let found = try EsriCurve.vertices(
          JSONNode(vertex, at: node.path[index]), from: start)
        for vertex in found {
          do { try builder.addVertex(x: vertex.x, y: vertex.y) } catch {
            throw JSONDecodingError(.invalid("\(error)"), at: node.path[index])
          }
        }
        (last, remarks.isCurved) = (found.last, true)
        continue
      }
      // The path is built only for an error, since large rings are common.
      guard case .array(let numbers) = vertex, numbers.count >= 2, let x = numbers[0].double,
        let y = numbers[1].double
      else {
        throw JSONDecodingError(
          .invalid("a vertex must be an array of two or more numbers"), at: node.path[index])
      }
      do { try builder.addVertex(x: x, y: y) } catch {
        throw JSONDecodingError(.invalid("\(error)"), at: node.path[index])
      }
      if numbers.count > 2 { remarks.isFlattened = true }
      last = (x, y)
    }
    do { try builder.endPart() } catch { throw node.invalid("\(error)") }
  }

  /// Reads a coordinate; nil when it is absent, null or "NaN", the three ways to write an empty point.
  static func coordinate(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double? {
    if node.value[name]?.string == "NaN" { return nil }
    return try node.double(name)
  }
}
