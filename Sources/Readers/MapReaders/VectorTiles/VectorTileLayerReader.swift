import MapFeatures
import MapGeometry
import MapSystem

/// A reader of the layers of one tile, which reuses its memory from layer to layer.
///
/// - Source: Mapbox Vector Tile specification 2.1, and its schema vector_tile.proto.
struct VectorTileLayerReader {
  /// The limits that are left for the rest of the tile.
  private var room: VectorTileLimits
  /// The problems so far.
  private(set) var problems = VectorTileProblems()

  /// The name of the current layer.
  private var name = ""
  // The fields of the current layer, by the ranges of their bytes.
  private var features: [Range<Int>] = []
  private var keys: [Range<Int>] = []
  private var values: [Range<Int>] = []
  /// The rows of the current layer.
  private var rows: VectorTileRows
  /// The tags or the geometry of the current feature if they are not packed, as if they were.
  private var (tagBytes, geometryBytes): ([UInt8], [UInt8]) = ([], [])

  init(limits: VectorTileLimits) { (room, rows) = (limits, VectorTileRows(vertexRoom: limits.vertices)) }

  /// The fields of a layer that occur once.
  private struct Head {
    var name: Range<Int>?
    var version: UInt64?
    var extent: UInt64?
  }

  /// Reads a layer; nil for a layer that is not wanted, or of an unknown version.
  ///
  /// - Parameters:
  ///   - tile: the bytes of the tile.
  ///   - range: the range of the layer in it.
  ///   - number: the number of the layer, from 1.
  ///   - wanted: the names of the layers to read; nil for all.
  /// - Throws: ``VectorTileError``.
  mutating func layer(
    _ tile: Span<UInt8>, _ range: Range<Int>, number: Int, wanted: Set<String>?
  ) throws(VectorTileError) -> VectorTileLayer? {
    let head: Head
    do throws(ProtobufError) { head = try readHead(tile, range) } catch {
      throw VectorTileError("layer number \(number): \(error)")
    }
    guard let place = head.name else { throw VectorTileError("layer number \(number) has no name") }
    var repaired = 0
    name = String(tileText: tile.extracting(place), repaired: &repaired)
    if let wanted, !wanted.contains(name) { return nil }
    guard let version = head.version else { throw VectorTileError("\(label) has no version") }
    guard version == 1 || version == 2 else {
      problems.append(.version(version), layer: name, skipped: true)
      return nil
    }
    // Encoders leave out the default of vector_tile.proto.
    let extent = head.extent ?? 4096
    guard extent > 0, extent < 1 << 32 else { throw VectorTileError("\(label) has the extent \(extent)") }
    try takeRoom()

    var keys = VectorTileKeys(keys, tile, repaired: &repaired)
    let table = try readValues(tile, repaired: &repaired)
    if repaired > 0 { problems.append(.notUTF8(count: repaired), layer: name) }
    rows.removeAll()
    for index in features.indices {
      do throws(VectorTileError) {
        try readFeature(index, tile, &keys, valueCount: table.count)
      } catch { throw VectorTileError("\(label), feature \(index + 1): \(error)") }
    }
    return VectorTileLayer(
      name: name, version: Int(truncatingIfNeeded: version), extent: Int(truncatingIfNeeded: extent),
      fields: keys.fields, values: table, tags: rows.tags.copied(), ids: rows.ids.copied(),
      rowsWithID: rows.rowsWithID, kinds: rows.kinds.copied(),
      geometries: rows.geometries.buffers(rowCount: rows.kinds.count))
  }

  /// Notes that several layers have a name.
  mutating func noteRepeatedName(_ name: String) { problems.append(.repeatedName, layer: name) }

  /// The current layer in messages.
  private var label: String { "layer \"\(MessageText.name(name))\"" }

  /// Takes the features, keys and values of the current layer from the room that is left.
  private mutating func takeRoom() throws(VectorTileError) {
    guard features.count <= room.features else {
      throw VectorTileError("\(label): its features are more than the limit of a tile")
    }
    guard keys.count + values.count <= room.values else {
      throw VectorTileError("\(label): its keys and values are more than the limit of a tile")
    }
    room.features -= features.count
    room.values -= keys.count + values.count
  }

  // MARK: Layers

  private mutating func readHead(_ tile: Span<UInt8>, _ range: Range<Int>) throws(ProtobufError) -> Head {
    features.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    var (cursor, head) = (ProtobufCursor(range), Head())
    while let (field, content) = try cursor.next(tile) {
      switch (field, content) {
      case (2, .bytes(let range)):
        // One more than the limit is enough to refuse the layer.
        if features.count <= room.features { features.append(range) }
      case (3, .bytes(let range)): if keys.count <= room.values { keys.append(range) }
      case (4, .bytes(let range)): if values.count <= room.values { values.append(range) }
      case (1, .bytes(let range)): head.name = range
      case (5, .varint(let number)): head.extent = number
      case (15, .varint(let number)): head.version = number
      case (1...5, _), (15, _): throw ProtobufError("field \(field) of it has another type")
      default: continue
      }
    }
    return head
  }

