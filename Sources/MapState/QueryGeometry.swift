public import MapFeatures
public import MapGeometry
import MapJSON

/// Reads the geometry of a question: GeoJSON or Esri JSON.
public enum QueryGeometry {
  /// The one geometry in a file; "-" is standard input.
  ///
  /// - Throws: ``MapError`` of kind input.
  public static func read(_ path: String) throws(MapError) -> any Geometry {
    let name = path == "-" ? "standard input" : path
    do {
      return try geometry(JSONValue(parsing: FileAccess.read(path)))
    } catch let error as FileError {
      throw MapError(error)
    } catch {
      throw MapError(.input, "\(name): \(error)")
    }
  }

  /// The one geometry of a GeoJSON geometry, feature or collection, of an Esri geometry or a feature around one.
  ///
  /// GeoJSON is in WGS 84 unless it says otherwise; an Esri geometry without a reference is in that of the table.
  /// - Throws: ``MapError`` of kind input, or an error of the readers.
  static func geometry(_ json: JSONValue) throws -> any Geometry {
    let bytes = Array(json.text().utf8)
    guard GeoJSONReader.looksLikeGeoJSON(bytes) else {
      let node = JSONNode(json)
      guard let geometry = try EsriGeometryJSON.geometry(node["geometry"] ?? node) else {
        throw MapError(.input, "the geometry is empty")
      }
      return geometry
    }
    let table = try GeoJSONReader.read(bytes)
    let geometries = (0..<table.rowCount).compactMap { row in
      table.geometry?.geometry(ofRow: row, spatialReference: table.schema.spatialReference)
    }
    guard let first = geometries.first, geometries.count == 1 else {
      throw MapError(
        .input,
        "holds \(geometries.isEmpty ? "no" : "\(geometries.count)") geometries; a question is about one")
    }
    return first
  }
}

extension SpatialRelationship {
  /// The relation of a name as options or steps write it: `envelope-intersects` or `envelopeIntersects`.
  public init?(anyName name: String) {
    let words = name.split(separator: "-")
    let joined = words.dropFirst().reduce(words.first.map { String($0) } ?? "") { $0 + $1.capitalizedFirst }
    self.init(rawValue: joined)
  }
}

extension Substring {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
