package import MapGeometry
package import MapJSON

/// The error for data that cannot be read as features, with the position at which reading stopped.
package struct FeatureReadError: Error, Hashable, CustomStringConvertible {
  /// The reason of the error.
  package enum Reason: Hashable, Sendable {
    /// Bytes that are not JSON.
    case syntax(JSONSyntaxError.Reason)
    /// A geometry that cannot be stored.
    case geometry(GeometryFault)
    /// Coordinates in a spatial reference without a code.
    case unsupportedReference(String)
    /// Well-formed content that violates the format: the reason in lower case, without a full stop.
    case content(String)
  }

  /// The reason of the error.
  package let reason: Reason
  /// The line, from 1.
  package let line: Int
  /// The column in characters, from 1.
  package let column: Int

  /// Creates an error at a position.
  package init(_ reason: Reason, line: Int, column: Int) {
    (self.reason, self.line, self.column) = (reason, line, column)
  }

  /// The position and the reason in one line.
  package var description: String { "line \(line), column \(column): \(reason)" }
}

extension FeatureReadError.Reason: CustomStringConvertible {
  /// The reason, in lower case, without a full stop.
  package var description: String {
    switch self {
    case .syntax(let reason): "\(reason)"
    case .geometry(let fault): "\(fault)"
    case .unsupportedReference(let name):
      "spatial reference \(name) is not supported: it must have an EPSG code"
    case .content(let text): text
    }
  }
}

/// A reason with its byte offset, as readers throw it; it becomes a ``FeatureReadError`` with line and column.
package struct ReadFault: Error {
  let reason: FeatureReadError.Reason
  let offset: Int

  init(_ reason: FeatureReadError.Reason, at offset: Int) { (self.reason, self.offset) = (reason, offset) }

  package init(_ text: String, at offset: Int) { self.init(.content(text), at: offset) }
}

extension FeatureReadError {
  /// Creates the error of a reader of bytes, with line and column of its offset.
  package init(_ error: any Error, in bytes: [UInt8]) {
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
