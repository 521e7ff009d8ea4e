import MapDocuments
package import MapJSON
import MapStyles
import MapSystem

extension SourceCatalog {
  /// Returns the JSON of the style at a path; nil for a source of another kind.
  ///
  /// - Throws: ``MapStateError`` also for JSON of any kind that cannot be parsed.
  package static func style(at source: String) throws(MapStateError) -> JSONValue? {
    guard SourceAddress.scheme(of: source) == nil, source != "-",
      case .file(let head) = FileAccess.look(at: source), TextFormat.startsLikeJSON(head)
    else { return nil }
    let bytes: [UInt8]
    do { bytes = try FileAccess.read(source) } catch { throw MapStateError(error) }
    guard TextFormat(bytes, path: source) == .otherJSON else { return nil }
    let json = try document(bytes, name: source)
    return StyleDocument.isStyle(json) ? json : nil
  }

  /// Parses a document.
  ///
  /// - Throws: ``MapStateError``, which names the document.
  static func document(_ bytes: [UInt8], name: String) throws(MapStateError) -> JSONValue {
    do { return try JSONValue(parsing: bytes, limits: WebMap.limits) } catch {
      throw MapStateError(.input, "\(name): \(error)", cause: error)
    }
  }
}
