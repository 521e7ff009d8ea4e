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

extension ArrowArray {
  /// Whether the buffers hold all values.
  var isComplete: Bool {
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
