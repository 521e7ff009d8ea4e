import MapDocuments
package import MapJSON
import MapStyles
import MapSystem

extension SourceCatalog {
  /// Returns the JSON of the style at a path; nil for a source of another kind, and for JSON that is damaged.
  package static func style(at source: String) throws(MapStateError) -> JSONValue? {
    guard SourceAddress.scheme(of: source) == nil, source != "-",
      case .file(let head) = FileAccess.look(at: source), TextFormat.startsLikeJSON(head)
    else { return nil }
    let bytes: [UInt8]
    do { bytes = try FileAccess.read(source) } catch { throw MapStateError(error) }
    guard TextFormat(bytes, path: source) == .otherJSON,
      let json = try? JSONValue(parsing: bytes, limits: WebMap.limits), StyleDocument.isStyle(json)
    else { return nil }
    return json
  }
}
