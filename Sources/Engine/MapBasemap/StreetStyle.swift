package import MapJSON
package import MapModel

/// The bundled styles of streets: one list of layers, and a palette for each style.
///
/// The texts of the list that start with `@` are names of definitions. These are the list's own, the colours and other
/// definitions of a palette, and the values of a schema. A layer has a subject, which a schema finds in its tiles; a layer
/// whose subject the tiles do not have is left out.
package enum StreetStyle {
  private static let list = JSONValue(bundled: 0)
  private static let palettes = JSONValue(bundled: 1)

  /// The styles, which are drawn in the colours of the bundled basemap.
  package static let styles = (palettes.object?.members ?? []).map { Basemap.Style(rawValue: $0.name) }
  /// The places of the images in ``images``, as in a sprite.
  package static let imagePlaces = JSONValue(bundled: 3)
  /// The number of pixels of the images per CSS pixel.
  package static let imageRatio = 2.0
  /// The images as PNG: distances from edges, which the styles colour.
  package static var images: [UInt8] { BundledBytes.streets(4) }
  /// The name of the source of tiles in a style.
  package static let tiles = "tiles"
  /// The name of the source with the area of the tiles.
  package static let ground = "ground"

  /// Returns the MapLibre style over tiles of a schema; nil for a style without streets.
  ///
  /// - Parameters:
  ///   - layers: the layers of the tiles; nil if they are not known.
  ///   - language: the language of the names, such as `fi`; nil for the names in use at a place.
  ///   - fields: returns the fields of a layer of the tiles; nil if they are not known.
  ///   - area: the area of the tiles as GeoJSON.
  package static func document(
    _ style: Basemap.Style, over schema: StreetSchema, layers: [String]? = nil, language: String?,
    area: JSONValue, fields: (String) -> [String]?
  ) -> JSONValue? {
    guard let palette = palettes[style.drawn.rawValue] else { return nil }
    var definitions = Definitions(list["shared"], BasemapPalette(style).definitions, schema.values)
    definitions.add(palette["shared"])
    definitions.add(palette["colors"])
    let left = (palette["without"]?.array ?? []).compactMap(\.string)
    let drawn = (list["layers"]?.array ?? []).compactMap { entry -> JSONValue? in
      guard var layer = entry.object, let id = layer["id"]?.string, !left.contains(id),
        style.hasNames || layer["type"] != "symbol", let subject = layer["subject"]?.string
      else { return nil }
      layer["subject"] = nil
      let least = JSONValue.number(JSONNumber(StreetTiles.leastZoom))
      layer["minzoom"] = layer["minzoom"] ?? least
      guard subject != ground else {
        layer["source"] = .string(ground)
        return definitions.applied(to: .object(layer))
      }
      guard let place = schema.subject(subject), layers?.contains(place.layer) ?? true else { return nil }
      (layer["source"], layer["source-layer"]) = (.string(tiles), .string(place.layer))
      let filters = [place.filter, layer["filter"]].compactMap { $0 }
      layer["filter"] = filters.count > 1 ? .array(["all"] + filters) : filters.first
      let known = fields(place.layer)
      definitions.add(["name": schema.name(language, fields: known)])
      let complete = definitions.applied(to: .object(layer))
      let asked = complete["layout"]?["text-field"]?.askedFields ?? []
      // Makers of tiles leave out fields, and a text of none of its fields is empty.
      return asked.isEmpty || known.map { !asked.isDisjoint(with: $0) } ?? true ? complete : nil
    }
    return [
      "version": 8, "name": .string(style.rawValue),
      "sources": [
        ground: ["type": "geojson", "data": area], tiles: ["type": "vector", "url": "tiles"],
      ],
      "layers": .array(drawn),
    ]
  }
}

extension StreetStyle {
  /// The definitions of a style by their names.
  private struct Definitions {
    private var values: [String: JSONValue] = [:]

    init(_ objects: JSONValue?...) {
      for object in objects { add(object) }
    }

    /// Adds the members of an object, which replace others with the same name.
    mutating func add(_ object: JSONValue?) {
      for member in object?.object?.members ?? [] { values[member.name] = member.value }
    }

    /// Returns a value with its definitions in the place of their names.
    func applied(to value: JSONValue) -> JSONValue {
      switch value {
      case .string(let text):
        guard text.hasPrefix("@"), let found = values[String(text.dropFirst())] else { return value }
        return applied(to: found)
      case .array(let elements): return .array(elements.map(applied))
      case .object(var object):
        for member in object.members { object[member.name] = applied(to: member.value) }
        return .object(object)
      default: return value
      }
    }
  }
}

extension BasemapPalette {
  /// The colours that a style of streets shares with the bundled basemap.
  fileprivate var definitions: JSONValue {
    func text(_ color: Color) -> JSONValue { .string("\(color)") }
    return [
      "land": text(land), "water": text(water), "ice": text(ice), "river": text(river), "shore": text(coast),
      "border-line": text(border), "border-casing": text(casing ?? land), "state-border": text(state),
      "name-country": text(names.country), "name-place": text(names.place), "name-water": text(names.water),
      "halo": text(names.halo),
    ]
  }
}

extension JSONValue {
  /// The fields whose values an expression gets.
  fileprivate var askedFields: Set<String> {
    guard case .array(let elements) = self else { return [] }
    if elements.count == 2, elements[0] == "get", let name = elements[1].string { return [name] }
    return elements.reduce(into: []) { $0.formUnion($1.askedFields) }
  }

  /// Reads a bundled file of the street styles.
  init(bundled file: Int32) {
    self = (try? JSONValue(parsing: BundledBytes.streets(file))) ?? .null
  }
}
