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
      features.fields.map { ArrowOutput(table.schema.fields[$0], table.columns[$0], rows: features.rows) }
      + (features.hasGeometry ? [ArrowOutput(geometryOf: table, fields: features.fields)] : [])
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

/// A column to be written: its description, and its values by rows.
struct ArrowOutput {
  fileprivate enum Source {
    case integers([Int64], size: Int)
    case reals([Double], size: Int)
    case booleans([Bool])
    case days([Int32])
    case texts(codes: [Int32], dictionary: [String])
    case geometry(FeatureColumns)
  }

  /// The description as a table of `Schema.fbs`.
  let field: FlatValue
  private let source: Source
  private let validity: RowSet?

  init(_ field: Field, _ column: Column, rows: [Int]) {
    validity = column.validity
    let (code, type): (Int, [FlatValue?])
    func fits(_ isFitting: (Int) -> Bool) -> Bool {
      rows.allSatisfy { !column.isValid($0) || isFitting($0) }
    }
    switch column.storage {
    case .integers, .shortIntegers:
      let values = column.integers ?? []
      var size = 8
      if field.fieldType == .int16, fits({ Int16(exactly: values[$0]) != nil }) { size = 2 }
      if field.fieldType == .int32, fits({ Int32(exactly: values[$0]) != nil }) { size = 4 }
      (code, type, source) = (2, [.int(8 * size), .byte(1)], .integers(values, size: size))
    case .reals(let values):
      let isSingle = field.fieldType == .float32 && fits { Double(Float(values[$0])) == values[$0] }
      (code, type, source) = (3, [.short(isSingle ? 1 : 2)], .reals(values, size: isSingle ? 4 : 8))
    case .booleans(let values): (code, type, source) = (6, [], .booleans(values))
    case .text(let codes, let dictionary):
      if field.fieldType == .timeOnly, let times = Self.times(dictionary) {
        let values = codes.map { $0 < 0 ? 0 : times[Int($0)] }
        (code, type, source) = (9, [.short(2), .int(64)], .integers(values, size: 8))
      } else {
        (code, type, source) = (5, [], .texts(codes: codes, dictionary: dictionary))
      }
    case .dates(let days): (code, type, source) = (8, [.short(0)], .days(days))
    case .instants(let values):
      (code, type, source) = (10, [.short(2), .text("UTC")], .integers(values, size: 8))
    }
    self.field = .table([
      .text(field.name), .byte(field.isNullable || validity != nil ? 1 : 0), .byte(code), .table(type), nil,
      .tables([]),
    ])
  }

  /// Returns times of day in microseconds since midnight; nil if a text is none, or is more exact.
  static func times(_ texts: [String]) -> [Int64]? {
    var times: [Int64] = []
    for text in texts {
      guard
        let parts = text.wholeMatch(of: #/([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,6}))?/#),
        let hour = Int64(parts.1), let minute = Int64(parts.2), let second = Int64(parts.3)
      else { return nil }
      let digits = parts.4.map { $0 + String(repeating: "0", count: 6 - $0.count) } ?? "0"
      times.append((hour * 3600 + minute * 60 + second) * 1_000_000 + (Int64(digits) ?? 0))
    }
    return times
  }

  init(geometryOf table: FeatureColumns, fields: [Int]) {
    (source, validity) = (.geometry(table), nil)
    let taken = Set(fields.map { table.schema.fields[$0].name })
    let names = [table.schema.geometryName, "geometry", "geom", "wkb_geometry"]
    var name = names.first { !taken.contains($0) } ?? "geometry"
    while taken.contains(name) { name += "_" }
    var metadata = "{}"
    if let wkid = table.schema.spatialReference?.wkid {
      // The codes of EPSG end at 32767; those above are Esri's.
      metadata = #"{"crs":"\#(wkid > 32_767 ? "ESRI" : "EPSG"):\#(wkid)","crs_type":"authority_code"}"#
    }
    field = .table([
      .text(name), .byte(1), .byte(4), .table([]), nil, .tables([]),
      .tables([
        .table([.text("ARROW:extension:name"), .text("geoarrow.wkb")]),
        .table([.text("ARROW:extension:metadata"), .text(metadata)]),
      ]),
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
    if source.isBytes {
      append(Int32(0))
      texts = []
    }
    for (index, row) in rows.enumerated() {
      let isNull = isNull(row)
      if isNull { nulls += 1 } else { missing[index >> 3] |= 1 << UInt8(index & 7) }
      switch source {
      case .integers(let numbers, let size): append(isNull ? 0 : numbers[row], size: size)
      case .reals(let numbers, size: 4): append(isNull ? 0 : Float(numbers[row]).bitPattern)
      case .reals(let numbers, _): append(isNull ? 0 : numbers[row].bitPattern)
      case .booleans(let flags):
        if index & 7 == 0 { values.append(0) }
        if !isNull, flags[row] { values[index >> 3] |= 1 << UInt8(index & 7) }
      case .days(let days): append(isNull ? 0 : days[row])
      case .texts(let codes, let dictionary):
        if !isNull { texts?.append(contentsOf: dictionary[Int(codes[row])].utf8) }
        append(Int32(truncatingIfNeeded: texts?.count ?? 0))
      case .geometry(let table):
        if let buffer = table.buffer(ofRow: row) {
          texts?.append(contentsOf: WellKnownBinary.bytes(of: buffer, row: row))
        }
        append(Int32(truncatingIfNeeded: texts?.count ?? 0))
      }
    }
    return (nulls, [nulls == 0 ? [] : missing, values] + (texts.map { [$0] } ?? []))
  }

  private func isNull(_ row: Int) -> Bool {
    if case .geometry(let table) = source { return table.buffer(ofRow: row) == nil }
    return validity.map { !$0.contains(row) } ?? false
  }
}

extension ArrowOutput.Source {
  /// Whether the values have several lengths.
  fileprivate var isBytes: Bool {
    switch self {
    case .texts, .geometry: true
    default: false
    }
  }
}
