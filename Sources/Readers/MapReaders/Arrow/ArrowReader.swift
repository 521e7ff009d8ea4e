package import MapFeatures
import MapGeometry
import MapSystem

/// Reads Arrow's IPC streams and files into columns.
///
/// Fields of nested types, durations, intervals and bytes are not read, with a warning. Values of a dictionary are read
/// as values. Geometries are GeoArrow's, well-known binary or text, or points from columns of coordinates as in CSV.
///
/// - Source: Arrow Columnar Format 1.5, arrow.apache.org/docs/format/Columnar.html; metadata of versions 4 and 5.
/// - Cost: one pass by record batches on all cores. A stream is read while it is written.
package enum ArrowReader {
  /// Whether the bytes start a stream or a file.
  package static func looksLikeArrow(_ head: [UInt8]) -> Bool {
    if isFile(head) { return true }
    // A continuation mark, the size of a schema, and the offset of its root table, which are all small.
    guard head.count >= 12, head[0..<4].allSatisfy({ $0 == 0xFF }) else { return false }
    let (size, root) = (head.span.int32(at: 4), head.span.int32(at: 8))
    return size >= 16 && size % 8 == 0 && root >= 4 && root < size
  }

  /// Whether the bytes start a file, which is read from its end.
  package static func isFile(_ head: [UInt8]) -> Bool { head.starts(with: Array("ARROW1".utf8)) }

  /// Reads a stream or a file.
  ///
  /// - Parameters:
  ///   - size: The size in bytes; nil for a stream whose end is not known.
  ///   - fields: The fields to read.
  ///   - bytes: Returns a range of the bytes, fewer at the end of a stream without a size; called on several threads,
  ///     one at a time, for a stream in ascending order.
  /// - Throws: ``ArrowError``, and the errors of `bytes`.
  package static func read(
    size: Int?, fields: FieldSelection = .all, options: ReadingOptions = ReadingOptions(),
    bytes: @Sendable (Range<Int>) throws -> [UInt8]
  ) throws -> FeatureColumns {
    do {
      let isFile = isFile(try bytes(0..<min(size ?? 8, 8)))
      var feed =
        if isFile, let size { try ArrowFeed(fileOf: size, bytes) } else {
          try ArrowFeed(streamOf: size, bytes)
        }
      let plan = try ArrowPlan(feed.schema, wanted: fields, options: options)
      feed.use(plan)
      return try concurrentPipeline(
        feed, next: { try $0.next(bytes) }, work: { try ArrowRows(plan, $0) }, into: ArrowRows(plan),
        take: { try $0.append($1) }
      ).table()
    } catch let fault as FlatGeobufFault {
      guard case .content(let text) = fault else { throw ArrowError.outside }
      throw ArrowError(text)
    }
  }
}

/// A record batch with all that is needed to read it.
struct ArrowPiece: Sendable {
  let batch: ArrowBatch
  let body: [UInt8]
  let dictionaries: [Int: ArrowDictionary]
  /// The number of rows before it.
  let firstRow: Int
  /// The number of bytes that geometries may take together.
  let sharedBytes: Int
}

/// Divides a stream or a file into record batches, and keeps the dictionaries.
struct ArrowFeed: Sendable {
  let schema: ArrowSchema
  /// The number of bytes; nil for a stream whose end is not known.
  private let size: Int?
  /// The offset of the next message; unused for a file.
  private var offset: Int
  /// The offsets of the record batches of a file, last first; nil for a stream.
  private var blocks: [Int]?
  private var dictionaries: [Int: ArrowDictionary] = [:]
  private var dictionaryFields: [Int: ArrowField] = [:]
  private var limits: ArrowLimits
  private var rows = 0
  /// The number of fields in a row whose values take no bytes.
  private var emptyCells = 0

  /// Starts a stream, whose first message is its schema.
  init(streamOf size: Int?, _ read: (Range<Int>) throws -> [UInt8]) throws {
    guard let found = try Self.message(at: 0, size: size, read) else {
      throw ArrowError("contains no schema")
    }
    guard case .schema(let schema) = found.message.content else {
      throw ArrowError("does not start with a schema")
    }
    (self.schema, self.size, offset) = (schema, size, found.body + found.message.bodySize)
    limits = ArrowLimits(size: size ?? found.body)
    try findDictionaries(schema.fields)
  }

  /// Starts a file by its footer, and reads its dictionaries.
  init(fileOf size: Int, _ read: (Range<Int>) throws -> [UInt8]) throws {
    let ending = Array("ARROW1".utf8)
    let end = size >= 18 ? try read(size - 10..<size) : []
    guard end.dropFirst(4).elementsEqual(ending) else {
      throw ArrowError("ends before its footer: \(try Self.rowsBeforeCut(size, read))")
    }
    let length = end.span.int32(at: 0)
    guard length > 0, length <= size - 18 else { throw ArrowError.outside }
    let footer = try ArrowTable(try read(size - 10 - length..<size - 10))
    guard let table = try footer.table(1) else { throw ArrowError("contains no schema") }
    (schema, self.size, offset) = (try ArrowSchema(table), size, 0)
    limits = ArrowLimits(size: size)
    try findDictionaries(schema.fields)
    for offset in try footer.longs(2, perElement: 3).everyThird {
      guard let found = try Self.message(at: offset, size: size, read),
        case .dictionary(let id, let isDelta, let batch) = found.message.content
      else { throw ArrowError("its footer lists a dictionary that is none") }
      try add(id, isDelta: isDelta, batch, try Self.body(found, size: size, read))
    }
    blocks = try footer.longs(3, perElement: 3).everyThird.reversed()
  }

