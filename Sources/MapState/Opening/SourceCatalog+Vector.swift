import MapFeatures
import MapReaders
import MapSystem

#if Geospatial
  import MapGeospatial
#endif

extension SourceCatalog {
  /// Returns the layer in a file that is not a GeoJSON or CSV file; nil for these.
  ///
  /// An archive is unpacked and may contain a file of any format.
  /// - Throws: ``MapStateError``.
  static func binaryLayer(
    _ path: String, fragment: String?, fields: FieldSelection
  ) throws(MapStateError) -> (name: String, source: any FeatureSource)? {
    guard path != "-", case .file(let head) = FileAccess.look(at: path) else {
      return try vectorLayer(path, fragment: fragment, fields: fields)
    }
    let unpacked: UnpackedFile?
    do { unpacked = try UnpackedFile(path, head: head, fragment: fragment) } catch let error as FileError {
      throw MapStateError(error)
    } catch {
      throw MapStateError(.input, "\(path): \(error)")
    }
    guard let unpacked else { return try vectorLayer(path, fragment: fragment, fields: fields) }
    if case .file(let head) = FileAccess.look(at: unpacked.path), UnpackedFile.isArchive(head) {
      throw MapStateError(.input, "\(path): contains an archive within the archive")
    }
    do throws(MapStateError) {
      if let layer = try vectorLayer(unpacked.path, fragment: unpacked.layer, fields: fields) { return layer }
      let source = try read(unpacked.path, fragment: unpacked.layer, fields: fields)
      return (FilePath.stem(of: unpacked.path), source)
    } catch {
      throw MapStateError(error.kind, unpacked.message(error.description))
    }
  }

  #if Geospatial
    /// The readable formats, for messages.
    static var formats: String { "GeoJSON, NDJSON, CSV, web map JSON, \(VectorFile.formats)" }

    /// Returns the layer in a file that no built-in reader supports, recognised by its content or else its
    /// extension.
    ///
    /// Returns nil for the built-in formats, and if the path is neither a file nor the folder of a File
    /// Geodatabase.
    /// - Throws: ``MapStateError``.
    static func vectorLayer(
      _ path: String, fragment: String?, fields: FieldSelection
    ) throws(MapStateError) -> (name: String, source: any FeatureSource)? {
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
      // The library also opens files beside this one, and would block on a pipe.
      do { try FileAccess.checkCompanions(of: real) } catch { throw MapStateError(error) }
      let layer: VectorFile.Layer
      do { layer = try VectorFile.read(real, layer: fragment, fields: fields) } catch {
        guard !error.isOfAnotherFormat else {
          throw MapStateError(.input, "\(path): has an unknown format; readable formats: \(formats)")
        }
        throw MapStateError(.input, "\(path): \(error)", cause: error)
      }
      return (layer.name, try source(layer.table, path: path))
    }
  #else
    /// The readable formats, for messages.
    static var formats: String {
      "GeoJSON, NDJSON, CSV, FlatGeobuf, web map JSON (no others, because this build does not include GDAL)"
    }

    /// Returns the layer in a FlatGeobuf file; nil for other files, because this build does not include GDAL.
    static func vectorLayer(
      _ path: String, fragment: String?, fields: FieldSelection
    ) throws(MapStateError) -> (name: String, source: any FeatureSource)? {
      guard path != "-", case .file(let head) = FileAccess.look(at: path) else { return nil }
      return try flatGeobufLayer(path, head: head, fragment: fragment, fields: fields)
    }
  #endif

  /// Returns the layer in a FlatGeobuf file; nil for other files and for those that only GDAL can read.
  private static func flatGeobufLayer(
    _ path: String, head: [UInt8], fragment: String?, fields: FieldSelection
  ) throws(MapStateError) -> (name: String, source: any FeatureSource)? {
    guard FlatGeobufReader.looksLikeFlatGeobuf(head) else { return nil }
    let read: FlatGeobufReader.Layer?
    do {
      let file = try RandomAccessFile(path)
      read = try FlatGeobufReader.read(size: file.size, fields: fields) { try file.bytes($0) }
    } catch let error as FileError {
      throw MapStateError(error)
    } catch {
      throw MapStateError(.input, "\(path): \(error)", cause: error)
    }
    // GDAL reports the available layer.
    guard let read, fragment == nil || fragment == read.name else { return nil }
    return (read.name, try source(read.table, path: path))
  }

  /// Returns a table that can be counted and drawn.
  ///
  /// - Throws: ``MapStateError`` for a spatial reference that cannot be projected to Web Mercator.
  static func source(_ table: FeatureColumns, path: String) throws(MapStateError) -> InMemorySource {
    do { return try InMemorySource(table, operations: .installed) } catch {
      throw MapStateError(.input, "\(path): \(error)", cause: error)
    }
  }
}
