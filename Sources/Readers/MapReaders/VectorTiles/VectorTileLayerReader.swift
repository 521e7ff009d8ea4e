import MapFeatures
import MapGeometry
import MapSystem

/// A reader of the layers of one tile, which reuses its buffers from layer to layer.
///
/// - Source: Mapbox Vector Tile specification 2.1, and its schema vector_tile.proto.
struct VectorTileLayerReader {
  private let bytes: [UInt8]
  /// What may still be read within the limits.
  private var room: VectorTileLimits
  /// The problems so far.
  private(set) var problems = VectorTileProblems()

  // The fields of the current layer, by the ranges of their bytes.
  private var features: [Range<Int>] = []
  private var keys: [Range<Int>] = []
  private var values: [Range<Int>] = []
  /// The tags or the geometry of the current feature if they are not packed, as if they were.
  private var (tagBytes, geometryBytes): ([UInt8], [UInt8]) = ([], [])

  init(_ bytes: [UInt8], limits: VectorTileLimits) { (self.bytes, room) = (bytes, limits) }

  /// The fields of a layer that occur once.
  private struct Head {
    var name: Range<Int>?
    var version: UInt64?
    var extent: UInt64?
  }

  /// Reads a layer; nil for a layer that is not wanted, or of an unknown version.
  ///
  /// - Throws: ``VectorTileError``.
  mutating func layer(
    _ range: Range<Int>, number: Int, wanted: Set<String>?
  ) throws(VectorTileError) -> VectorTileLayer? {
    let head: Head
    do throws(ProtobufError) { head = try readHead(range) } catch {
      throw VectorTileError("layer number \(number): \(error)")
    }
    guard let place = head.name else { throw VectorTileError("layer number \(number) has no name") }
    var repaired = 0
    let name = String(tileText: bytes, place, repaired: &repaired)
    if let wanted, !wanted.contains(name) { return nil }
    let label = "layer \"\(MessageText.name(name))\""
    guard let version = head.version else { throw VectorTileError("\(label) has no version") }
    guard version == 1 || version == 2 else {
      problems.append(.version(version), layer: name, skipped: true)
      return nil
    }
    if head.extent == nil, version > 1 { problems.append(.noExtent, layer: name) }
    let extent = head.extent ?? 4096
    guard extent > 0, extent < 1 << 32 else { throw VectorTileError("\(label) has the extent \(extent)") }
    try count(features.count, of: \.features, "features", label)
    try count(keys.count + values.count, of: \.values, "keys and values", label)

    let (fields, fieldsOfKeys) = readFields(&repaired)
    var table: [VectorTileValue] = []
    table.reserveCapacity(values.count)
    for (index, range) in values.enumerated() {
      do throws(ProtobufError) {
        table.append(try VectorTileValue(reading: bytes, range, repaired: &repaired))
      } catch { throw VectorTileError("\(label), value \(index): \(error)") }
    }
    if repaired > 0 { problems.append(.notUTF8(count: repaired), layer: name) }

    var rows = Rows(fieldCount: fields.count, vertexRoom: room.vertices)
    rows.reserve(features.count)
    for index in features.indices {
      do throws(VectorTileError) {
        try readFeature(
          index, layer: name, into: &rows, fieldsOfKeys: fieldsOfKeys.span, valueCount: table.count)
      } catch { throw VectorTileError("\(label), feature \(index + 1): \(error)") }
    }
    room.vertices = rows.geometries.vertexRoom
    rows.tags.finish()
    return VectorTileLayer(
      name: name, version: Int(truncatingIfNeeded: version), extent: Int(truncatingIfNeeded: extent),
      fields: fields, values: table, tags: rows.tags, ids: rows.ids, rowsWithID: rows.rowsWithID,
      kinds: rows.kinds, geometries: rows.geometries.buffers(rowCount: rows.kinds.count))
  }

  /// Notes that several layers have a name.
  mutating func noteRepeatedName(_ name: String) { problems.append(.repeatedName, layer: name) }

  private mutating func count(
    _ number: Int, of limit: WritableKeyPath<VectorTileLimits, Int>, _ what: String, _ label: String
  ) throws(VectorTileError) {
    guard number <= room[keyPath: limit] else {
      throw VectorTileError("\(label): its \(what) are more than the limit of a tile")
    }
    room[keyPath: limit] -= number
  }

  // MARK: Fields