  private func readValues(
    _ tile: Span<UInt8>, repaired: inout Int
  ) throws(VectorTileError) -> [VectorTileValue] {
    var table: [VectorTileValue] = []
    table.reserveCapacity(values.count)
    for range in values {
      do throws(ProtobufError) {
        table.append(try VectorTileValue(reading: tile, range, repaired: &repaired))
      } catch { throw VectorTileError("\(label), value \(table.count): \(error)") }
    }
    return table
  }

  // MARK: Features

  /// The fields of a feature; tags and geometry by the ranges of their packed bytes.
  private struct Feature {
    var id: UInt64?
    var type: UInt64 = 0
    var tags = 0..<0
    var geometry = 0..<0
    var geometryCount = 0
    /// Whether tags or geometry are numbers of their own, as protocol buffers allow.
    var (hasLooseTags, hasLooseGeometry) = (false, false)
  }

  private mutating func readFeature(
    _ index: Int, _ tile: Span<UInt8>, _ keys: inout VectorTileKeys, valueCount: Int
  ) throws(VectorTileError) {
    let feature: Feature
    do throws(ProtobufError) { feature = try readFields(tile, features[index]) } catch {
      throw VectorTileError(error.description)
    }
    guard feature.geometryCount > 0 else { return skip(index, .noGeometry) }
    guard let kind = VectorTileGeometries.Kind(rawValue: feature.type) else {
      return skip(index, .geometryType(feature.type))
    }
    guard feature.geometryCount == 1 else { return skip(index, .severalGeometries) }
    let shape: (kind: GeometryKind, remarks: VectorTileGeometries.Remarks)?
    if feature.hasLooseGeometry {
      let loose = geometryBytes
      shape = try rows.geometries.append(kind, row: rows.kinds.count, loose.span)
    } else {
      shape = try rows.geometries.append(kind, row: rows.kinds.count, tile.extracting(feature.geometry))
    }
    guard let shape else { return skip(index, .emptyParts) }
    rows.append(id: feature.id, shape.kind)
    let isRepeated: Bool
    if feature.hasLooseTags {
      let loose = tagBytes
      isRepeated = try rows.tags.append(loose.span, keys: &keys, valueCount: valueCount)
    } else {
      isRepeated = try rows.tags.append(tile.extracting(feature.tags), keys: &keys, valueCount: valueCount)
    }
    if isRepeated { problems.append(.repeatedKey, layer: name, feature: index + 1) }
    if !shape.remarks.isEmpty { note(shape.remarks, feature: index + 1) }
  }

  private mutating func skip(_ index: Int, _ reason: VectorTileProblem.Reason) {
    problems.append(reason, layer: name, feature: index + 1, skipped: true)
  }

  private mutating func note(_ remarks: VectorTileGeometries.Remarks, feature: Int) {
    let reasons: [(VectorTileGeometries.Remarks, VectorTileProblem.Reason)] = [
      (.emptyParts, .emptyParts), (.repeatedVertices, .repeatedVertices), (.openRings, .openRings),
      (.noExteriorRing, .noExteriorRing), (.splitCommands, .splitCommands),
    ]
    for (remark, reason) in reasons where remarks.contains(remark) {
      problems.append(reason, layer: name, feature: feature)
    }
  }

  private mutating func readFields(
    _ tile: Span<UInt8>, _ range: Range<Int>
  ) throws(ProtobufError) -> Feature {
    var (cursor, feature) = (ProtobufCursor(range), Feature())
    while let (field, content) = try cursor.next(tile) {
      switch (field, content) {
      case (1, .varint(let number)): feature.id = number
      case (2, .bytes(let range)) where feature.tags.isEmpty && !feature.hasLooseTags: feature.tags = range
      case (2, .bytes(let range)):
        // Protocol buffers join packed fields.
        loosenTags(&feature, tile)
        Self.append(tile.extracting(range), to: &tagBytes)
      case (2, .varint(let number)):
        loosenTags(&feature, tile)
        Self.append(number, to: &tagBytes)
      case (3, .varint(let number)): feature.type = number
      case (4, .bytes(let range)):
        guard !range.isEmpty else { continue }
        feature.geometry = range
        feature.geometryCount += 1
      case (4, .varint(let number)):
        if !feature.hasLooseGeometry {
          geometryBytes.removeAll(keepingCapacity: true)
          feature.hasLooseGeometry = true
          feature.geometryCount += 1
        }
        Self.append(number, to: &geometryBytes)
      case (1...4, _): throw ProtobufError("field \(field) of it has another type")
      default: continue
      }
    }
    return feature
  }

  private mutating func loosenTags(_ feature: inout Feature, _ tile: Span<UInt8>) {
    guard !feature.hasLooseTags else { return }
    tagBytes.removeAll(keepingCapacity: true)
    Self.append(tile.extracting(feature.tags), to: &tagBytes)
    (feature.tags, feature.hasLooseTags) = (0..<0, true)
  }

  private static func append(_ source: Span<UInt8>, to bytes: inout [UInt8]) {
    for index in source.indices { bytes.append(source[index]) }
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
