public import MapGeometry
public import MapJSON

/// Data that could not be read as features, with the place where reading stopped.
public struct FeatureReadError: Error, Hashable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// Bytes that are not JSON.
    case syntax(JSONSyntaxError.Reason)
    /// A geometry that cannot be kept.
    case geometry(GeometryFault)
    /// Coordinates in a reference other than WGS 84 and Web Mercator.
    case unsupportedReference(String)
    /// Content that is well-formed but not what the format asks for: lower case, no full stop.
    case content(String)
  }

  /// Where it is wrong.
  public enum Place: Hashable, Sendable {
    /// In text: line and column (in characters), both from 1.
    case text(line: Int, column: Int)
    /// In a JSON document that was read before.
    case json(JSONPath)
  }

  /// What is wrong.
  public let reason: Reason
  /// Where.
  public let place: Place

  /// An error at a place.
  public init(_ reason: Reason, at place: Place) { (self.reason, self.place) = (reason, place) }

  /// Line from 1, for an error in text.
  public var line: Int? { if case .text(let line, _) = place { line } else { nil } }
  /// Column in characters from 1, for an error in text.
  public var column: Int? { if case .text(_, let column) = place { column } else { nil } }

  /// Place and reason in one line.
  public var description: String {
    switch place {
    case .text(let line, let column): "line \(line), column \(column): \(reason)"
    case .json(let path): "\(path): \(reason)"
    }
  }
}

extension FeatureReadError.Reason: CustomStringConvertible {
  /// The reason, lower case, without a full stop.
  public var description: String {
    switch self {
    case .syntax(let reason): "\(reason)"
    case .geometry(let fault): "\(fault)"
    case .unsupportedReference(let name):
      "spatial reference \(name) is not supported here: only WGS 84 (4326) and Web Mercator (3857) are"
    case .content(let text): text
    }
  }
}

/// A reason at an offset, as long as a reader is at work; it becomes a ``FeatureReadError`` with line and column.
struct ReadFault: Error {
  let reason: FeatureReadError.Reason
  let offset: Int

  init(_ reason: FeatureReadError.Reason, at offset: Int) { (self.reason, self.offset) = (reason, offset) }

  init(_ text: String, at offset: Int) { self.init(.content(text), at: offset) }
}

extension FeatureReadError {
  /// What a reader of bytes threw, with its place counted.
  init(_ error: any Error, in bytes: [UInt8]) {
    switch error {
    case let error as FeatureReadError: self = error
    case let error as JSONSyntaxError:
      self.init(.syntax(error.reason), at: .text(line: error.line, column: error.column))
    case let fault as ReadFault:
      let place = TextPlace(offset: fault.offset, in: bytes)
      self.init(fault.reason, at: .text(line: place.line, column: place.column))
    default: self.init(.content("\(error)"), at: .text(line: 1, column: 1))
    }
  }
}
