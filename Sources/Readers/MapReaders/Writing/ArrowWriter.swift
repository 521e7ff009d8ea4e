package import MapFeatures
import MapFilter
import MapGeometry

/// Writes features as an Arrow IPC stream or file: the fields with their types, then the geometry as `geoarrow.wkb`.
///
/// Geometries keep the spatial reference of the table. The same features give the same bytes.
///
/// - Source: Arrow Columnar Format 1.5, "Serialization and Interprocess Communication"; GeoArrow 0.2, "Extension types".
package struct ArrowWriter {
  private let features: FeatureRows
  private let columns: [ArrowOutput]
  /// The number of rows in a record batch.
  private let batchSize: Int
  /// The number of bytes of a column from which a record batch is divided; the offsets have 31 bits.
  private static let largestColumn = 1 << 30

  /// Creates a writer of some features.
  package init(_ features: FeatureRows, batchSize: Int = 65_536) {
    (self.features, self.batchSize) = (features, max(1, batchSize))
    let table = features.table
    columns =
      features.fields.map {
        ArrowOutput(WrittenColumn(table.schema.fields[$0], table.columns[$0], rows: features.rows))
      }
      + (features.hasGeometry
        ? [ArrowOutput(WrittenColumn(geometryOf: features), wkid: table.schema.spatialReference?.wkid)] : [])
  }

  /// Returns the bytes of a stream.
  package func stream() -> [UInt8] {
    var bytes = Self.message(schema)
    forEachBatch { bytes += $0.message + $0.body }
    return bytes + Self.end
  }

  /// Returns the bytes of a file.
  package func file() -> [UInt8] {
    let mark = Array("ARROW1".utf8)
    var (bytes, blocks) = (mark + [0, 0] + Self.message(schema), [Int]())
    forEachBatch { batch in
      blocks += [bytes.count, batch.message.count, batch.body.count]
      bytes += batch.message + batch.body
    }
    bytes += Self.end
    let footer = FlatBufferWriter.bytes(
      of: .table([.short(4), schema, .longs([], perElement: 3), .longs(blocks, perElement: 3)]))
    bytes += footer
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: footer.count >> shift))
    }
    return bytes + mark
  }

  /// The mark after the last message.
  private static let end: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]

  private var schema: FlatValue { .table([nil, .tables(columns.map(\.field))]) }

  /// Returns a message with a schema, or before a body.
  private static func message(_ header: FlatValue, isSchema: Bool = true, bodySize: Int = 0) -> [UInt8] {
    var content = FlatBufferWriter.bytes(
      of: .table([.short(4), .byte(isSchema ? 1 : 3), header, .long(bodySize)]))
    while content.count % 8 != 0 { content.append(0) }
    var bytes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: content.count >> shift))
    }
    return bytes + content
  }

  private func forEachBatch(_ use: ((message: [UInt8], body: [UInt8])) -> Void) {
    for start in stride(from: 0, to: features.rows.count, by: batchSize) {
      append(features.rows[start..<min(features.rows.count, start + batchSize)], use)
    }
  }

  /// Passes on a record batch of some rows, or several if their bytes are too many for one.
  private func append(_ rows: ArraySlice<Int>, _ use: ((message: [UInt8], body: [UInt8])) -> Void) {
    var (body, nodes, buffers) = ([UInt8](), [Int](), [Int]())
    for column in columns {
      let values = column.values(rows)
      if values.buffers.contains(where: { $0.count > Self.largestColumn }), rows.count > 1 {
        let middle = rows.startIndex + rows.count / 2
        append(rows[..<middle], use)
        append(rows[middle...], use)
        return
      }
      nodes += [rows.count, values.nullCount]
      for buffer in values.buffers {
        buffers += [body.count, buffer.count]
        body += buffer
        while body.count % 8 != 0 { body.append(0) }
      }
    }
    let batch = FlatValue.table([
      .long(rows.count), .longs(nodes, perElement: 2), .longs(buffers, perElement: 2),
    ])
    use((Self.message(batch, isSchema: false, bodySize: body.count), body))
  }
}

