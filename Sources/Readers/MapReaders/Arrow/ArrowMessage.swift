/// The header of a message: a schema, or the description of the bytes that follow it.
///
/// - Source: Arrow, `Message.fbs`.
struct ArrowMessage: Sendable {
  /// The content of a message.
  enum Content: Sendable {
    case schema(ArrowSchema)
    case dictionary(id: Int, isDelta: Bool, ArrowBatch)
    case rows(ArrowBatch)
  }

  /// The content; nil for tensors, which tables do not have.
  let content: Content?
  /// The number of bytes after the message.
  let bodySize: Int

  /// The possible sizes of bodies, so that sums with offsets do not overflow.
  private static let sizes = 0...1 << 48

  init(_ bytes: [UInt8]) throws {
    let table = try ArrowTable(bytes)
    let version = try table.short(0) + 1
    guard version == 4 || version == 5 else {
      throw ArrowError("is of version \(version) of Arrow's metadata; versions 4 and 5 are read")
    }
    bodySize = try table.long(3)
    guard Self.sizes.contains(bodySize) else { throw ArrowError.outside }
    guard let header = try table.table(2) else { throw ArrowError("has a message without content") }
    switch try table.byte(1) {
    case 1: content = .schema(try ArrowSchema(header))
    case 2:
      guard let batch = try header.table(1) else { throw ArrowError("has a dictionary without values") }
      content = .dictionary(
        id: try header.long(0), isDelta: try header.byte(2) != 0,
        try ArrowBatch(batch, version: version, bodySize: bodySize))
    case 3: content = .rows(try ArrowBatch(header, version: version, bodySize: bodySize))
    default: content = nil
    }
  }
}

/// The description of a record batch: the lengths of its arrays and the positions of their buffers.
struct ArrowBatch: Sendable {
  /// A compression of buffers.
  enum Codec: Int, Sendable { case lz4, zstd }

  let rowCount: Int
  /// For each array, depth first, its length and its number of nulls.
  let nodes: [(count: Int, nulls: Int)]
  /// The range of each buffer in the body.
  let buffers: [Range<Int>]
  let codec: Codec?
  /// For each array of views, the number of buffers with their bytes.
  let viewBuffers: [Int]
  /// The version of the metadata; before 5, unions have a buffer more.
  let version: Int
  let bodySize: Int

  /// The possible lengths of arrays, so that sums of them do not overflow.
  private static let counts = 0...1 << 40

  init(_ table: ArrowTable, version: Int, bodySize: Int) throws {
    (self.version, self.bodySize) = (version, bodySize)
    rowCount = try table.long(0)
    guard Self.counts.contains(rowCount) else { throw ArrowError("has an impossible number of rows") }
    let numbers = try table.longs(1, perElement: 2)
    var nodes: [(count: Int, nulls: Int)] = []
    for place in stride(from: 0, to: numbers.count, by: 2) {
      guard Self.counts.contains(numbers[place]) else {
        throw ArrowError("has an array of an impossible length")
      }
      nodes.append((numbers[place], numbers[place + 1]))
    }
    let places = try table.longs(2, perElement: 2)
    var buffers: [Range<Int>] = []
    // Buffers that share bytes could take far more memory than the file.
    var left = bodySize
    for place in stride(from: 0, to: places.count, by: 2) {
      let (start, size) = (places[place], places[place + 1])
      guard start >= 0, size >= 0, start <= bodySize, size <= bodySize - start else {
        throw ArrowError.outside
      }
      left -= size
      guard left >= 0 else { throw ArrowError("its buffers are longer than its bytes") }
      buffers.append(start..<start + size)
    }
    codec = try table.table(3).map { form in
      guard try form.byte(1) == 0, let codec = Codec(rawValue: try form.byte(0)) else {
        throw ArrowError("is compressed in a way that is not known")
      }
      return codec
    }
    viewBuffers = try table.longs(4)
    (self.nodes, self.buffers) = (nodes, buffers)
  }
}
