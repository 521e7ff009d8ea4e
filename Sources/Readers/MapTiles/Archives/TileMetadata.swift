package import MapGeometry
package import MapJSON

/// The description of a set of tiles: TileJSON, or the metadata of an archive.
///
/// - Source: TileJSON 3.0.0; MBTiles 1.3 and PMTiles 3 use the same names.
package struct TileMetadata: Sendable {
  /// The name; empty for none.
  package var name = ""
  /// The attribution as plain text; empty for none.
  package var attribution = ""
  /// The extent in Web Mercator; nil if unknown.
  package var extent: Envelope?

  /// The layers of vector tiles; empty if the description does not state them.
  package var vectorLayers: [VectorTileDescription] = []

  /// Creates an empty description.
  package init() {}

  /// Creates a description from texts by name.
  init(_ texts: [String: String]) {
    name = texts["name"] ?? ""
    attribution = Self.plain(texts["attribution"] ?? "")
    let sides = (texts["bounds"] ?? "").split(separator: ",").compactMap {
      Double($0.filter { !$0.isWhitespace })
    }
    extent = Self.extent(sides)
    // MBTiles have one text of JSON for what is not a text.
    let json = texts["json"].flatMap { try? JSONValue(parsing: Array($0.utf8)) }
    vectorLayers = VectorTileDescription.all(json?["vector_layers"])
  }

  /// Creates a description from JSON; members of other kinds are ignored.
  package init(_ json: JSONValue) {
    name = json["name"]?.string ?? ""
    attribution = Self.plain(json["attribution"]?.string ?? "")
    extent = Self.extent(json["bounds"]?.array?.compactMap { $0.double } ?? [])
    vectorLayers = VectorTileDescription.all(json["vector_layers"])
  }

  /// Returns the extent in Web Mercator of west, south, east and north in degrees; nil if they make none.
  package static func extent(_ sides: [Double]) -> Envelope? {
    guard sides.count == 4, sides.allSatisfy(\.isFinite), sides[0] < sides[2], sides[1] < sides[3],
      abs(sides[0]) <= 180, abs(sides[2]) <= 180, abs(sides[1]) <= 90, abs(sides[3]) <= 90
    else { return nil }
    let half = WebMercator.halfWorld
    func y(_ latitude: Double) -> Double { min(max(WebMercator.y(latitude: latitude), -half), half) }
    return Envelope(
      xMin: WebMercator.x(longitude: sides[0]), yMin: y(sides[1]), xMax: WebMercator.x(longitude: sides[2]),
      yMax: y(sides[3]), spatialReference: .webMercator)
  }

  /// Returns an attribution without HTML tags and with its common entities as characters.
  package static func plain(_ html: String) -> String {
    var (text, isTag) = ("", false)
    for character in html.prefix(2000) {
      if character == "<" {
        isTag = true
      } else if character == ">", isTag {
        isTag = false
      } else if !isTag {
        text.append(character)
      }
    }
    for (entity, character) in [
      ("&copy;", "©"), ("&#169;", "©"), ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""),
      ("&amp;", "&"),
    ] {
      text = text.replacing(entity, with: character)
    }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