/// A column of Arrow data to be written: its description, and its values by rows.
struct ArrowOutput {
  /// The description as a table of `Schema.fbs`.
  let field: FlatValue
  private let column: WrittenColumn

  /// Creates the output of a column; `wkid` is the spatial reference of one of geometries.
  init(_ column: WrittenColumn, wkid: Int? = nil) {
    self.column = column
    var metadata: FlatValue?
    let (code, type): (Int, [FlatValue?])
    switch column.values {
    case .integers(_, let size): (code, type) = (2, [.int(8 * size), .byte(1)])
    case .reals(_, let size): (code, type) = (3, [.short(size == 4 ? 1 : 2)])
    case .geometries:
      (code, type) = (4, [])
      metadata = Self.metadata(wkid)
    case .texts: (code, type) = (5, [])
    case .booleans: (code, type) = (6, [])
    case .days: (code, type) = (8, [.short(0)])
    case .times: (code, type) = (9, [.short(2), .int(64)])
    case .instants: (code, type) = (10, [.short(2), .text("UTC")])
    }
    field = .table(
      [
        .text(column.name), .byte(column.isNullable ? 1 : 0), .byte(code), .table(type), nil, .tables([]),
      ] + (metadata.map { [$0] } ?? []))
  }

  /// Returns the metadata of `geoarrow.wkb`.
  private static func metadata(_ wkid: Int?) -> FlatValue {
    // The codes of EPSG end at 32767; those above are Esri's.
    let crs = wkid.map { #"{"crs":"\#($0 > 32_767 ? "ESRI" : "EPSG"):\#($0)","crs_type":"authority_code"}"# }
    return .tables([
      .table([.text("ARROW:extension:name"), .text("geoarrow.wkb")]),
      .table([.text("ARROW:extension:metadata"), .text(crs ?? "{}")]),
    ])
  }

  /// Returns the buffers of some rows, first the one of the nulls, which is empty without nulls.
  func values(_ rows: ArraySlice<Int>) -> (nullCount: Int, buffers: [[UInt8]]) {
    var (nulls, missing): (Int, [UInt8]) = (0, Array(repeating: 0, count: (rows.count + 7) / 8))
    var values: [UInt8] = []
    var texts: [UInt8]?
    func append<Number: FixedWidthInteger>(_ number: Number, size: Int = Number.bitWidth / 8) {
      for shift in stride(from: 0, to: 8 * size, by: 8) {
        values.append(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
    switch column.values {
    case .texts, .geometries:
      append(Int32(0))
      texts = []
    default: break
    }
    for (index, row) in rows.enumerated() {
      let isNull = column.isNull(row)
      if isNull { nulls += 1 } else { missing[index >> 3] |= 1 << UInt8(index & 7) }
      switch column.values {
      case .integers(let numbers, let size): append(isNull ? 0 : numbers[row], size: size)
      case .times(let numbers), .instants(let numbers): append(isNull ? 0 : numbers[row])
      case .reals(let numbers, size: 4): append(isNull ? 0 : Float(numbers[row]).bitPattern)
      case .reals(let numbers, _): append(isNull ? 0 : numbers[row].bitPattern)
      case .booleans(let flags):
        if index & 7 == 0 { values.append(0) }
        if !isNull, flags[row] { values[index >> 3] |= 1 << UInt8(index & 7) }
      case .days(let days): append(isNull ? 0 : days[row])
      case .texts(let codes, let dictionary):
        if !isNull { texts?.append(contentsOf: dictionary[Int(codes[row])].utf8) }
        append(Int32(truncatingIfNeeded: texts?.count ?? 0))
      case .geometries(let table):
        if let buffer = table.buffer(ofRow: row) {
          texts?.append(contentsOf: WellKnownBinary.bytes(of: buffer, row: row))
        }
        append(Int32(truncatingIfNeeded: texts?.count ?? 0))
      }
    }
    return (nulls, [nulls == 0 ? [] : missing, values] + (texts.map { [$0] } ?? []))
  }
}
