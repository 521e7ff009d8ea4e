public import MapJSON
public import MapSystem

extension MapStateError {
  /// The error as JSON: `{"error": {"kind", "message", "path", "suggestion"}}`.
  public var json: JSONValue {
    [
      "error": [
        "kind": .string("\(kind)"), "message": .string(description),
        "path": path.map { .string($0) } ?? .null, "suggestion": suggestion.map { .string($0) } ?? .null,
      ]
    ]
  }

  /// Creates an error from an error about a layer, whose name begins the message.
  ///
  /// It is of kind service if the cause is, otherwise of kind input.
  package init(_ error: any Error, ofLayer name: String) {
    let cause = MapStateError(error)
    let subject = name.isEmpty ? "layer without title" : "layer \"\(name)\""
    self.init(
      cause.kind == .service ? .service : .input, "\(subject): \(cause)", detail: cause.detail,
      path: cause.path, suggestion: cause.suggestion, cause: cause.cause)
  }
}

extension JSONValue {
  /// Parses the text of one JSON document.
  ///
  /// - Throws: ``MapStateError`` with the position of the first fault.
  public init(text: String) throws(MapStateError) {
    do { try self.init(parsing: text) } catch { throw MapStateError(error) }
  }
}
