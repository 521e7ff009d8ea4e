/// A service that did not answer as it must.
public struct ServiceError: Error, Hashable, CustomStringConvertible {
  /// What kind of fault it is.
  public enum Kind: Hashable, Sendable {
    /// What the service answered is wrong, or says that something is.
    case answer
    /// There was no connection, or it broke: another try may do better.
    case connection
    /// Time was over.
    case deadline
    /// The task that asked was cancelled.
    case cancelled
    /// The answers under way take more memory than they may.
    case memory
    /// It was not asked, or its answer not taken, by a rule of ours.
    case refused
  }

  /// Where it was asked, without its query, which may hold secrets.
  public let url: String
  /// What is wrong, lower case, no full stop.
  public let reason: String
  /// What kind of fault it is.
  public let kind: Kind

  /// An error at an address, whose query, and name and password, are left out.
  public init(_ reason: String, at url: String, kind: Kind = .answer) {
    var shown = String(url.prefix { $0 != "?" })
    // A password may hold what ends a name elsewhere.
    if let start = shown.firstRange(of: "://")?.upperBound, let at = shown[start...].lastIndex(of: "@") {
      shown.removeSubrange(start...at)
    }
    (self.url, self.reason, self.kind) = (String(shown.prefix { $0 != "#" }), reason, kind)
  }

  /// One line for people.
  public var description: String { "\(url): \(reason)" }
}
