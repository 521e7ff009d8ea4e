package import MapDocuments
import MapFeatures
import MapGeometry
package import MapJSON
public import MapModel
import MapSystem

/// An opened map: the map, its document and the warnings of reading it.
public struct MapDocument: Sendable {
  /// The map.
  public let map: Map
  /// The document; generated from the data if a plain data source was opened.
  package let webMap: WebMap
  /// The MapLibre style that was read; nil for another source.
  package let style: JSONValue?
  /// The names of the layers that were not opened because their kind is not supported.
  public let unsupported: [String]
  /// The warnings about deviations from the document and losses in reading.
  public private(set) var warnings: [DocumentWarning]
  /// Decisions of reading that a user may want to know: the zoom level of tiles, and what joins did.
  public private(set) var notes: [String]
  /// The opened layers, first at the bottom.
  public let layers: [OpenedLayer]
  /// The tables of a plain data source whose geometries are of several kinds, with their layers.
  let splitTables: [SplitTable]
  /// Whether the source was plain data and not a document.
  ///
  /// Plain data have no view of their own.
  public let isPlainData: Bool
  /// The file that it was read from.
  package let path: String
  /// All files that it was read from.
  ///
  /// No output may overwrite them.
  package let inputs: [String]

  /// Creates an opened map from its document and the sources of its layers.
  init(
    webMap: WebMap, opened: [(layer: WebMapLayer, source: any FeatureSource)], isPlainData: Bool,
    path: String, inputs: [String], warnings openingWarnings: [DocumentWarning] = [], notes: [String] = [],
    hasAllFields: Bool = false, splitTables: [SplitTable] = [], style: JSONValue? = nil
  ) {
    (self.splitTables, self.style) = (splitTables, style)
    // Layers of one source have the same notes.
    self.notes = (notes + opened.flatMap(\.source.metadata.notes)).reduce(into: []) { notes, note in
      if !notes.contains(note) { notes.append(note) }
    }
    var webMap = webMap
    var warnings = webMap.warnings + openingWarnings
    if let reference = webMap.spatialReference {
      do { _ = try MapPlane.of(reference) } catch .missingLibrary {
        // The document is right; every view of its map reports the missing library.
      } catch {
        warnings.append(
          DocumentWarning(
            path: JSONPath(steps: [.member("spatialReference")]),
            message: "drawn in Web Mercator (3857) instead: \(error)", outcome: .approximated))
        webMap.spatialReference = .webMercator
      }
    }
    (self.webMap, self.isPlainData, self.path, self.inputs) = (webMap, isPlainData, path, inputs)
    map = Map(document: webMap)
    var layers: [OpenedLayer] = []
    for (document, source) in opened {
      var layer = document
      let drawing = SourceDrawing(source.metadata)
      layer.definition.take(drawing, timeInfo: source.metadata.timeInfo)
      if let subtypes = SubtypeDomains(source.metadata.layerResource) {
        for index in layer.definition.labelDefinitions.indices {
          layer.definition.labelDefinitions[index].subtypes = subtypes
        }
      }
      if !isPlainData { layer.definition.isNamedByFile = layer.isTitledByFile }
      warnings += drawing.warnings.map {
        DocumentWarning(
          path: isPlainData ? nil : layer.path, message: "layer \"\(layer.title)\": \($0)",
          outcome: .approximated)
      }
      let added = layer.featureLayer(over: source)
      map.addOperationalLayer(added)
      if isPlainData, case .url(let url) = document.content {
        let folder = FilePath.folder(of: FileAccess.realPath(path) ?? path)
        let place = SourceAddress.scheme(of: url) == nil ? FilePath.join(folder, url) : url
        added.featureTable?.table.content.update { $0.url = place }
      }
      layers.append(OpenedLayer(layer: added, document: layer))
      // A table that was not read has no warnings.
      guard !(source is UnreadSource) else { continue }
      warnings += Self.sourceWarnings(layer, source, isPlainData: isPlainData)
      warnings += layerWarnings(layer, source, hasAllFields: hasAllFields || layer.holdsItsTable)
    }
    (self.layers, self.warnings) = (layers, warnings)
    map.add(warnings)
    unsupported = webMap.layers.compactMap { layer in
      if case .unsupported = layer.content { layer.title.isEmpty ? layer.id : layer.title } else { nil }
    }
  }

  /// Returns a map of the same data with other definitions of its layers.
  package func restyled(_ definitions: [WebMapLayer]) -> MapDocument {
    let document = MapDocument(
      webMap: WebMap(layers: definitions),
      opened: zip(definitions, layers).map { (layer: $0, source: $1.layer.source) }, isPlainData: true,
      path: path, inputs: inputs, notes: notes, splitTables: splitTables)
    return document.adding(warnings)
  }

