/// Reads the arrays of a record batch, field by field.
struct ArrowArrays {
  private let batch: ArrowBatch
  private let body: [UInt8]
  private var nodes = 0
  private var buffers = 0
  private var views = 0

  /// Creates a reader of a batch with all bytes of its body.
  init(_ batch: ArrowBatch, _ body: [UInt8]) { (self.batch, self.body) = (batch, body) }

  /// Returns the next array; nil for a type that is not read.
  ///
  /// - Parameter isWanted: false skips the array, whose bytes are then not looked at.
  mutating func next(_ field: ArrowField, isWanted: Bool = true) throws -> ArrowArray? {
    guard let encoding = field.encoding else {
      return try array(field.type, field.children, isWanted: isWanted, name: field.name)
    }
    return try array(
      .integer(bits: encoding.bits, isSigned: encoding.isSigned), [], isWanted: isWanted, name: field.name)
  }

  /// Returns the array of a dictionary's values.
  mutating func values(_ field: ArrowField) throws -> ArrowArray? {
    try array(field.type, field.children, isWanted: true, name: field.name)
  }

  private mutating func array(
    _ type: ArrowType, _ children: [ArrowField], isWanted: Bool, name: String
  ) throws -> ArrowArray? {
    guard nodes < batch.nodes.count else { throw ArrowError("field \(name): its array is missing") }
    let (count, nulls) = batch.nodes[nodes]
    nodes += 1
    var isWanted = isWanted
    var own: Int
    switch type {
    case .null: own = 0
    case .structure, .fixedList: own = 1
    case .bytes(.view, _):
      guard views < batch.viewBuffers.count, batch.viewBuffers[views] >= 0,
        batch.viewBuffers[views] <= batch.buffers.count
      else { throw ArrowError("field \(name): its array is missing") }
      own = 2 + batch.viewBuffers[views]
      views += 1
    case .bytes: own = 3
    case .unread(let kind, let buffers):
      // Before version 5 of the metadata, these had a validity buffer too.
      own = buffers + (batch.version < 5 && ["union", "run-end encoded"].contains(kind) ? 1 : 0)
      isWanted = false
    default: own = 2
    }
    guard own <= batch.buffers.count - buffers else {
      throw ArrowError("field \(name): its buffers are missing")
    }
    var found: [ArrowBuffer] = []
    for index in buffers..<buffers + own where isWanted {
      // Without nulls, the buffer of the nulls has no meaning.
      let isUseless = index == buffers && nulls == 0
      found.append(isUseless ? .empty : try buffer(index, name))
    }
    buffers += own
    var parts: [ArrowArray] = []
    for child in children {
      let part = try next(child, isWanted: isWanted)
      if let part { parts.append(part) } else { isWanted = false }
    }
    guard isWanted else { return nil }
    let array = ArrowArray(
      type: type, count: count, validity: nulls == 0 ? nil : found.first, buffers: Array(found.dropFirst()),
      children: parts)
    guard array.isComplete else {
      throw ArrowError("field \(name): its buffers are too short for its values")
    }
    return array
  }

  private mutating func buffer(_ index: Int, _ name: String) throws -> ArrowBuffer {
    let range = batch.buffers[index]
    guard let codec = batch.codec, !range.isEmpty else { return ArrowBuffer(bytes: body, range: range) }
    let content = range.lowerBound + 8..<range.upperBound
    guard let size = batch.uncompressedSize(of: range, body) else {
      return ArrowBuffer(bytes: body, range: content)
    }
    guard size > 0 else { return .empty }
    do throws(ArrowError) {
      return ArrowBuffer(bytes: try codec.decompressed(body, content, size: size), range: 0..<size)
    } catch { throw ArrowError("field \(name): \(error)") }
  }
}

extension ArrowBatch {
  /// Returns the size of all buffers after decompression, which the batch declares.
  ///
  /// - Throws: ``ArrowError`` for sizes that cannot be.
  func uncompressedSize(_ body: [UInt8]) throws(ArrowError) -> Int {
    guard codec != nil else { return bodySize }
    var all = 0
    for range in buffers where !range.isEmpty {
      guard range.count >= 8 else { throw ArrowError("has compressed bytes that are too short") }
      let size = uncompressedSize(of: range, body) ?? range.count
      guard size >= 0, size <= ArchiveLimits().bytes else {
        throw ArrowError("has compressed bytes of an impossible size")
      }
      all += size
    }
    return all
  }

  /// Returns the size of a compressed buffer after decompression; nil for one that is not compressed.
  func uncompressedSize(of range: Range<Int>, _ body: [UInt8]) -> Int? {
    let size = body.span.int64(at: range.lowerBound)
    return size == -1 ? nil : size
  }
}

/// The limits of what Arrow data may take beyond their own size.
///
/// - Source: design decision.
struct ArrowLimits: Sendable {
  /// The number of bytes, cells or rows that are allowed for data of any size.
  private static let free = 4 << 20
  /// The number of bytes that all compressed buffers may still take.
  private var compressed: Int
  /// The number of cells without bytes of their own that are still allowed, and of bytes that values share.
  private var shared: Int

  /// Creates the limits of data of a size in bytes.
  init(size: Int) {
    (compressed, shared) = (Self.free + ArchiveLimits().ratio * size, Self.free + 16 * size)
  }

  /// Raises the limits by those of more bytes.
  mutating func add(bytes: Int) {
    compressed += ArchiveLimits().ratio * bytes
    shared += 16 * bytes
  }

  /// The number of bytes that values which share bytes may take together.
  var sharedBytes: Int { max(0, shared) }

  /// Takes the buffers of a batch from the limits, with rows that have `cells` values without bytes.
  mutating func take(_ batch: ArrowBatch, _ body: [UInt8], cells: Int) throws(ArrowError) {
    let size = try batch.uncompressedSize(body)
    if batch.codec != nil {
      compressed -= size
      guard compressed >= 0 else {
        throw ArrowError("is compressed more than \(ArchiveLimits().ratio):1, the limit")
      }
      shared += 16 * size
    }
    let (all, overflow) = batch.rowCount.multipliedReportingOverflow(by: max(1, cells))
    guard !overflow, all <= shared else {
      throw ArrowError("has more rows without values than its size allows")
    }
    shared -= all
  }
}
