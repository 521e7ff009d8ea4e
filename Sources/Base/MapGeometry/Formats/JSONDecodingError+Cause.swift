package import MapJSON
package import MapSystem

extension JSONDecodingError: MapStateErrorCause {
  /// Returns the error for callers, with the path and the nearest name.
  package func mapStateError(_ kind: MapStateError.Kind) -> MapStateError {
    MapStateError(kind, description, path: path.description, suggestion: suggestion, cause: self)
  }
}
