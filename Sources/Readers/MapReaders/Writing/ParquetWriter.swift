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
    var taken = Set(features.fields.map { table.schema.fields[$0].name })
    var columns = features.fields.map {
      ParquetOutput(table.schema.fields[$0], table.columns[$0], rows: features.rows)
    }
    var geo: String?
    if features.hasGeometry {
      func free(_ names: [String]) -> String {
        var name = names.first { !taken.contains($0) } ?? names[0]
        while taken.contains(name) { name += "_" }
        taken.insert(name)
        return name
      }
      let name = free([table.schema.geometryName, "geometry", "geom", "wkb_geometry"])
      let box = free(["bbox"])
      columns.append(ParquetOutput(geometryOf: table, name: name))
      columns += ParquetOutput.boxes(of: table, name: box)
      geo = Self.metadata(features, name: name, box: box, projJSON: projJSON)
    }
    (self.columns, self.geo) = (columns, geo)
    rows = keepsOrder || !features.hasGeometry ? features.rows : Self.ordered(features)
  }

  /// Returns the rows in the order of a Hilbert curve over their centers; those without geometry come last.
  private static func ordered(_ features: FeatureRows) -> [Int] {
    let centers = features.rows.map { row -> (x: Double, y: Double) in
      guard let buffer = features.table.buffer(ofRow: row) else { return (.nan, .nan) }
      let box = buffer.envelope(ofRow: row)
      return (box.center.x, box.center.y)
    }
    let order = hilbertOrder(x: centers.map(\.x), y: centers.map(\.y), runLimit: 16)
    return order.map { features.rows[Int($0)] }
      + features.rows.indices.filter { centers[$0].x.isNaN || centers[$0].y.isNaN }.map { features.rows[$0] }
  }

  /// Returns the `geo` metadata.
  private static func metadata(
    _ features: FeatureRows, name: String, box: String, projJSON: String?
  ) -> String {
    let extent = features.extent
    func path(_ side: String) -> JSONValue { .array([.string(box), .string(side)]) }
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
  /// - Throws: ``ArrowError`` without the library of Zstandard.
  package func file() throws -> [UInt8] {
    let groups = rows.indices.pieces(of: groupSize)
    let encoded = try concurrentMap(groups.count) { group in
      try columns.map { try $0.chunk(rows[groups[group]]) }
    }
    var bytes = ParquetFooter.mark
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
