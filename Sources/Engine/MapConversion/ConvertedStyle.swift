import MapDocuments
import MapFeatures
import MapGeometry
package import MapJSON
package import MapModel
package import MapState
package import MapSystem

/// A map as a MapLibre style: its layers with features, whose rows are GeoJSON within the style.
///
/// - Source: MapLibre Style Specification 8.
package struct ConvertedStyle: Sendable {
  /// The style without the features of its sources.
  private var root: JSONObject
  /// The sources with their features as GeoJSON.
  private var sources: [(id: String, members: JSONObject, features: [UInt8])] = []
  /// The images of symbols.
  package private(set) var sprite = SpriteSheet()
  /// The glyphs of labels.
  package private(set) var glyphs = GlyphFiles()
  /// The parts of the document that the style says otherwise or not at all.
  package private(set) var losses: [DocumentWarning] = []

  /// The addresses in a style.
  package struct Addresses: Sendable {
    /// The address of the images without the ending.
    package var sprite: String
    /// The template of the glyphs.
    package var glyphs: String
    /// Whether there are glyphs at their template.
    package var hasGlyphs: Bool

    /// Creates addresses.
    package init(sprite: String, glyphs: String, hasGlyphs: Bool) {
      (self.sprite, self.glyphs, self.hasGlyphs) = (sprite, glyphs, hasGlyphs)
    }
  }

  /// Converts a map.
  ///
  /// - Parameters:
  ///   - document: the map.
  ///   - view: the view that the style proposes.
  /// - Throws: ``MapStateError``.
  package init(
    _ document: MapDocument, view: ViewState, addresses: Addresses
  ) async throws(MapStateError) {
    root = ["version": 8]
    let title = FilePath.stem(of: document.path)
    if !title.isEmpty, document.path != "-", !FileAccess.isStream(document.path) {
      root["name"] = .string(title)
    }
    let zoom = try addView(view)
    var layers: [JSONValue] = []
    if let background = document.map.backgroundColor, background.alpha > 0 {
      layers.append(
        ["id": "background", "type": "background", "paint": ["background-color": .string(background.css)]])
    }
    loseTiles(document, view)
    var names = LayerIDs()
    var labels: [(priority: Int, place: Int, layers: [JSONValue])] = []
    for (layer, opened) in zip(view.layers, document.layers) where !(layer.source is UnreadSource) {
      let path = document.isPlainData ? nil : opened.document.path
      let id = names.unique(layer.id.isEmpty ? layer.title.isEmpty ? "layer" : layer.title : layer.id)
      var conversion = try await LayerConversion(layer, path: path, view: view, zoom: zoom, id: id)
      try await conversion.convert(&sprite)
      let slices = try conversion.slices()
      layers += conversion.drafts.flatMap { names.layers(of: $0, slices, conversion) }
      for (place, draft) in conversion.labels.enumerated() {
        let place = -(sources.count * 10_000) + place
        labels.append((draft.priority, place, names.layers(of: draft, slices, conversion)))
      }
      losses += conversion.losses
      glyphs.add(conversion.glyphs)
      // Vertices are not simplified: the features are drawn as in images.
      var members: JSONObject = ["type": "geojson", "tolerance": 0]
      for member in conversion.clusters.members { members[member.name] = member.value }
      if !layer.attribution.isEmpty { members["attribution"] = .string(layer.attribution) }
      sources.append((id, members, try conversion.properties.geoJSON()))
    }
    // The labels of the highest layer of a style come first, so the most important class is on top.
    labels.sort { ($0.priority, $0.place) > ($1.priority, $1.place) }
    if !labels.isEmpty {
      root["glyphs"] = .string(addresses.glyphs)
      if !addresses.hasGlyphs {
        losses.append(
          DocumentWarning(
            path: nil,
            message:
              "the glyphs of labels are not written; --glyphs names others",
            outcome: .approximated))
      }
    }
    if !sprite.isEmpty { root["sprite"] = .string(addresses.sprite) }
    root["layers"] = .array(layers + labels.flatMap(\.layers))
    losses = losses.map { $0.nearest(in: document.webMap.source) }
  }

  /// Adds the view that the style proposes, and returns its zoom.
  private mutating func addView(_ view: ViewState) throws(MapStateError) -> Double {
    if view.spatialReference != .webMercator {
      losses.append(
        DocumentWarning(
          path: JSONPath.root["spatialReference"],
          message: "styles are drawn in Web Mercator and not in \(view.spatialReference.wkid)",
          outcome: .approximated))
    }
    let own = try view.zoom() ?? StyleZoom.zoom(ofScale: view.viewpoint.scale)
    let zoom = min(max(own, StyleZoom.limits.lowerBound), StyleZoom.limits.upperBound)
    if let center = (try? MapPlane.of(.wgs84))?.place(view.viewpoint.center) {
      root["center"] = [.number(center.x), .number(center.y)]
      root["zoom"] = .number(zoom)
    }
    if view.viewpoint.rotation != 0 { root["bearing"] = .number(view.viewpoint.rotation) }
    return zoom
  }

  /// Adds the layers of the map without features, which are not written.
  private mutating func loseTiles(_ document: MapDocument, _ view: ViewState) {
    if document.map.basemap != nil {
      losses.append(
        DocumentWarning(
          path: JSONPath.root["baseMap"], message: "the basemap is not written", outcome: .dropped))
    }
    for layer in document.map.tiledLayers.map(\.name) + document.map.vectorTiledLayers.map(\.name) {
      losses.append(
        DocumentWarning(path: nil, message: "layer \"\(layer)\": tiles are not written", outcome: .dropped))
    }
  }

  /// Whether the style has labels.
  package var hasLabels: Bool { root["glyphs"] != nil }

  /// Returns a report with the losses and warnings.
  ///
  /// - Parameters:
  ///   - readingLosses: the losses of reading the document.
  ///   - files: the paths of the written files.
  package func report(_ readingLosses: [JSONValue], warnings: JSONValue, files: [String]) -> JSONValue {
    let own: [JSONValue] = losses.map { loss in
      var property = ""
      if case .member(let name)? = loss.path?.steps.last { property = name }
      return [
        "path": loss.path.map { .string("\($0)") } ?? .null, "property": .string(property),
        "outcome": .string(loss.outcome.rawValue), "reason": .string(loss.message),
      ]
    }
    return [
      "files": .array(files.map { .string($0) }), "sources": .number(sources.count),
      "layers": .number(root["layers"]?.array?.count ?? 0), "losses": .array(readingLosses + own),
      "warnings": warnings,
    ]
  }

  /// The style as text, with one feature a line.
  package var bytes: [UInt8] {
    var bytes = Array("{".utf8)
    var separator = "\n"
    func add(_ text: String) { bytes += text.utf8 }
    func indented(_ value: JSONValue, _ spaces: String) -> String {
      value.text(style: .pretty).replacing("\n", with: "\n\(spaces)")
    }
    func name(_ text: String) -> String { JSONValue.string(text).text() }
    for member in root.members where member.name != "layers" {
      add("\(separator)  \(name(member.name)): \(indented(member.value, "  "))")
      separator = ",\n"
    }
    add("\(separator)  \"sources\": {")
    separator = "\n"
    for source in sources {
      add("\(separator)    \(name(source.id)): {\n")
      for member in source.members.members {
        add("      \(name(member.name)): \(indented(member.value, "      ")),\n")
      }
      add("      \"data\": ")
      let features = source.features
      bytes += features.last == 0x0A ? features.dropLast() : features[...]
      add("\n    }")
      separator = ",\n"
    }
    add(sources.isEmpty ? "},\n" : "\n  },\n")
    add("  \"layers\": \(indented(root["layers"] ?? [], "  "))\n}\n")
    return bytes
  }
}

