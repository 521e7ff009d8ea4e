public import MapFeatures
public import MapGeometry
import MapJSON
import MapReaders
public import MapState
import MapSystem

/// Functions that read the geometry of a question from GeoJSON or Esri JSON.
public enum QueryGeometry {
  /// Returns the single geometry in a file; "-" is standard input.
  ///
  /// - Throws: `MapStateError` of kind input.
  public static func read(_ path: String) throws(MapStateError) -> any Geometry {
    let name = path == "-" ? "standard input" : path
    do {
      return try geometry(JSONValue(parsing: FileAccess.read(path)))
    } catch let error as FileError {
      throw MapStateError(error)
    } catch let error as JSONSyntaxError {
      throw MapStateError(.input, "\(name): \(error); write the geometry as GeoJSON or Esri JSON")
    } catch {
      throw MapStateError(.input, "\(name): \(error)")
    }
  }

  /// Returns the single geometry of GeoJSON (geometry, feature or collection) or Esri JSON (geometry or feature).
  ///
  /// GeoJSON uses WGS 84 unless it declares another spatial reference. An Esri geometry without one uses that of
  /// the table.
  /// - Throws: `MapStateError` of kind input, or an error of the readers.
  static func geometry(_ json: JSONValue) throws -> any Geometry {
    let bytes = Array(json.text().utf8)
    guard GeoJSONReader.looksLikeGeoJSON(bytes) else {
      let node = JSONNode(json)
      guard let geometry = try EsriGeometryJSON.geometry(node["geometry"] ?? node) else {
        throw MapStateError(.input, "the geometry is empty")
      }
      return geometry
    }
    let table = try GeoJSONReader.read(bytes)
    let geometries = (0..<table.rowCount).compactMap { row in
      table.geometry?.geometry(ofRow: row, spatialReference: table.schema.spatialReference)
    }
    guard let first = geometries.first, geometries.count == 1 else {
      throw MapStateError(
        .input,
        "holds \(geometries.isEmpty ? "no" : "\(geometries.count)") geometries; "
          + "give exactly one, such as one polygon or one multipolygon")
    }
    return first
  }
}

extension SpatialRelationship {
  /// Creates the relation from its name in options or steps: `envelope-intersects` or `envelopeIntersects`.
  public init?(anyName name: String) {
    let words = name.split(separator: "-")
    let joined = words.dropFirst().reduce(words.first.map { String($0) } ?? "") { $0 + $1.capitalizedFirst }
    self.init(rawValue: joined)
  }
}

extension Substring {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
