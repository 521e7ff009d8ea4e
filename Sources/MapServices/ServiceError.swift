/// A service that did not answer as it must.
public struct ServiceError: Error, Hashable, CustomStringConvertible {
  /// Where it was asked, without its query, which may hold secrets.
  public let url: String
  /// What is wrong, lower case, no full stop.
  public let reason: String

  /// An error at an address, whose query is left out.
  public init(_ reason: String, at url: String) {
    self.reason = reason
    self.url = String(url.prefix { $0 != "?" && $0 != "#" })
  }

  /// One line for people.
  public var description: String { "\(url): \(reason)" }
}