  /// Returns the same data with a text after the attribution of each layer.
  package func attributed(to text: String) -> MapDocument {
    guard isPlainData else {
      for item in layers { item.layer.addAttribution(text) }
      return self
    }
    return restyled(
      layers.map { item in
        var definition = item.document
        definition.definition.attribution = [item.layer.attribution, text].joinedOnce
        return definition
      })
  }

  /// Returns the same map with further warnings and notes, each once.
  package func adding(_ new: [DocumentWarning], notes more: [String] = []) -> MapDocument {
    var document = self
    var known = Set(warnings)
    let added = new.filter { known.insert($0).inserted }
    document.warnings += added
    document.notes += more.filter { !notes.contains($0) }
    // Requests to a server share the map of a document, and have warnings of their own.
    if isPlainData { map.add(added) }
    return document
  }

  /// Adds the layers of another map above those of this document, on the same map, and returns the document with them.
  ///
  /// The layers of this document stay the same objects, with the filters that they have now. The other document loses
  /// its layers. Its basemap and its view are not added.
  /// - Parameter title: the title of the added layer; nil for its own. Of several layers, it comes before their own
  ///   titles.
  package func adding(_ other: MapDocument, titled title: String? = nil) -> MapDocument {
    other.isPlainData ? addingData(other, titled: title) : addingLayers(of: other, titled: title)
  }

  /// Moves the layers of a document with their groups, filters and symbols.
  private func addingLayers(of other: MapDocument, titled title: String?) -> MapDocument {
    let moved = other.map.operationalLayers
    if let title {
      for item in other.layers {
        item.layer.title = other.layers.count == 1 ? title : "\(title): \(item.layer.definition.name)"
      }
    }
    map.update {
      other.map.removeAllOperationalLayers()
      map.addOperationalLayers(moved)
    }
    return MapDocument(self, adding: other.layers, from: other, [])
  }

  /// Makes layers of plain data anew, with ids that no other layer has.
  private func addingData(_ other: MapDocument, titled title: String?) -> MapDocument {
    var taken = Set(layers.map(\.layer.id))
    let names = other.layers.map { $0.document.title }
    let single = other.splitTables.count == 1 && other.layersOfOnlyTable != nil
    let definitions = other.layers.map { item in
      var definition = item.document
      definition.definition.$definitionExpression = item.layer.definitionFilter
      if let title {
        let own = single ? String(definition.title.dropFirst(other.splitTables[0].name.count)) : ""
        definition.title = names.count == 1 ? title : single ? title + own : "\(title): \(definition.title)"
        definition.id = definition.title
        definition.definition.isNamedByFile = false
      }
      definition.id = Self.unused(definition.id, &taken)
      return definition
    }
    let tables = other.splitTables.map { table in
      SplitTable(
        name: title.map { single ? $0 : "\($0): \(table.name)" } ?? table.name,
        layers: table.layers.lowerBound + layers.count..<table.layers.upperBound + layers.count,
        source: table.source)
    }
    let added = zip(definitions, other.layers).map { definition, item in
      OpenedLayer(layer: definition.opened(over: item.layer.source), document: definition)
    }
    map.addOperationalLayers(added.map(\.layer))
    return MapDocument(self, adding: added, from: other, tables)
  }

  /// Returns a name, with a number after it if another layer has it, and takes it.
  private static func unused(_ name: String, _ taken: inout Set<String>) -> String {
    var (found, number) = (name, 1)
    while !taken.insert(found).inserted {
      number += 1
      found = "\(name)-\(number)"
    }
    return found
  }

  private init(
    _ base: MapDocument, adding added: [OpenedLayer], from other: MapDocument, _ tables: [SplitTable]
  ) {
    (map, style, unsupported, path) = (base.map, base.style, base.unsupported, base.path)
    var webMap = base.webMap
    webMap.layers += added.map(\.document)
    self.webMap = webMap
    (layers, splitTables) = (base.layers + added, base.splitTables + tables)
    (warnings, notes) = (base.warnings + other.warnings, base.notes + other.notes)
    (inputs, isPlainData) = (base.inputs + other.inputs, false)
  }

  /// The warnings from queries since the map was opened, such as a filter that a service evaluates by its own
  /// rules.
  public var laterWarnings: [DocumentWarning] {
    let known = Set(warnings)
    return layers.flatMap { item in
      Self.sourceWarnings(item.document, item.layer.source, isPlainData: isPlainData)
    }.filter { !known.contains($0) }
  }

  /// Returns the warnings of a layer's source: losses, assumptions, and operations computed locally instead of by a
  /// service.
  private static func sourceWarnings(
    _ layer: WebMapLayer, _ source: any FeatureSource, isPlainData: Bool
  ) -> [DocumentWarning] {
    source.warnings.map {
      DocumentWarning(
        // A layer that was added to a document has no path in it.
        path: isPlainData || layer.path == .root ? nil : layer.path,
        message: "layer \"\(layer.title)\": \($0)", outcome: .drawn)
    }
  }
}
