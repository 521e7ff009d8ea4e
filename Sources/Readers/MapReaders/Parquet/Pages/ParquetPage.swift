/// A page of a column: its header, and the range of its bytes.
///
/// - Source: parquet-format 2.11, `PageHeader`.
struct ParquetPage: Sendable {
  enum Kind: Sendable { case dictionary, values }

  private(set) var kind = Kind.values
  private(set) var valueCount = 0
  private(set) var encoding = 0
  /// The number of bytes of levels before the compressed values, for pages of version 2; nil for version 1.
  private(set) var levelSizes: (repetition: Int, definition: Int)?
  /// The encoding of levels of pages of version 1; 4 is the old one of packed bits only.
  private(set) var levelEncoding = 3
  private(set) var isCompressed = true
  private(set) var uncompressedSize = 0
  /// The range of the bytes after the header.
  private(set) var body = 0..<0

  /// The encodings of indices in a dictionary; the first is that of old files.
  static let indexEncodings: Set<Int> = [2, 8]

  /// Whether the values are indices in a dictionary.
  var hasIndices: Bool { kind == .values && Self.indexEncodings.contains(encoding) }

  /// Divides the bytes of a column into its pages.
  ///
  /// - Throws: ``ArrowError`` for pages that do not fit into the bytes, or that have another number of values.
  ///
  /// - Parameter valueCount: the number of values and nulls; nil for all pages of the bytes.
  static func pages(_ bytes: [UInt8], valueCount: Int?) throws(ArrowError) -> [ParquetPage] {
    var (pages, place, values) = ([ParquetPage](), 0, 0)
    while valueCount.map({ values < $0 }) ?? (place < bytes.count) {
      var reader = ThriftReader(bytes, place..<bytes.count)
      guard let (page, size) = try ParquetPage.read(&reader) else {
        place = reader.place
        continue
      }
      guard size <= reader.left else { throw ArrowError("a page lies beyond its bytes") }
      var found = page
      found.body = reader.place..<reader.place + size
      place = found.body.upperBound
      if found.kind == .values {
        guard found.valueCount <= (valueCount ?? Int(Int32.max)) - values else {
          throw ArrowError("its pages have more values than its column states")
        }
        values += found.valueCount
      } else if !pages.isEmpty {
        throw ArrowError("has a dictionary after its first page")
      }
      pages.append(found)
    }
    return pages
  }

  /// Reads a header; nil for a page without values, which is passed over.
  private static func read(
    _ reader: inout ThriftReader
  ) throws(ArrowError) -> (page: ParquetPage, size: Int)? {
    var (page, size, code) = (ParquetPage(), -1, -1)
    var hasContent = false
    try reader.structure(.structure) { reader, id, kind throws(ArrowError) in
      switch id {
      case 1: code = try reader.integer(kind)
      case 2: page.uncompressedSize = try reader.integer(kind)
      case 3: size = try reader.integer(kind)
      case 5, 7, 8:
        hasContent = true
        try page.readContent(id, &reader, kind)
      default: try reader.skip(kind)
      }
    }
    let sizes = 0...Int(Int32.max)
    guard sizes.contains(size), sizes.contains(page.uncompressedSize) else {
      throw ArrowError("has a page of an impossible size")
    }
    switch code {
    case 0, 2, 3:
      guard hasContent, sizes.contains(page.valueCount) else {
        throw ArrowError("has a page without a header")
      }
      page.kind = code == 2 ? .dictionary : .values
      if let (repetition, definition) = page.levelSizes {
        guard repetition >= 0, definition >= 0, repetition <= size, definition <= size - repetition,
          repetition + definition <= page.uncompressedSize
        else { throw ArrowError("has a page of an impossible size") }
      }
      return (page, size)
    default:
      try reader.advance(size)
      return nil
    }
  }

  private mutating func readContent(
    _ content: Int, _ reader: inout ThriftReader, _ kind: ThriftReader.Kind
  ) throws(ArrowError) {
    var (repetition, definition) = (0, 0)
    try reader.structure(kind) { reader, id, kind throws(ArrowError) in
      switch (content, id) {
      case (_, 1): valueCount = try reader.integer(kind)
      case (5, 2), (7, 2), (8, 4): encoding = try reader.integer(kind)
      case (5, 3): levelEncoding = try reader.integer(kind)
      case (8, 5): definition = try reader.integer(kind)
      case (8, 6): repetition = try reader.integer(kind)
      case (8, 7): isCompressed = try reader.boolean(kind)
      default: try reader.skip(kind)
      }
    }
    if content == 8 { levelSizes = (repetition, definition) }
  }
}
