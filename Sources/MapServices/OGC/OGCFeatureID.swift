import MapJSON
import Synchronization

/// What a service calls a feature.
enum OGCFeatureID: Hashable, Sendable, CustomStringConvertible {
  case number(Int64)
  case text(String)

  /// The value of a feature's `id`; nil for what is no text and no number.
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

/// The object ids of a collection's features, which stay while it is open.
///
/// Whole numbers are their own; where any id was text when the collection was opened, all are numbered from 1 in the order
/// of first sight.
final class OGCObjectIDs: Sendable {
  private let isNumbered: Bool
  private let numbers = Mutex<[OGCFeatureID: Int64]>([:])

  /// The object ids of features of which some were seen.
  init(seen: [OGCFeatureID]) {
    isNumbered =
      seen.isEmpty || seen.contains { if case .text = $0 { true } else { false } }
  }

  /// The object ids of features; nil for a text where all have been whole numbers.
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
