public import MapFeatures

#if MAPSTATE_GEOSPATIAL
  import MapGeospatial
#endif

extension SourceCatalog {
  #if MAPSTATE_GEOSPATIAL
    /// The formats that can be read, for messages.
    static var formats: String { "GeoJSON, NDJSON, CSV, web map JSON, \(VectorFile.formats)" }

    /// The layer in a file that none of our own readers takes, by its content or else its extension.
    ///
    /// Nil for what our own readers take, and for what is neither a file nor a File Geodatabase's folder.
    /// - Throws: ``SourceError``.
    static func vectorLayer(
      _ path: String, fragment: String?, fields: FieldSelection
    ) throws(SourceError) -> (name: String, source: any FeatureSource)? {
      guard path != "-" else { return nil }
      switch FileAccess.look(at: path) {
      case .other: return nil
      case .folder: guard FilePath.pathExtension(of: path) == "gdb" else { return nil }
      case .file(let head):
        if let layer = try flatGeobufLayer(path, head: head, fragment: fragment, fields: fields) {
          return layer
        }
        guard !head.isEmpty, format(of: head, path: path) == nil else { return nil }
      }
      guard let real = FileAccess.realPath(path) else { return nil }
      // The library opens files beside this one by itself, and would wait for a pipe.
      do { try FileAccess.checkCompanions(of: real) } catch { throw SourceError("\(error)") }
      let layer: VectorFile.Layer
      do { layer = try VectorFile.read(real, layer: fragment, fields: fields) } catch {
        guard !error.isOfAnotherFormat else {
          throw SourceError("\(path): is none of the formats that can be read: \(formats)")
        }
        throw SourceError("\(path): \(error)")
      }
      return (layer.name, try source(layer.table, path: path))
    }
  #else
    /// The formats that can be read, for messages.
    static var formats: String {
      "GeoJSON, NDJSON, CSV, FlatGeobuf, web map JSON (this build is without GDAL, so no other)"
    }

    /// The layer in a FlatGeobuf file; nil for all else, since a build without GDAL reads our own formats alone.
    static func vectorLayer(
      _ path: String, fragment: String?, fields: FieldSelection
    ) throws(SourceError) -> (name: String, source: any FeatureSource)? {
      guard path != "-", case .file(let head) = FileAccess.look(at: path) else { return nil }
      return try flatGeobufLayer(path, head: head, fragment: fragment, fields: fields)
    }
  #endif

  /// The layer in a FlatGeobuf file; nil for another file and for one that our own reader leaves to GDAL.
  private static func flatGeobufLayer(
    _ path: String, head: [UInt8], fragment: String?, fields: FieldSelection
  ) throws(SourceError) -> (name: String, source: any FeatureSource)? {
    guard FlatGeobufReader.looksLikeFlatGeobuf(head) else { return nil }
    let read: FlatGeobufReader.Layer?
    do {
      let file = try RandomAccessFile(path)
      read = try FlatGeobufReader.read(size: file.size, fields: fields) { try file.bytes($0) }
    } catch let error as FileError {
      throw SourceError("\(error)")
    } catch {
      throw SourceError("\(path): \(error)")
    }
    // GDAL says which layer there is.
    guard let read, fragment == nil || fragment == read.name else { return nil }
    return (read.name, try source(read.table, path: path))
  }

  /// A table that can be counted and drawn.
  ///
  /// - Throws: ``SourceError`` for one in a reference that cannot be brought to Web Mercator.
  static func source(_ table: FeatureColumns, path: String) throws(SourceError) -> InMemorySource {
    do { return try InMemorySource(table, operations: .installed) } catch {
      throw SourceError("\(path): \(error)")
    }
  }
}

extension SpatialOperations {
  /// What this build has: projections by PROJ and relations by GEOS, or neither.
  public static var installed: SpatialOperations {
    #if MAPSTATE_GEOSPATIAL
      .libraries
    #else
      .builtIn
    #endif
  }
}
