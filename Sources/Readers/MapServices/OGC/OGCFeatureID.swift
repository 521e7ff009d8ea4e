import MapJSON
import Synchronization

/// The id of a feature at its service.
enum OGCFeatureID: Hashable, Sendable, CustomStringConvertible {
  case number(Int64)
  case text(String)

  /// Reads a feature's `id`; nil if it is neither text nor a number.
  init?(reading scanner: inout JSONScanner) throws(JSONSyntaxError) {
    switch try scanner.peekKind() {
    case .string: self = .text(try scanner.readString().text(in: scanner.bytes))
    case .number:
      let literal = try scanner.readNumber()
      self =
        literal.integer.map { .number($0) }
        ?? .text(String(decoding: scanner.bytes[literal.start..<literal.end], as: UTF8.self))
    case .null, .boolean, .array, .object:
      try scanner.skipValue()
      return nil
    }
  }

  var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    }
  }
}

/// The object ids of a collection's features, which stay the same while it is open.
///
/// Integer ids are used unchanged. If opening found no feature, or a feature with a text id, features are numbered from
/// 1 in order of appearance.
final class OGCObjectIDs: Sendable {
  private let isNumbered: Bool
  private let numbers = Mutex<[OGCFeatureID: Int64]>([:])

  /// Creates the object ids, given the ids seen when the collection was opened.
  init(seen: [OGCFeatureID]) {
    isNumbered =
      seen.isEmpty || seen.contains { if case .text = $0 { true } else { false } }
  }

  /// Returns object ids for features; nil for a text id where all were integers before.
  func objectIDs(of ids: [OGCFeatureID]) -> [Int64]? {
    guard isNumbered else {
      let values = ids.compactMap { id -> Int64? in if case .number(let value) = id { value } else { nil } }
      return values.count == ids.count ? values : nil
    }
    return numbers.withLock { numbers in
      ids.map { id in
        if let number = numbers[id] { return number }
        let number = Int64(numbers.count) + 1
        numbers[id] = number
        return number
      }
    }
  }
}