  /// Prepares for the fields of a plan.
  mutating func use(_ plan: ArrowPlan) { emptyCells = plan.emptyCells }

  /// Notes which fields use a dictionary, also fields within others.
  private mutating func findDictionaries(_ fields: [ArrowField]) throws(ArrowError) {
    for field in fields {
      if let encoding = field.encoding {
        if let other = dictionaryFields[encoding.id], other.type != field.type {
          throw ArrowError("fields \(other.name), \(field.name): share a dictionary, but not its type")
        }
        dictionaryFields[encoding.id] = field
      }
      try findDictionaries(field.children)
    }
  }

  // MARK: Messages

  private struct Found {
    let message: ArrowMessage
    /// The offset of the body.
    let body: Int
  }

  /// Returns the message at an offset; nil at the end of a stream.
  private static func message(
    at offset: Int, size: Int?, _ read: (Range<Int>) throws -> [UInt8]
  ) throws -> Found? {
    guard offset >= 0, offset < size ?? .max - 8 else {
      guard offset == size else { throw ArrowError.outside }
      return nil
    }
    let head = try read(offset..<min(size ?? .max, offset + 8))
    guard !head.isEmpty else { return nil }
    guard head.count >= 4 else { throw Cut() }
    var (length, start) = (head.span.int32(at: 0), offset + 4)
    if length == -1 {
      // A mark precedes the size since version 0.15 of Arrow.
      guard head.count == 8 else { throw Cut() }
      (length, start) = (head.span.int32(at: 4), offset + 8)
    }
    guard length != 0 else { return nil }
    guard length > 0 else { throw ArrowError("has a message of an impossible size") }
    return Found(
      message: try ArrowMessage(try Self.bytes(length, at: start, size: size, read)), body: start + length)
  }

  /// Returns a number of bytes at an offset.
  private static func bytes(
    _ count: Int, at start: Int, size: Int?, _ read: (Range<Int>) throws -> [UInt8]
  ) throws -> [UInt8] {
    guard count <= (size ?? .max) - start else { throw Cut() }
    let bytes = try read(start..<start + count)
    guard bytes.count == count else { throw Cut() }
    return bytes
  }

  private static func body(
    _ found: Found, size: Int?, _ read: (Range<Int>) throws -> [UInt8]
  ) throws -> [UInt8] {
    try bytes(found.message.bodySize, at: found.body, size: size, read)
  }

  /// The end of the bytes within a message.
  private struct Cut: Error {}

  /// Returns the next record batch; nil after the last.
  mutating func next(_ read: (Range<Int>) throws -> [UInt8]) throws -> ArrowPiece? {
    do {
      guard blocks == nil else {
        guard let offset = blocks?.popLast() else { return nil }
        guard let found = try Self.message(at: offset, size: size, read),
          case .rows(let batch) = found.message.content
        else { throw ArrowError("its footer lists a record batch that is none") }
        return try piece(batch, try Self.body(found, size: size, read))
      }
      while let found = try Self.message(at: offset, size: size, read) {
        let body = try Self.body(found, size: size, read)
        let end = found.body + found.message.bodySize
        if size == nil { limits.add(bytes: end - offset) }
        offset = end
        switch found.message.content {
        case .rows(let batch): return try piece(batch, body)
        case .dictionary(let id, let isDelta, let batch): try add(id, isDelta: isDelta, batch, body)
        case .schema: throw ArrowError("has a second schema")
        case nil: throw ArrowError("has a message that is neither a dictionary nor a record batch")
        }
      }
      if let size { offset = size }
      return nil
    } catch is Cut {
      throw ArrowError("ends in the middle of a message, after \(rows == 1 ? "1 row" : "\(rows) rows")")
    } catch let error as ArrowError {
      throw ArrowError("after \(rows == 1 ? "1 row" : "\(rows) rows"): \(error)")
    }
  }

  private mutating func piece(_ batch: ArrowBatch, _ body: [UInt8]) throws -> ArrowPiece {
    try limits.take(batch, body, cells: emptyCells)
    defer { rows += batch.rowCount }
    return ArrowPiece(
      batch: batch, body: body, dictionaries: dictionaries, firstRow: rows, sharedBytes: limits.sharedBytes)
  }

  /// Adds values to a dictionary, or replaces it.
  private mutating func add(_ id: Int, isDelta: Bool, _ batch: ArrowBatch, _ body: [UInt8]) throws {
    guard let field = dictionaryFields[id] else {
      throw ArrowError("has a dictionary without a field (\(id))")
    }
    try limits.take(batch, body, cells: 1)
    var arrays = ArrowArrays(batch, body)
    var dictionary = isDelta ? dictionaries[id] ?? ArrowDictionary() : ArrowDictionary()
    // Dictionaries of nested values belong to fields that are not read.
    if let values = try arrays.values(field) { try dictionary.append(values) }
    dictionaries[id] = dictionary
  }

  /// Returns how many rows a file without a footer has before its end, as words.
  private static func rowsBeforeCut(_ size: Int, _ read: (Range<Int>) throws -> [UInt8]) throws -> String {
    var (rows, offset) = (0, 8)
    do {
      while let found = try message(at: offset, size: size, read),
        found.message.bodySize <= size - found.body
      {
        if case .rows(let batch) = found.message.content { rows += batch.rowCount }
        offset = found.body + found.message.bodySize
      }
    } catch {}
    return "it is cut off after \(rows == 1 ? "1 row" : "\(rows) rows")"
  }
}

extension [Int] {
  /// Every third number: the offset of each block of a footer.
  fileprivate var everyThird: [Int] { stride(from: 0, to: count, by: 3).map { self[$0] } }
}
