/// An array of values of one type in Arrow's layout, with buffers that are checked to hold all of them.
///
/// - Source: Arrow Columnar Format 1.5, "Physical Memory Layout".
struct ArrowArray: Sendable {
  let type: ArrowType
  let count: Int
  /// A bit for each value that is not null; nil without nulls.
  let validity: ArrowBuffer?
  /// The buffers after that of the nulls.
  let buffers: [ArrowBuffer]
  let children: [ArrowArray]

  /// Returns whether a value is present; `row` must be below the count.
  @inline(__always)
  func isValid(_ row: Int) -> Bool {
    guard let validity else { return true }
    return validity.bit(row)
  }

  /// Returns the range of the bytes of a value of several lengths, and the bytes.
  func place(_ row: Int) throws(ArrowError) -> (bytes: [UInt8], range: Range<Int>) {
    switch type {
    case .bytes(.view, _):
      let views = buffers[0]
      let length = views.int32(at: 16 * row)
      guard length > 12 else {
        guard length >= 0 else { throw .outside }
        let start = views.range.lowerBound + 16 * row + 4
        return (views.bytes, start..<start + length)
      }
      let (index, offset) = (views.int32(at: 16 * row + 8), views.int32(at: 16 * row + 12))
      guard index >= 0, index + 1 < buffers.count else { throw .outside }
      let buffer = buffers[index + 1]
      guard offset >= 0, offset <= buffer.count, length <= buffer.count - offset else { throw .outside }
      let from = buffer.range.lowerBound + offset
      return (buffer.bytes, from..<from + length)
    case .fixedBytes(let width):
      let start = buffers[0].range.lowerBound + width * row
      return (buffers[0].bytes, start..<start + width)
    default:
      let range = try items(row)
      let base = buffers[1].range.lowerBound
      return (buffers[1].bytes, base + range.lowerBound..<base + range.upperBound)
    }
  }

  /// Returns the range of the bytes or child values of a row with offsets.
  func items(_ row: Int) throws(ArrowError) -> Range<Int> {
    let offsets = buffers[0]
    let (start, end): (Int, Int)
    let limit: Int
    switch type {
    case .bytes(.large, _), .list(.large):
      (start, end) = (offsets.int64(at: 8 * row), offsets.int64(at: 8 * row + 8))
    default:
      (start, end) = (offsets.int32(at: 4 * row), offsets.int32(at: 4 * row + 4))
    }
    switch type {
    case .list, .map: limit = children[0].count
    default: limit = buffers[1].count
    }
    guard start >= 0, start <= end, end <= limit else { throw .outside }
    return start..<end
  }
}

extension ArrowArray {
  /// Returns some of the values, from one whose number is a multiple of 8.
  func rows(_ rows: Range<Int>) -> ArrowArray {
    precondition(rows.lowerBound & 7 == 0, "whole bytes of bits")
    func from(_ buffer: ArrowBuffer, bits: Int) -> ArrowBuffer {
      ArrowBuffer(
        bytes: buffer.bytes,
        range: buffer.range.lowerBound + bits * rows.lowerBound / 8..<buffer.range.upperBound)
    }
    var (buffers, children) = (buffers, children)
    switch type {
    case .null, .unread: break
    case .boolean: buffers[0] = from(buffers[0], bits: 1)
    case .bytes(.view, _): buffers[0] = from(buffers[0], bits: 128)
    case .bytes(let layout, _), .list(let layout):
      buffers[0] = from(buffers[0], bits: layout == .large ? 64 : 32)
    case .map: buffers[0] = from(buffers[0], bits: 32)
    case .structure: children = children.map { $0.rows(rows) }
    case .fixedList(let size):
      children = children.map { $0.rows(rows.lowerBound * size..<rows.upperBound * size) }
    default: buffers[0] = from(buffers[0], bits: 8 * (type.width ?? 0))
    }
    return ArrowArray(
      type: type, count: rows.count, validity: validity.map { from($0, bits: 1) }, buffers: buffers,
      children: children)
  }
}

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

