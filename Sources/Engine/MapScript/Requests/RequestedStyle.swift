import MapFeatures
import MapJSON
package import MapState
import MapSystem

/// A style in a file: the path, and the name of a layer or style in it.
public struct RequestedStyle: Hashable, Sendable {
  /// The path of the file.
  public var path: String
  /// The name of the layer or the style; nil for the only one, or for that of the layer that is drawn.
  public var name: String?

  /// Creates a style from a path and a name.
  public init(path: String, name: String? = nil) { (self.path, self.name) = (path, name) }

  /// Returns the style with its file in the first of some folders that has it.
  func reading(in folders: [String]) -> RequestedStyle {
    var style = self
    style.path = folders.lazy.map { FilePath.join($0, path) }.first { FileAccess.exists($0) } ?? path
    return style
  }

  /// Returns the drawing of the features of a source.
  ///
  /// - Throws: `MapStateError` of kind input for a file that is no style, and for a name that it does not have.
  func drawing(
    of source: any FeatureSource, titled title: String
  ) throws(MapStateError) -> StyledLayerFile.Drawing {
    try StyledLayerFile(path: path).drawing(named: name, of: source, titled: title)
  }
}

extension RequestedStyle: RequestText {
  /// Reads `FILE` or `FILE#NAME`.
  package init(text: String) throws(MapStateError) {
    // A folder and a name may have a hash, too: the file ends before the first hash after a file ending.
    let hash = text.indices.first { index in
      guard text[index] == "#", let file = text[..<index].split(separator: "/").last else { return false }
      return text[..<index].last != "/" && (file.dropFirst().contains(".") || !text[index...].contains("/"))
    }
    let path = hash.map { String(text[..<$0]) } ?? text
    guard !path.isEmpty else {
      throw MapStateError(
        .usage, "\"\(text)\": expected a file with a style, such as roads.sld or city.sld#roads")
    }
    self.init(path: path, name: hash.map { String(text[text.index(after: $0)...]) })
  }
}
