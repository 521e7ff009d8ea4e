import MapDocuments
import MapFeatures
import MapReaders
package import MapSystem
package import MapTiles

/// Sets of vector tiles as tables: the layers of their tiles at one zoom level.
extension SourceCatalog {
  /// Returns the set of tiles at a path or template; nil for other files and folders.
  ///
  /// - Parameter folders: the folders that tiles in files may be in, also through links; nil for all.
  /// - Throws: ``MapStateError`` for an archive that cannot be read.
  package static func tileArchive(
    _ path: String, in folders: AllowedFolders? = nil
  ) throws(MapStateError) -> TileArchive? {
    guard path != "-", TileArchive.isTiles(path) || TileTemplate.isTemplate(path) else { return nil }
    do { return try TileArchive(path, in: folders) } catch {
      // Folders may be of other formats.
      if case .folder = FileAccess.look(at: path) { return nil }
      throw MapStateError(.input, "\(error)", cause: error)
    }
  }

  /// Returns the tables in a set of vector tiles; nil for other files.
  ///
  /// - Throws: ``MapStateError``, also for tiles that are images.
  static func tileTables(_ path: String, _ request: FileRequest) throws(MapStateError) -> [FileTable]? {
    guard let archive = try tileArchive(path, in: request.folders) else { return nil }
    return try tileTables(of: archive, path, request)
  }

  /// Returns the tables in a set of vector tiles.
  ///
  /// - Throws: ``MapStateError``, also for tiles that are images.
  static func tileTables(
    of archive: TileArchive, _ path: String, _ request: FileRequest
  ) throws(MapStateError) -> [FileTable] {
    guard archive.format == .vector else {
      let kind =
        archive.format == .mapLibreTile ? "MapLibre Tiles (MLT), which are not read" : "images, not features"
      let advice = archive.format == .image ? "; render draws them as layers of tiles of a web map" : ""
      throw MapStateError(.input, "\(path): its tiles are \(kind)\(advice)")
    }
    let known = archive.layerNames
    let (layer, kind) = request.fragment.map { FileRequest.parts(of: $0, known: known) } ?? (nil, nil)
    let wanted = if let layer { Set([layer]) } else { try chosen(of: known, path, request) }
    let tiles: TileTables
    do {
      tiles = try TileTables(
        archive, zoom: request.reading.tileZoom, layers: wanted, fields: request.wanted,
        skipsBadTiles: request.reading.skipsBadRows)
    } catch { throw MapStateError(.input, "\(error)", cause: error) }
    // Of an archive's layers, many have no feature at a level.
    let kept = tiles.tables.filter { table in
      if let layer { return table.name == layer }
      return wanted != nil || table.counts.features > 0
    }
    guard !kept.isEmpty else {
      guard let layer else {
        throw MapStateError(
          .input, "\(path): has no features at zoom \(tiles.zoom); --tile-zoom names another")
      }
      let list = known.map { "\"\($0)\"" }.joined(separator: ", ")
      throw MapStateError(.input, "\(path): no layer named \"\(layer)\"; available: \(list)")
    }
    return try kept.map { table throws(MapStateError) in
      guard var columns = table.columns else { return FileTable(name: table.name, columns: nil) }
      columns = columns.adding(table.warnings)
      if request.reading.sourceReference != nil {
        columns = columns.adding(["--source-reference is not applied: tiles are in Web Mercator"])
      }
      var file = FileTable(name: table.name, columns: columns.noting(request.reading))
      file.metadata.attribution = archive.metadata.attribution
      file.metadata.notes = notes(on: table, tiles, archive, request.reading)
      return try file.of(kind, path)
    }
  }

  /// Returns the layers to read of several; nil for all.
  private static func chosen(
    of names: [String], _ path: String, _ request: FileRequest
  ) throws(MapStateError) -> Set<String>? {
    guard request.fragment == nil, names.count > 1 else { return nil }
    guard let choice = request.choice else {
      let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
      throw MapStateError(
        .input, "\(path): contains \(names.count) layers: \(list); name one after the path, as in file#layer")
    }
    let layers = names.map { WebMapLayer(id: $0, title: $0, url: $0) }
    do {
      let indexes = try choice.indexes(among: layers, LayerNames(layers: names.map { ($0, $0) }))
      return indexes.count == names.count ? nil : Set(indexes.map { names[$0] })
    } catch {
      // The choice may name a kind of geometry.
      if error.kind == .usage, choice.names.isEmpty { throw error }
      return nil
    }
  }

  private static func notes(
    on table: TileTables.Table, _ tiles: TileTables, _ archive: TileArchive, _ reading: ReadingOptions
  ) -> [String] {
    var notes: [String] = []
    if reading.tileZoom == nil, archive.zooms.count > 1 {
      notes.append(
        "features are those of zoom \(tiles.zoom), the largest of the tiles; --tile-zoom names another")
    }
    if let note = table.counts.note { notes.append("layer \"\(MessageText.name(table.name))\": \(note)") }
    return notes
  }
}
