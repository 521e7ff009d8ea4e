internal import CCompression
package import MapFeatures
import MapGeometry
import MapJSON
import MapSystem

/// Writes features as a GeoParquet 1.1 file: the fields with their types, then well-known binary and its boxes.
///
/// Rows are in the order of a Hilbert curve, in row groups of 65,536, so that readers can leave out groups by their
/// boxes. Pages are compressed with Zstandard. The same features give the same bytes for any number of threads.
///
/// - Source: GeoParquet 1.1, geoparquet.org; parquet-format 2.11.
package struct ParquetWriter {
  private let features: FeatureRows
  private let columns: [ParquetOutput]
  private let geo: String?
  private let rows: [Int]
  private let groupSize: Int

  /// Creates a writer of some features.
  ///
  /// - Parameters:
  ///   - projJSON: The definition of the spatial reference in PROJJSON; nil for WGS 84, and for an unknown one.
  ///   - keepsOrder: Whether the rows stay in their order.
  package init(
    _ features: FeatureRows, projJSON: String? = nil, keepsOrder: Bool = false, groupSize: Int = 65_536
  ) {
    (self.features, self.groupSize) = (features, max(1, groupSize))
    let table = features.table
    let fields = features.fields.map {
      WrittenColumn(table.schema.fields[$0], table.columns[$0], rows: features.rows)
    }
    // A file has at least one column.
    guard features.hasGeometry || fields.isEmpty && features.rows.isEmpty else {
      (columns, geo, rows) = (fields.map { ParquetOutput($0) }, nil, features.rows)
      return
    }
    let geometry = WrittenColumn(geometryOf: features)
    let boxes = EnvelopeColumns(ofRowsOf: table)
    let group = features.freeName(["bbox"], besides: geometry.name)
    let sides = [
      ("xmin", boxes.xMin), ("ymin", boxes.yMin), ("xmax", boxes.xMax), ("ymax", boxes.yMax),
    ].map { WrittenColumn(name: $0, $1, nullsOf: geometry) }
    columns = (fields + [geometry]).map { ParquetOutput($0) } + sides.map { ParquetOutput($0, group: group) }
    geo = Self.metadata(features, boxes, name: geometry.name, group: group, projJSON: projJSON)
    rows = keepsOrder ? features.rows : Self.ordered(features.rows, boxes)
  }

  /// Returns rows in the order of a Hilbert curve over their centers; those without geometry come last.
  private static func ordered(_ rows: [Int], _ boxes: EnvelopeColumns) -> [Int] {
    let centers = rows.map { boxes[$0].center }
    let order = hilbertOrder(x: centers.map(\.x), y: centers.map(\.y), runLimit: 16)
    return order.map { rows[Int($0)] }
      + rows.indices.filter { centers[$0].x.isNaN || centers[$0].y.isNaN }.map { rows[$0] }
  }

  /// Returns the `geo` metadata.
  private static func metadata(
    _ features: FeatureRows, _ boxes: EnvelopeColumns, name: String, group: String, projJSON: String?
  ) -> String {
    let extent = features.rows.reduce(Envelope.empty) { $0.union(boxes[$1]) }
    func path(_ side: String) -> JSONValue { .array([.string(group), .string(side)]) }
    var column = JSONObject()
    column["encoding"] = "WKB"
    column["geometry_types"] = .array(types(features).map { .string($0) })
    if let json = projJSON.flatMap({ try? JSONValue(parsing: $0) }) {
      column["crs"] = json
    } else if features.table.schema.spatialReference != .wgs84 {
      // Without the member, the coordinates would be degrees.
      column["crs"] = .null
    }
    column["orientation"] = "counterclockwise"
    if !extent.isEmpty {
      column["bbox"] = .array([extent.xMin, extent.yMin, extent.xMax, extent.yMax].map { .number($0) })
    }
    column["covering"] = [
      "bbox": ["xmin": path("xmin"), "ymin": path("ymin"), "xmax": path("xmax"), "ymax": path("ymax")]
    ]
    var columns = JSONObject()
    columns[name] = .object(column)
    let geo: JSONValue = [
      "version": "1.1.0", "primary_column": .string(name), "columns": .object(columns),
    ]
    return geo.text()
  }

  /// The types of the geometries, in the order of their codes.
  private static func types(_ features: FeatureRows) -> [String] {
    var codes: Set<Int> = []
    for row in features.rows {
      guard let buffer = features.table.buffer(ofRow: row) else { continue }
      switch buffer.kind {
      case .point: codes.insert(1)
      case .multipoint: codes.insert(4)
      case .polyline: codes.insert(buffer.parts(ofRow: row).count > 1 ? 5 : 2)
      case .polygon: codes.insert(buffer.polygons(ofRow: row).count > 1 ? 6 : 3)
      }
    }
    let names = ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon"]
    return codes.sorted().map { names[$0 - 1] }
  }

  // MARK: File

  /// Returns the bytes of a file.
  ///
  /// - Throws: ``ArrowError`` without the library of Zstandard, and for rows without any column.
  package func file() throws -> [UInt8] {
    guard !columns.isEmpty else {
      throw ArrowError("a Parquet file has at least one column: neither fields nor geometries are written")
    }
    let groups = rows.indices.pieces(of: groupSize)
    let encoded = try concurrentMap(groups.count) { group in
      try columns.map { try $0.chunk(rows[groups[group]]) }
    }
    var bytes = ParquetFooter.mark
    bytes.reserveCapacity(encoded.joined().reduce(1 << 16) { $0 + $1.bytes.count })
    var described: [ThriftValue] = []
    for (chunks, range) in zip(encoded, groups) {
      var members: [ThriftValue] = []
      let start = bytes.count
      for (column, chunk) in zip(columns, chunks) {
        members.append(column.description(of: chunk, at: bytes.count))
        bytes += chunk.bytes
      }
      described.append(
        .structure([
          (1, .list(members)), (2, .int64(chunks.reduce(0) { $0 + $1.uncompressedSize })),
          (3, .int64(range.count)), (5, .int64(start)), (6, .int64(bytes.count - start)),
        ]))
    }
    let footer = ThriftWriter.bytes(of: description(of: described))
    bytes += footer
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: footer.count >> shift))
    }
    return bytes + ParquetFooter.mark
  }

  private func description(of groups: [ThriftValue]) -> ThriftValue {
    let top = columns.filter { $0.group == nil }.count + (columns.contains { $0.group != nil } ? 1 : 0)
    var elements: [ThriftValue] = [.structure([(4, .text("schema")), (5, .int32(top))])]
    for (index, column) in columns.enumerated() {
      if let group = column.group, columns[index - 1].group == nil {
        elements.append(.structure([(3, .int32(1)), (4, .text(group)), (5, .int32(4))]))
      }
      elements.append(column.element)
    }
    var members: [(Int, ThriftValue)] = [
      (1, .int32(2)), (2, .list(elements)), (3, .int64(rows.count)), (4, .list(groups)),
    ]
    if let geo {
      members.append((5, .list([.structure([(1, .text("geo")), (2, .text(geo))])])))
    }
    members.append((6, .text("MapState version \(Release.version)")))
    // The order of the statistics is that of each type.
    members.append((7, .list(columns.map { _ in .structure([(1, .structure([]))]) })))
    return .structure(members)
  }
}

