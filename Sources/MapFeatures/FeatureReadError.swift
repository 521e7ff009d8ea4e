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
    /// Coordinates in a reference that has no code.
    case unsupportedReference(String)
    /// Content that is well-formed but not what the format asks for: lower case, no full stop.
    case content(String)
  }

  /// What is wrong.
  public let reason: Reason
  /// Line, from 1.
  public let line: Int
  /// Column in characters, from 1.
  public let column: Int

  /// An error at a place.
  public init(_ reason: Reason, line: Int, column: Int) {
    (self.reason, self.line, self.column) = (reason, line, column)
  }

  /// Place and reason in one line.
  public var description: String { "line \(line), column \(column): \(reason)" }
}

extension FeatureReadError.Reason: CustomStringConvertible {
  /// The reason, lower case, without a full stop.
  public var description: String {
    switch self {
    case .syntax(let reason): "\(reason)"
    case .geometry(let fault): "\(fault)"
    case .unsupportedReference(let name):
      "spatial reference \(name) is not supported: it must be one of EPSG's by its code"
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
      self.init(.syntax(error.reason), line: error.line, column: error.column)
    case let fault as ReadFault:
      let place = TextPlace(offset: fault.offset, in: bytes)
      self.init(fault.reason, line: place.line, column: place.column)
    default: self.init(.content("\(error)"), line: 1, column: 1)
    }
  }
}
