package import MapGeometry

/// A Mapbox Vector Tile, read from its bytes.
///
/// - Source: Mapbox Vector Tile specification 2.1; also layers of version 1. Where both are silent, MapLibre GL JS.
package struct VectorTile: Sendable {
  /// The layers, in the order of the tile, which has no meaning for drawing.
  package let layers: [VectorTileLayer]
  /// The violations of the specification that did not keep the tile from being read.
  package let problems: VectorTileProblems

  /// Reads a tile from plain or gzipped bytes; an empty tile has no layers.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the tile.
  ///   - wanted: the names of the layers to read; nil for all. The others are not examined.
  ///   - limits: the limits on its sizes.
  /// - Throws: ``VectorTileError`` for another format, for a violation after which the rest cannot be trusted, and for
  ///   sizes beyond the limits.
  package init(
    _ bytes: [UInt8], layers wanted: Set<String>? = nil, limits: VectorTileLimits = VectorTileLimits()
  ) throws(VectorTileError) {
    let bytes = try Self.unpacked(bytes, limit: limits.bytes)
    if let name = VectorTileFormat.otherName(bytes) { throw VectorTileError("is \(name), not a vector tile") }
    do throws(VectorTileError) { self = try Self.read(bytes, wanted, limits) } catch {
      guard VectorTileFormat.isMapLibreTile(bytes) else { throw error }
      throw VectorTileError("is a MapLibre Tile (MLT), which is not read; Mapbox Vector Tiles are")
    }
  }

  /// Returns the layer of a name; of several, the last, as MapLibre GL JS does; nil without any.
  package func layer(named name: String) -> VectorTileLayer? {
    layers.last { ExactText($0.name) == ExactText(name) }
  }

  private init(_ layers: [VectorTileLayer], _ problems: VectorTileProblems) {
    (self.layers, self.problems) = (layers, problems)
  }

  private static func read(
    _ bytes: [UInt8], _ wanted: Set<String>?, _ limits: VectorTileLimits
  ) throws(VectorTileError) -> VectorTile {
    var reader = VectorTileLayerReader(limits: limits)
    var (layers, names): ([VectorTileLayer], Set<ExactText>) = ([], [])
    var (cursor, number) = (ProtobufCursor(0..<bytes.count), 0)
    let span = bytes.span
    while true {
      let next: (field: Int, content: ProtobufContent)?
      do throws(ProtobufError) { next = try cursor.next(span) } catch {
        throw VectorTileError("is damaged: \(error)")
      }
      guard let (field, content) = next else { break }
      guard field == 3 else { continue }
      guard case .bytes(let range) = content else {
        throw VectorTileError("is damaged: a layer of another type")
      }
      number += 1
      guard number <= limits.layers else {
        throw VectorTileError("has more than \(limits.layers) layers, the limit")
      }
      guard let layer = try reader.layer(span, range, number: number, wanted: wanted) else { continue }
      if !names.insert(ExactText(layer.name)).inserted { reader.noteRepeatedName(layer.name) }
      layers.append(layer)
    }
    // Fields of other numbers only: an extension, or another format.
    if number == 0, VectorTileFormat.isMapLibreTile(bytes) { throw VectorTileError("has no layers") }
    return VectorTile(layers, reader.problems)
  }

  /// Returns the bytes without gzip.
  private static func unpacked(_ bytes: [UInt8], limit: Int) throws(VectorTileError) -> [UInt8] {
    let tooLarge = VectorTileError("is larger than \(limit >> 20) MiB uncompressed, the limit")
    guard GzipFile.looksLikeGzip(bytes) else {
      guard bytes.count <= limit else { throw tooLarge }
      return bytes
    }
    var unpacked: [UInt8] = []
    do {
      try GzipFile.decode(bytes) { piece in
        guard unpacked.count + piece.count <= limit else { throw tooLarge }
        unpacked += piece
      }
    } catch let error as VectorTileError { throw error } catch { throw VectorTileError("\(error)") }
    return unpacked
  }
}

extension Envelope {
  /// Returns the square of a tile of the Web Mercator scheme; nil for a tile outside its level, and above level 30.
  ///
  /// - Parameters:
  ///   - zoom: the level; level 0 has one tile.
  ///   - column: the column, from the left.
  ///   - row: the row, from the top.
  package static func webMercatorTile(zoom: Int, column: Int, row: Int) -> Envelope? {
    guard (0...30).contains(zoom) else { return nil }
    let count = 1 << zoom
    guard (0..<count).contains(column), (0..<count).contains(row) else { return nil }
    let (half, side) = (WebMercator.halfWorld, 2 * WebMercator.halfWorld / Double(count))
    return Envelope(
      xMin: Double(column) * side - half, yMin: half - Double(row + 1) * side,
      xMax: Double(column + 1) * side - half, yMax: half - Double(row) * side, spatialReference: .webMercator)
  }
}