extension ParquetCodec {
  /// The level of compression.
  ///
  /// - Source: the library's default.
  private static let level: Int32 = 3

  /// Returns bytes compressed with Zstandard.
  ///
  /// Unsafe code is limited to lending bytes to the library.
  static func compressedWithZstandard(_ source: [UInt8]) throws(ArrowError) -> [UInt8] {
    guard !source.isEmpty else { return [] }
    var error = [CChar](repeating: 0, count: Int(CCOMPRESSION_ERROR_SIZE))
    // The bound of the library for bytes that cannot be compressed, rounded up.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: source.count + source.count >> 7 + 1024) {
      output, written in
      written = unsafe source.withUnsafeBufferPointer { source in
        unsafe error.withUnsafeMutableBufferPointer { error in
          guard let text = error.baseAddress, let target = output.baseAddress else { return 0 }
          return unsafe ccompression_zstd_compress(
            source.baseAddress, source.count, target, output.count, level, text)
        }
      }
    }
    guard !bytes.isEmpty else {
      let text = String(decoding: error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      throw ArrowError("cannot be compressed: \(text)")
    }
    return bytes
  }
}

extension EnvelopeColumns {
  /// Creates the envelopes of the rows of a table, in each of its kinds of geometry.
  fileprivate init(ofRowsOf table: FeatureColumns) {
    if let geometry = table.geometry, table.otherGeometries.isEmpty {
      self.init(of: geometry)
      return
    }
    self.init()
    for row in 0..<table.rowCount { append(table.buffer(ofRow: row)?.envelope(ofRow: row) ?? .empty) }
  }
}