  private mutating func readHead(_ range: Range<Int>) throws(ProtobufError) -> Head {
    features.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    let bytes = bytes
    let span = bytes.span
    var (cursor, head) = (ProtobufCursor(range), Head())
    while let (field, content) = try cursor.next(span) {
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

  /// Returns the different keys, and the field of each key.
  private func readFields(_ repaired: inout Int) -> (fields: [String], fieldsOfKeys: [Int32]) {
    var (fields, known): ([String], [String: Int32]) = ([], [:])
    let fieldsOfKeys = keys.map { range in
      let key = String(tileText: bytes, range, repaired: &repaired)
      let field = known[key] ?? Int32(truncatingIfNeeded: fields.count)
      if Int(field) == fields.count {
        fields.append(key)
        known[key] = field
      }
      return field
    }
    return (fields, fieldsOfKeys)
  }

  // MARK: Features

  /// The rows of a layer while it is read.
  private struct Rows {
    var tags: VectorTileTags
    var geometries: VectorTileGeometries
    var ids: [UInt64] = []
    var kinds: [GeometryKind] = []
    private var rowsWithoutID: [Int] = []

    init(fieldCount: Int, vertexRoom: Int) {
      tags = VectorTileTags(fieldCount: fieldCount)
      geometries = VectorTileGeometries(vertexRoom: vertexRoom)
    }

    mutating func reserve(_ rows: Int) {
      ids.reserveCapacity(rows)
      kinds.reserveCapacity(rows)
    }

    mutating func append(id: UInt64?, _ kind: GeometryKind) {
      if id == nil { rowsWithoutID.append(ids.count) }
      ids.append(id ?? 0)
      kinds.append(kind)
    }

    var rowsWithID: RowSet? {
      guard !rowsWithoutID.isEmpty else { return nil }
      var rows = RowSet(rowCount: ids.count, all: true)
      for row in rowsWithoutID { rows.remove(row) }
      return rows
    }
  }

  /// The fields of a feature; tags and geometry by the ranges of their packed bytes.
  private struct Feature {
    var id: UInt64?
    var type: UInt64 = 0
    var tags: Range<Int>?
    var geometry: Range<Int>?
    var geometryCount = 0
    /// Whether tags or geometry are numbers of their own, as protocol buffers allow.
    var (hasLooseTags, hasLooseGeometry) = (false, false)
  }

  private mutating func readFeature(
    _ index: Int, layer: String, into rows: inout Rows, fieldsOfKeys: Span<Int32>, valueCount: Int
  ) throws(VectorTileError) {
    let feature: Feature
    do throws(ProtobufError) { feature = try readFields(features[index]) } catch {
      throw VectorTileError(error.description)
    }
    let reason: VectorTileProblem.Reason?
    switch (feature.geometryCount, VectorTileGeometries.Kind(rawValue: feature.type)) {
    case (0, _): reason = .noGeometry
    case (_, nil): reason = .geometryType(feature.type)
    case (2..., _): reason = .severalGeometries
    case (_, let kind?):
      let source = feature.hasLooseGeometry ? geometryBytes : bytes
      let range = feature.geometry ?? 0..<geometryBytes.count
      if let (kind, remarks) = try rows.geometries.append(
        kind, row: rows.kinds.count, source.span.extracting(range))
      {
        try append(feature, kind, &rows, index, layer, fieldsOfKeys, valueCount)
        note(remarks, layer: layer, feature: index + 1)
        return
      }
      reason = .emptyParts
    }
    if let reason { problems.append(reason, layer: layer, feature: index + 1, skipped: true) }
  }

  private mutating func append(
    _ feature: Feature, _ kind: GeometryKind, _ rows: inout Rows, _ index: Int, _ layer: String,
    _ fieldsOfKeys: Span<Int32>, _ valueCount: Int
  ) throws(VectorTileError) {
    rows.append(id: feature.id, kind)
    let source = feature.hasLooseTags ? tagBytes : bytes
    let range = feature.tags ?? 0..<(feature.hasLooseTags ? tagBytes.count : 0)
    let isRepeated = try rows.tags.append(
      source.span.extracting(range), fieldsOfKeys: fieldsOfKeys, valueCount: valueCount)
    if isRepeated { problems.append(.repeatedKey, layer: layer, feature: index + 1) }
  }

  private mutating func note(_ remarks: VectorTileGeometries.Remarks, layer: String, feature: Int) {
    guard !remarks.isEmpty else { return }
    if remarks.contains(.emptyParts) { problems.append(.emptyParts, layer: layer, feature: feature) }
    if remarks.contains(.repeatedVertices) {
      problems.append(.repeatedVertices, layer: layer, feature: feature)
    }
    if remarks.contains(.openRings) { problems.append(.openRings, layer: layer, feature: feature) }
    if remarks.contains(.noExteriorRing) { problems.append(.noExteriorRing, layer: layer, feature: feature) }
    if remarks.contains(.splitCommands) { problems.append(.splitCommands, layer: layer, feature: feature) }
  }

  private mutating func readFields(_ range: Range<Int>) throws(ProtobufError) -> Feature {
    let bytes = bytes
    let span = bytes.span
    var (cursor, feature) = (ProtobufCursor(range), Feature())
    while let (field, content) = try cursor.next(span) {
      switch (field, content) {
      case (1, .varint(let number)): feature.id = number
      case (2, .bytes(let range)) where feature.tags == nil && !feature.hasLooseTags: feature.tags = range
      case (2, .bytes(let range)):
        // Protocol buffers join packed fields.
        loosenTags(&feature)
        tagBytes += bytes[range]
      case (2, .varint(let number)):
        loosenTags(&feature)
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

  private mutating func loosenTags(_ feature: inout Feature) {
    guard !feature.hasLooseTags else { return }
    tagBytes.removeAll(keepingCapacity: true)
    if let range = feature.tags { tagBytes += bytes[range] }
    (feature.tags, feature.hasLooseTags) = (nil, true)
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
