package import MapJSON

/// A source of a style.
package struct StyleSource: Sendable {
  /// The name in the style.
  package let name: String
  /// The type.
  package let type: StyleSourceType
  /// The address of a description, an image or GeoJSON; nil for none.
  package let url: String?
  /// The addresses of tiles; empty for none.
  package let tiles: [String]
  /// West, south, east and north in degrees; nil for the whole world.
  package let bounds: [Double]?
  /// The least level; nil where the style says nothing.
  package let minzoom: Double?
  /// The greatest level; nil where the style says nothing.
  package let maxzoom: Double?
  /// Whether rows count from the south.
  package let isTMS: Bool
  /// The pixels along a side of a tile of images.
  package let tileSize: Double
  /// The text that images must show; nil for none.
  package let attribution: String?
  /// GeoJSON within the style; nil for none.
  package let data: JSONValue?
  /// All members, for readers of single types of sources.
  package let members: JSONObject

  /// Reads a source; nil when its type is missing or unknown.
  init?(_ name: String, _ json: JSONValue, at path: JSONPath, _ problems: inout StyleProblems) {
    guard case .object(let object) = json else {
      problems.add(.invalid, "must be an object", at: path)
      return nil
    }
    guard let word = object["type"]?.string else {
      problems.add(.invalid, "is missing", at: path["type"])
      return nil
    }
    guard let type = StyleSourceType(rawValue: word) else {
      problems.addUnknown(
        word, "type '\(word)' of source", at: path["type"], among: StyleSourceType.allCases.map(\.rawValue))
      return nil
    }
    problems.check(object, StyleMember.source(type), "a source of the type '\(word)'", at: path)
    (self.name, self.type, members) = (name, type, object)
    tiles = object["tiles"]?.array?.compactMap(\.string) ?? []
    let numbers = object["bounds"]?.array?.compactMap(\.double).filter(\.isFinite)
    bounds = numbers?.count == 4 ? numbers : nil
    minzoom = object["minzoom"]?.double
    maxzoom = object["maxzoom"]?.double
    isTMS = object["scheme"]?.string == "tms"
    let size = object["tileSize"]?.double ?? 512
    tileSize = size > 0 && size <= 65536 ? size : 512
    attribution = object["attribution"]?.string
    let data = object["data"]
    url = object["url"]?.string ?? data?.string
    self.data = data?.string == nil ? data : nil
    let hasPlace = url != nil || !tiles.isEmpty || self.data != nil || type == .video
    if !hasPlace, type != .geojson, type != .image {
      problems.add(.invalid, "has neither 'url' nor 'tiles'", at: path)
    }
  }
}
