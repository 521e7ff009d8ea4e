import MapFeatures
import MapReaders

/// A Parquet file that is put together by hand, with one field or more, so that each of its parts can be wrong.
struct ParquetSample {
  /// The elements of the schema after the root.
  var elements: [ThriftValue] = [ParquetSample.column("a", type: 2, repetition: 1)]
  /// The number of children of the root; nil for that of the elements.
  var childCount: Int?
  /// The pages of each column; each row group has one part.
  var pages: [[UInt8]] = [ParquetSample.plainPage([1, 2, 3])]
  var types = [2]
  var codec = 0
  var rowCount = 3
  var valueCount: Int?
  /// The number of row groups that name the same pages.
  var groupCount = 1
  /// The number of rows in the footer; nil for the right one.
  var statedRows: Int?
  /// Other members of each column's metadata, by their numbers.
  var members: [Int: ThriftValue] = [:]
  /// Other members of each column.
  var chunkMembers: [(Int, ThriftValue)] = []
  var metadata: [(String, String)] = []

  /// The bytes of the file.
  var bytes: [UInt8] {
    var bytes = Array("PAR1".utf8)
    var chunks: [ThriftValue] = []
    for (index, content) in pages.enumerated() {
      var fields: [Int: ThriftValue] = [
        1: .int32(types[index]), 2: .list([.int32(0)]), 3: .list([.text("a")]), 4: .int32(codec),
        5: .int64(valueCount ?? rowCount), 6: .int64(content.count), 7: .int64(content.count),
        9: .int64(bytes.count),
      ]
      fields.merge(members) { $1 }
      bytes += content
      let own = ThriftValue.structure(fields.keys.sorted().compactMap { id in fields[id].map { (id, $0) } })
      chunks.append(.structure([(2, .int64(0)), (3, own)] + chunkMembers))
    }
    let group = ThriftValue.structure([(1, .list(chunks)), (2, .int64(0)), (3, .int64(rowCount))])
    let root = ThriftValue.structure([(4, .text("schema")), (5, .int32(childCount ?? elements.count))])
    return Self.file(
      bytes,
      .structure([
        (1, .int32(2)), (2, .list([root] + elements)), (3, .int64(statedRows ?? rowCount * groupCount)),
        (4, .list(Array(repeating: group, count: groupCount))),
        (5, .list(metadata.map { .structure([(1, .text($0)), (2, .text($1))]) })),
      ]))
  }

  /// Returns a file with a footer after its pages.
  static func file(_ body: [UInt8], _ footer: ThriftValue) -> [UInt8] {
    file(body, footer: ThriftWriter.bytes(of: footer))
  }

  static func file(_ body: [UInt8], footer: [UInt8], stated: Int? = nil) -> [UInt8] {
    body + footer + number(stated ?? footer.count) + Array("PAR1".utf8)
  }

  /// Returns the four bytes of a number.
  static func number(_ value: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Returns the changed file of three integers.
  static func changed(_ change: (inout ParquetSample) -> Void) -> [UInt8] {
    var sample = ParquetSample()
    change(&sample)
    return sample.bytes
  }

  /// Returns a file of one column with a page.
  static func file(
    page: [UInt8], type: Int = 2, rows: Int = 3, codec: Int = 0, required: Bool = true, length: Int? = nil
  ) -> [UInt8] {
    changed {
      $0.elements = [
        column("a", type: type, repetition: required ? 0 : 1, length: length, converted: type == 6 ? 0 : nil)
      ]
      ($0.types, $0.pages, $0.rowCount, $0.codec) = ([type], [page], rows, codec)
    }
  }

  /// Returns the error of a file; its number of rows if it is read.
  static func outcome(_ bytes: [UInt8]) -> String {
    do { return "\(try ParquetReaderTests.read(bytes).rowCount) rows" } catch { return "\(error)" }
  }

  // MARK: Schema

  static func column(
    _ name: String, type: Int, repetition: Int = 0, length: Int? = nil, converted: Int? = nil,
    scale: Int? = nil, logical: ThriftValue? = nil, children: Int? = nil
  ) -> ThriftValue {
    var fields: [(Int, ThriftValue)] = [(1, .int32(type))]
    if let length { fields.append((2, .int32(length))) }
    fields += [(3, .int32(repetition)), (4, .text(name))]
    if let children { fields.append((5, .int32(children))) }
    if let converted { fields.append((6, .int32(converted))) }
    if let scale { fields.append((7, .int32(scale))) }
    if let logical { fields.append((10, logical)) }
    return .structure(fields)
  }

  static func group(_ name: String, _ children: Int, repetition: Int = 0, converted: Int? = nil)
    -> ThriftValue
  {
    .structure(
      [(3, .int32(repetition)), (4, .text(name)), (5, .int32(children))]
        + (converted.map { [(6, .int32($0))] } ?? []))
  }

  // MARK: Pages

  /// Returns a page of version 1.
  static func page(
    _ body: [UInt8], values: Int, encoding: Int = 0, uncompressed: Int? = nil, compressed: Int? = nil,
    levels: Int = 3
  ) -> [UInt8] {
    let content = ThriftValue.structure([
      (1, .int32(values)), (2, .int32(encoding)), (3, .int32(levels)), (4, .int32(3)),
    ])
    return header(0, body, [(5, content)], uncompressed: uncompressed, compressed: compressed) + body
  }

  /// Returns a dictionary of version 1.
  static func dictionary(_ body: [UInt8], values: Int, encoding: Int = 0) -> [UInt8] {
    header(2, body, [(7, .structure([(1, .int32(values)), (2, .int32(encoding))]))]) + body
  }

  /// Returns a page of version 2.
  static func page2(
    _ body: [UInt8], values: Int, encoding: Int = 0, repetition: Int = 0, definition: Int
  ) -> [UInt8] {
    let content = ThriftValue.structure([
      (1, .int32(values)), (2, .int32(0)), (3, .int32(values)), (4, .int32(encoding)),
      (5, .int32(definition)),
      (6, .int32(repetition)),
    ])
    return header(3, body, [(8, content)]) + body
  }

  static func header(
    _ kind: Int, _ body: [UInt8], _ content: [(Int, ThriftValue)], uncompressed: Int? = nil,
    compressed: Int? = nil
  ) -> [UInt8] {
    ThriftWriter.bytes(
      of: .structure(
        [
          (1, .int32(kind)), (2, .int32(uncompressed ?? body.count)), (3, .int32(compressed ?? body.count)),
        ] + content))
  }

  /// Returns levels of one bit that are all the same, with their size.
  static func levels(_ level: UInt8, count: Int) -> [UInt8] {
    var run: [UInt8] = []
    var left = count << 1
    while left >= 128 {
      run.append(UInt8(left & 127) | 128)
      left >>= 7
    }
    run += [UInt8(left), level]
    return number(run.count) + run
  }

  /// Returns the little-endian bytes of numbers.
  static func longs(_ values: [Int]) -> [UInt8] {
    values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  }

  /// Returns a page of 64-bit integers that are not null.
  static func plainPage(_ values: [Int]) -> [UInt8] {
    page(levels(1, count: values.count) + longs(values), values: values.count)
  }
}
