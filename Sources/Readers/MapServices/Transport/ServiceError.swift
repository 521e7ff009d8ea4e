package import MapSystem

/// The error of a request to a service.
public struct ServiceError: Error, Hashable, CustomStringConvertible {
  /// The kind of an error.
  public enum Kind: Hashable, Sendable {
    /// The answer is wrong, or reports an error.
    case answer
    /// The connection failed or broke; a retry may succeed.
    case connection
    /// The deadline passed.
    case deadline
    /// The task was cancelled.
    case cancelled
    /// The answers in progress exceed the memory limit.
    case memory
    /// MapState's rules forbid the request or its answer.
    case refused
    /// The library that reaches services is not installed.
    case missingLibrary
  }

  /// The address of the request, without its query, which may hold secrets.
  public let url: String
  /// The reason, in lower case, without a full stop.
  public let reason: String
  /// The kind of the error.
  public let kind: Kind

  /// Creates an error at an address; removes its query, fragment, user name and password.
  public init(_ reason: String, at url: String, kind: Kind = .answer) {
    var shown = String(url.prefix { $0 != "?" })
    // A password may contain `/`, which otherwise ends the host.
    if let start = shown.firstRange(of: "://")?.upperBound, let at = shown[start...].lastIndex(of: "@") {
      shown.removeSubrange(start...at)
    }
    (self.url, self.reason, self.kind) = (String(shown.prefix { $0 != "#" }), reason, kind)
  }

  /// The address and the reason in one line.
  public var description: String { "\(url): \(reason)" }
}

extension ServiceError: MapStateErrorCause {
  /// Returns the error for callers, of kind service unless a library is missing.
  package func mapStateError(_ kind: MapStateError.Kind) -> MapStateError {
    MapStateError(self.kind == .missingLibrary ? kind : .service, description, cause: self)
  }
}
