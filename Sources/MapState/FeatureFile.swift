import MapFeatures

#if MAPSTATE_GEOSPATIAL
  import MapGeospatial
#endif

/// A format that features are written in, by the ending of the file's name.
package enum FeatureFile: Hashable, Sendable {
  case geoJSON, ndjson, csv, geoPackage, flatGeobuf

  /// The endings and what each stands for.
  ///
  /// - Source: RFC 7946 (.geojson), OGC 12-128 (.gpkg), GDAL's drivers (.geojsonl, .fgb).
  package static let endings: [(ending: String, format: FeatureFile)] = [
    ("geojson", .geoJSON), ("json", .geoJSON), ("ndjson", .ndjson), ("geojsonl", .ndjson), ("csv", .csv),
    ("gpkg", .geoPackage), ("fgb", .flatGeobuf),
  ]

  /// The format of a file by its ending, in any case.
  ///
  /// - Throws: ``MapError`` of kind usage that lists the endings.
  package init(path: String) throws(MapError) {
    let ending = FilePath.pathExtension(of: path)
    guard let known = Self.endings.first(where: { $0.ending == ending }) else {
      let list = Self.endings.map { ".\($0.ending)" }.joined(separator: " ")
      let found = ending.isEmpty ? "a file without ending" : ".\(ending)"
      throw MapError(.usage, "\(path): \(found) cannot be written; available: \(list)")
    }
    self = known.format
  }

  /// True for a format that holds any spatial reference; the others are in WGS 84.
  package var namesReference: Bool { self == .geoPackage || self == .flatGeobuf }

  /// The bytes of a file of features, and a warning for each loss.
  ///
  /// GeoJSON and CSV are in WGS 84 unless `keepsReference`; a GeoPackage or FlatGeobuf is in the features' reference.
  /// - Parameter layer: the name of the layer, for formats that have one.
  /// - Throws: ``MapError``.
  package func bytes(
    of features: FeatureRows, keepsReference: Bool, layer: String
  ) throws(MapError) -> (bytes: [UInt8], warnings: [String]) {
    do {
      switch self {
      case .geoJSON: return (try GeoJSONWriter(features, keepsReference: keepsReference).collection(), [])
      case .ndjson: return (try GeoJSONWriter(features, keepsReference: keepsReference).lines(), [])
      case .csv:
        return (Array(try DelimitedWriter(features, keepsReference: keepsReference).text().utf8), [])
      case .geoPackage, .flatGeobuf:
        #if MAPSTATE_GEOSPATIAL
          return try VectorFile.bytes(
            of: features, format: self == .geoPackage ? .geoPackage : .flatGeobuf, layer: layer)
        #else
          throw MapError(.input, "GeoPackage and FlatGeobuf need GDAL, which this build is without")
        #endif
      }
    } catch {
      throw MapError(error)
    }
  }
}
