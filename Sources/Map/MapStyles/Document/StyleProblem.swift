/// Something in a style that is unknown, not drawn or invalid.
package struct StyleProblem: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of problems.
  package enum Kind: String, Hashable, Sendable {
    /// No version of the specification has the member or the value.
    case unknown
    /// The specification has it, but images do not show it.
    case undrawn
    /// The value is not what the specification asks for; the default takes its place.
    case invalid
  }

  /// The path of the member, such as `$.layers[2].paint['fill-color']`.
  package let path: String
  /// The kind.
  package let kind: Kind
  /// The fault.
  package let message: String
  /// The valid name that is nearest to an unknown one; nil for none.
  package let suggestion: String?

  /// The path, what is wrong and the nearest name.
  package var description: String {
    "\(path): \(message)" + (suggestion.map { ", did you mean '\($0)'?" } ?? "")
  }
}
