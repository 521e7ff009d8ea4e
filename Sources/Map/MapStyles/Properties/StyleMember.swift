package import MapJSON

/// The facts of the style specification about a member of the style, of a source or of a layer.
///
/// - Source: MapLibre Style Specification, version 8.
package struct StyleMember: Hashable, Sendable {
  /// The kinds of values.
  package enum Kind: Hashable, Sendable {
    case number, string, boolean, object, any
    /// Numbers, of a fixed number where there is a count.
    case numbers(count: Int?)
    case strings
    case array
    /// A word of a list.
    case word([String])
  }

  /// The name.
  package let name: String
  /// The kind of the value.
  package let kind: Kind
  /// Whether the member must be there.
  package let isRequired: Bool
  /// The value where there is none.
  package let defaultValue: JSONValue?
  /// Whether images, answers or the view depend on the member.
  package let isDrawn: Bool

  init(
    _ name: String, _ kind: Kind, isRequired: Bool = false, default value: JSONValue? = nil,
    isDrawn: Bool = true
  ) {
    (self.name, self.kind, self.isRequired, defaultValue, self.isDrawn) = (
      name, kind, isRequired, value, isDrawn
    )
  }

  /// The members of a style.
  package static let root: [StyleMember] = [
    StyleMember("version", .number, isRequired: true),
    StyleMember("name", .string),
    StyleMember("id", .string),
    StyleMember("metadata", .any),
    StyleMember("center", .numbers(count: 2)),
    StyleMember("centerAltitude", .number, isDrawn: false),
    StyleMember("zoom", .number),
    StyleMember("bearing", .number, default: 0),
    StyleMember("pitch", .number, default: 0, isDrawn: false),
    StyleMember("roll", .number, default: 0, isDrawn: false),
    StyleMember("state", .object),
    StyleMember("light", .object, isDrawn: false),
    StyleMember("sky", .object, isDrawn: false),
    StyleMember("fog", .object, isDrawn: false),
    StyleMember("projection", .object, isDrawn: false),
    StyleMember("terrain", .object, isDrawn: false),
    StyleMember("sources", .object, isRequired: true),
    StyleMember("sprite", .any),
    StyleMember("glyphs", .string),
    StyleMember("font-faces", .object, isDrawn: false),
    StyleMember("transition", .object),
    StyleMember("layers", .array, isRequired: true),
  ]

  /// The members of a layer.
  package static let layer: [StyleMember] = [
    StyleMember("id", .string, isRequired: true),
    StyleMember("type", .word(StyleLayerType.allCases.map(\.rawValue)), isRequired: true),
    StyleMember("metadata", .any),
    StyleMember("ref", .string),
    StyleMember("source", .string),
    StyleMember("source-layer", .string),
    StyleMember("minzoom", .number),
    StyleMember("maxzoom", .number),
    StyleMember("interactive", .boolean),
    StyleMember("filter", .any),
    StyleMember("layout", .object),
    StyleMember("paint", .object),
  ]

  /// The members of a source of a type.
  package static func source(_ type: StyleSourceType) -> [StyleMember] {
    let kind = StyleMember("type", .word([type.rawValue]), isRequired: true)
    switch type {
    case .vector:
      return [kind] + tiles + [
        scheme, StyleMember("promoteId", .any),
        StyleMember("encoding", .word(["mvt", "mlt"]), default: "mvt"),
      ]
    case .raster: return [kind] + tiles + [scheme, StyleMember("tileSize", .number, default: 512)]
    case .rasterDEM:
      return [kind] + tiles + [
        StyleMember("tileSize", .number, default: 512),
        StyleMember("encoding", .word(["terrarium", "mapbox", "custom"]), default: "mapbox"),
        StyleMember("redFactor", .number, default: 1), StyleMember("greenFactor", .number, default: 1),
        StyleMember("blueFactor", .number, default: 1), StyleMember("baseShift", .number, default: 0),
      ]
    case .geojson:
      return [
        kind, StyleMember("data", .any, isRequired: true), StyleMember("maxzoom", .number, default: 18),
        StyleMember("attribution", .string), StyleMember("buffer", .number, default: 128),
        StyleMember("filter", .any), StyleMember("tolerance", .number, default: 0.375),
        StyleMember("cluster", .boolean, default: false),
        StyleMember("clusterRadius", .number, default: 50), StyleMember("clusterMaxZoom", .number),
        StyleMember("clusterMinPoints", .number), StyleMember("clusterProperties", .object),
        StyleMember("lineMetrics", .boolean, default: false),
        StyleMember("generateId", .boolean, default: false), StyleMember("promoteId", .any),
      ]
    case .image:
      return [
        kind, StyleMember("url", .string, isRequired: true),
        StyleMember("coordinates", .array, isRequired: true),
      ]
    case .video:
      return [
        kind, StyleMember("urls", .strings, isRequired: true),
        StyleMember("coordinates", .array, isRequired: true),
      ]
    }
  }

  private static let scheme = StyleMember("scheme", .word(["xyz", "tms"]), default: "xyz")
  /// The members of all sources of tiles, which may also be those of TileJSON.
  private static let tiles: [StyleMember] = [
    StyleMember("url", .string), StyleMember("tiles", .strings), StyleMember("bounds", .numbers(count: 4)),
    StyleMember("minzoom", .number, default: 0), StyleMember("maxzoom", .number, default: 22),
    StyleMember("attribution", .string), StyleMember("volatile", .boolean, default: false),
    StyleMember("name", .string), StyleMember("description", .string), StyleMember("version", .string),
    StyleMember("format", .string), StyleMember("tilejson", .string), StyleMember("center", .array),
    StyleMember("vector_layers", .array),
  ]
}