extension ArrowArray {
  /// Whether the buffers hold all values.
  fileprivate var isComplete: Bool {
    if let validity, count > 8 * validity.count { return false }
    func holds(_ buffer: Int, _ width: Int, extra: Int = 0) -> Bool {
      let (values, overflow) = count.addingReportingOverflow(extra)
      return width == 0 || !overflow && values <= buffers[buffer].count / width
    }
    switch type {
    case .null, .unread: return true
    case .boolean: return (count + 7) / 8 <= buffers[0].count
    case .bytes(.view, _): return holds(0, 16)
    // An array without values may have no offsets.
    case .bytes(let layout, _): return count == 0 || holds(0, layout == .large ? 8 : 4, extra: 1)
    case .list(let layout):
      return children.count == 1 && (count == 0 || holds(0, layout == .large ? 8 : 4, extra: 1))
    case .map: return children.count == 1 && (count == 0 || holds(0, 4, extra: 1))
    case .structure: return children.allSatisfy { $0.count >= count }
    case .fixedList(let size):
      return children.count == 1 && (size == 0 || count <= children[0].count / size)
    default: return holds(0, type.width ?? 0)
    }
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

extension ArrowArray {
  /// Returns an integer, or the number behind a date or time; unsigned ones of 64 bits by their bits.
  @inline(__always)
  func integer(_ row: Int) -> Int64 {
    switch type {
    case .integer(bits: 8, let isSigned):
      let byte = buffers[0].byte(at: row)
      return isSigned ? Int64(Int8(bitPattern: byte)) : Int64(byte)
    case .integer(bits: 16, let isSigned):
      let word = buffers[0].bits16(at: 2 * row)
      return isSigned ? Int64(Int16(bitPattern: word)) : Int64(word)
    case .integer(bits: 32, isSigned: false):
      return Int64(UInt32(truncatingIfNeeded: buffers[0].int32(at: 4 * row)))
    case .integer(bits: 32, _), .date(isInDays: true), .time(.seconds), .time(.milliseconds):
      return Int64(buffers[0].int32(at: 4 * row))
    default:
      return Int64(buffers[0].int64(at: 8 * row))
    }
  }

  /// Returns a number of 16, 32 or 64 bits.
  @inline(__always)
  func real(_ row: Int) -> Double {
    switch type {
    case .real(bits: 64): Double(bitPattern: UInt64(bitPattern: Int64(buffers[0].int64(at: 8 * row))))
    case .real(bits: 32):
      Double(Float(bitPattern: UInt32(truncatingIfNeeded: buffers[0].int32(at: 4 * row))))
    default: Self.half(buffers[0].bits16(at: 2 * row))
    }
  }

  /// Returns the numbers of some rows, of 16, 32 or 64 bits.
  func reals(_ rows: Range<Int>) -> [Double] {
    guard case .real(let bits) = type, bits > 16 else { return rows.map { real($0) } }
    let (bytes, range) = (buffers[0].bytes, buffers[0].range)
    let source = bytes.span.extracting(range)
    let first = rows.lowerBound
    return bits == 64
      ? Array(count: rows.count, filling: 0) { Double(bitPattern: source.bits64(at: 8 * (first + $0))) }
      : Array(count: rows.count, filling: 0) {
        Double(Float(bitPattern: UInt32(truncatingIfNeeded: source.int32(at: 4 * (first + $0)))))
      }
  }

  /// Returns the signed integers of 32 bits, or the days, of some rows; nil for values of other types.
  func shortIntegers(_ rows: Range<Int>) -> [Int32]? {
    guard type == .integer(bits: 32, isSigned: true) else { return nil }
    let (bytes, range) = (buffers[0].bytes, buffers[0].range)
    let source = bytes.span.extracting(range)
    let first = rows.lowerBound
    return Array(count: rows.count, filling: 0) {
      Int32(truncatingIfNeeded: source.int32(at: 4 * (first + $0)))
    }
  }

  /// Returns the timestamps of some rows in microseconds; nil for finer ones, and if one is outside the years 0001 to 9999.
  func microseconds(_ rows: Range<Int>, _ unit: ArrowUnit) -> [Int64]? {
    guard unit != .nanoseconds else { return nil }
    let (bytes, range) = (buffers[0].bytes, buffers[0].range)
    let source = bytes.span.extracting(range)
    let (first, factor) = (rows.lowerBound, 1_000_000 / unit.perSecond)
    let day = 86_400 * unit.perSecond
    let (least, end) = (-719_162 * day, 2_932_897 * day)
    var areInRange = true
    let found = [Int64](count: rows.count, filling: 0) {
      let value = Int64(source.int64(at: 8 * (first + $0)))
      areInRange = areInRange && value >= least && value < end
      return value &* factor
    }
    return areInRange ? found : nil
  }

  /// Returns the number of a half-precision pattern.
  ///
  /// - Source: IEEE 754, binary16.
  private static func half(_ bits: UInt16) -> Double {
    let (exponent, fraction) = (Int(bits >> 10 & 31), Double(bits & 1023))
    let size =
      switch exponent {
      case 0: fraction * 0x1p-24
      case 31: fraction == 0 ? Double.infinity : .nan
      default: Double(sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1024)
      }
    return bits >> 15 == 1 ? -size : size
  }

  /// Returns the double nearest to a decimal, and whether the decimal has more digits than the double keeps.
  func decimal(_ row: Int, scale: Int) -> (value: Double, isRounded: Bool) {
    let width = type.width ?? 0
    let (bytes, start) = (buffers[0], width * row)
    if width == 4 || width == 8 {
      return Self.decimal(
        unscaled: Int64(width == 4 ? bytes.int32(at: start) : bytes.int64(at: start)), scale: scale)
    }
    var words: [UInt64] = []
    for place in stride(from: start, to: start + width, by: 8) {
      words.append(UInt64(bitPattern: Int64(bytes.int64(at: place))))
    }
    let isNegative = words[words.count - 1] >> 63 == 1
    let low = Int64(bitPattern: words[0])
    if words.dropFirst().allSatisfy({ $0 == (isNegative ? .max : 0) }), (low < 0) == isNegative {
      return Self.decimal(unscaled: low, scale: scale)
    }
    return Self.decimal(words: words, isNegative: isNegative, scale: scale)
  }

  private static let powers = (0...22).reduce(into: [1.0]) { powers, _ in
    powers.append(powers[powers.count - 1] * 10)
  }

  private static func decimal(unscaled: Int64, scale: Int) -> (value: Double, isRounded: Bool) {
    // Both numbers are exact, so that the result is rounded once; 15 digits are always kept.
    if unscaled.magnitude < 1_000_000_000_000_000, scale.magnitude <= 22 {
      let power = powers[Int(scale.magnitude)]
      return (scale < 0 ? Double(unscaled) * power : Double(unscaled) / power, false)
    }
    return decimal(digits: String(unscaled.magnitude), isNegative: unscaled < 0, scale: scale)
  }

  private static func decimal(
    words: [UInt64], isNegative: Bool, scale: Int
  ) -> (value: Double, isRounded: Bool) {
    var words = words
    if isNegative {
      var carry = true
      for index in words.indices {
        words[index] = ~words[index]
        if carry { (words[index], carry) = words[index].addingReportingOverflow(1) }
      }
    }
    // Division by 10^18 gives 18 digits a time.
    var digits = ""
    while words.contains(where: { $0 != 0 }) {
      var rest: UInt64 = 0
      for index in words.indices.reversed() {
        (words[index], rest) = UInt64(1_000_000_000_000_000_000).dividingFullWidth((rest, words[index]))
      }
      let text = String(rest)
      digits = String(repeating: "0", count: 18 - text.count) + text + digits
    }
    return decimal(digits: String(digits.drop { $0 == "0" }), isNegative: isNegative, scale: scale)
  }

  private static func decimal(
    digits: String, isNegative: Bool, scale: Int
  ) -> (value: Double, isRounded: Bool) {
    let value = Double("\(isNegative ? "-" : "")\(digits.isEmpty ? "0" : digits)e\(-scale)") ?? .nan
    func significant(_ text: some StringProtocol) -> String {
      let digits = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
      return String(String(digits.reversed()).drop { $0 == "0" })
    }
    // The shortest text of a double has the digits that it keeps.
    return (value, significant(digits) != significant("\(value)"))
  }
}

extension Array {
  /// Creates numbers by their indices.
  ///
  /// This takes a tenth of the time of `map`, which tests its room for each number.
  @inline(__always)
  init(count: Int, filling zero: Element, _ number: (Int) -> Element) {
    self.init(repeating: zero, count: count)
    var target = mutableSpan
    for index in 0..<count { target[index] = number(index) }
  }
}