extension DocumentWarning {
  /// Returns the warning at the nearest part of a document that it has.
  ///
  /// A member of a layer of a feature collection may be that of the collection.
  fileprivate func nearest(in document: JSONValue?) -> DocumentWarning {
    guard let path, let document else { return self }
    let near = path.existing(in: document)
    guard near.steps.count < path.steps.count, let last = path.steps.last,
      let start = path.steps.firstIndex(of: .member("featureCollection"))
    else { return DocumentWarning(path: near, message: message, outcome: outcome) }
    let outer = JSONPath(steps: path.steps[..<start] + [last])
    let isThere = outer.existing(in: document) == outer
    return DocumentWarning(path: isThere ? outer : near, message: message, outcome: outcome)
  }
}

extension JSONPath {
  /// Returns the longest start of the path that a document has.
  fileprivate func existing(in document: JSONValue) -> JSONPath {
    var (value, found) = (document, [Step]())
    for step in steps {
      let next: JSONValue? =
        switch step {
        case .member(let name): value[name]
        case .index(let index): value[index]
        }
      guard let next else { break }
      value = next
      found.append(step)
    }
    return JSONPath(steps: found)
  }
}

extension LayerConversion {
  /// Returns the slices of the layer's scales, each with the condition of its display filter.
  ///
  /// - Throws: ``MapStateError``.
  mutating func slices() throws(MapStateError) -> [(slice: ScaleSlice, condition: JSONValue?)] {
    var slices: [(ScaleSlice, JSONValue?)] = []
    for slice in ScaleSlice.slices(of: layer) {
      guard let filter = slice.filter else {
        slices.append((slice, nil))
        continue
      }
      let shown = try rows(display: filter)
      let all = Set(properties.rows)
      guard all.contains(where: { !shown.contains($0) }) else {
        slices.append((slice, nil))
        continue
      }
      var values = [AttributeValue](repeating: .null, count: properties.table.rowCount)
      for row in properties.rows where shown.contains(row) { values[row] = .integer(1) }
      let name = properties.add("display", .int32, values)
      slices.append((slice, ["==", StyleJSON.get(name), 1]))
    }
    return slices
  }
}

/// The ids of the sources and layers of a style, each once.
private struct LayerIDs {
  private var known: Set<String> = ["background"]

  /// Returns a name with a number if it is taken.
  mutating func unique(_ name: String) -> String {
    var (unique, number) = (name, 1)
    while !known.insert(unique).inserted {
      number += 1
      unique = "\(name) \(number)"
    }
    return unique
  }

  /// Returns a draft as a layer for each slice of scales.
  mutating func layers(
    of draft: StyleLayerDraft, _ slices: [(slice: ScaleSlice, condition: JSONValue?)],
    _ conversion: LayerConversion
  ) -> [JSONValue] {
    slices.compactMap { slice, condition in
      // The source has the plain name, and the first layer too.
      let name = draft.suffix.isEmpty ? conversion.id : "\(conversion.id) \(draft.suffix)"
      guard
        let json = draft.json(
          id: layerID(name, isFirst: draft.suffix.isEmpty), source: conversion.id, slice: slice,
          condition: condition, isVisible: conversion.layer.isVisible)
      else { return nil }
      return json
    }
  }

  private var first: Set<String> = []

  private mutating func layerID(_ name: String, isFirst: Bool) -> String {
    isFirst && first.insert(name).inserted ? name : unique(name)
  }
}
