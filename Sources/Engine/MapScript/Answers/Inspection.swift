import MapDocuments
import MapFeatures
import MapFilter
import MapGeometry
public import MapJSON
public import MapModel
public import MapState
import MapSystem

/// A description of an opened map as text or JSON.
public struct Inspection: Sendable {
  private let document: MapDocument
  private let layers: [(item: OpenedLayer, table: FeatureColumns)]

  /// Creates the description of a document or of one of its layers.
  ///
  /// - Throws: `MapStateError`.
  public init(_ document: MapDocument, only: OpenedLayer? = nil) async throws(MapStateError) {
    self.document = document
    var layers: [(OpenedLayer, FeatureColumns)] = []
    for item in document.layers
    where item.unreadReason == nil && (only == nil || item.layer === only?.layer) {
      do { layers.append((item, try await item.layer.source.whole().columns())) } catch {
        throw MapStateError(error)
      }
    }
    self.layers = layers
  }

  /// The warnings of opening the document.
  public var warnings: [DocumentWarning] { document.warnings }

  /// The layers that could not be read.
  private var unavailable: [OpenedLayer] { document.layers.filter { !$0.isUnread && $0.unreadReason != nil } }

  /// The description as JSON with keys in a fixed order.
  public var json: JSONValue {
    var object: JSONObject = ["layers": .array(layers.map { Self.json($0.item, $0.table) })]
    if let basemap = document.webMap.basemap {
      var description = JSONObject()
      if let style = basemap.style {
        (description["style"], description["drawn"]) = (
          .string(style.rawValue), .string(style.drawn.rawValue)
        )
      }
      if basemap.showsNames { description["names"] = true }
      if basemap.showsGraticule { description["graticule"] = true }
      for (key, layers) in [("layers", basemap.baseLayers), ("referenceLayers", basemap.referenceLayers)]
      where !layers.isEmpty {
        description[key] = .array(layers.flatMap(\.featureLayers).map { .string($0.displayName) })
      }
      object["basemap"] = .object(description)
    }
    if !document.unsupported.isEmpty {
      object["unsupported"] = .array(document.unsupported.map { .string($0) })
    }
    if !unavailable.isEmpty {
      object["unavailable"] = .array(unavailable.map { .string($0.layer.displayName) })
    }
    object["losses"] = .array(document.losses.map(\.json))
    object["members"] = .array(document.members.map(\.json))
    object["warnings"] = .array(document.warnings.map { .string(MessageText.line($0.description)) })
    return .object(object)
  }

  private static func json(_ item: OpenedLayer, _ table: FeatureColumns) -> JSONValue {
    let layer = item.layer
    let fields: [JSONValue] = zip(table.schema.fields, table.columns).map { field, column in
      var object: JSONObject = [
        "name": .string(field.name), "type": .string(column.type.rawValue),
        "nulls": .number(column.validity.map { table.rowCount - $0.count } ?? 0),
      ]
      for (name, value) in ColumnSummary(column, rowCount: table.rowCount).json { object[name] = value }
      if let domain = field.domain { object["domain"] = domain.json }
      return .object(object)
    }
    let renderer = layer.renderer.form
    var description: JSONObject = [
      "layer": .string(layer.displayName), "id": .string(layer.id),
      "geometryType": table.schema.geometryKind.map { .string($0.rawValue) } ?? .null,
      "features": .number(table.rowCount), "extent": layer.fullExtent.json,
      "wkid": table.schema.spatialReference.map { .number($0.wkid) } ?? .null, "fields": .array(fields),
      "visible": .boolean(layer.isVisible), "opacity": .number(layer.opacity),
      "minScale": .number(layer.minScale), "maxScale": .number(layer.maxScale),
      "definitionExpression": .string(layer.definitionExpression),
      "displayFilters": .array(layer.displayFilterDefinition.map { json($0.form) } ?? []),
      "displayFilterMode": layer.displayFilterDefinition.map { .string($0.form.mode) } ?? .null,
      "activeDisplayFilter": activeFilter(of: layer).map { .string($0.filterID) } ?? .null,
      "labels": [
        "shown": .boolean(layer.labelsAreEnabled), "classes": .array(layer.labelDefinitions.map(json)),
      ],
      "renderer": [
        "type": .string(name(of: renderer)), "fields": .array(renderer.fieldNames.map { .string($0) }),
        "classes": .array(renderer.classLabels.map { .string($0) }),
        "visualVariables": .array(
          renderer.visualVariables.inputs.map { name, input in
            ["name": .string(name), "by": .string(input.summary)]
          }),
      ],
    ]
    if let note = table.longEdgeNote(.installed) { description["notes"] = [.string(note)] }
    if let storage = layer.source.metadata.storage { description["storage"] = storage.json }
    return .object(description)
  }

  private static func json(_ labels: LabelDefinition) -> JSONValue {
    [
      "name": .string(labels.name), "expression": .string(labels.expression.text),
      "where": .string(labels.whereClause), "minScale": .number(labels.minScale),
      "maxScale": .number(labels.maxScale),
    ]
  }

  private static func json(_ displayFilter: DisplayFilterForm) -> [JSONValue] {
    func members(_ filter: DisplayFilter) -> JSONObject {
      ["id": .string(filter.filterID), "title": .string(filter.name), "where": .string(filter.whereClause)]
    }
    switch displayFilter {
    case .manual(let definition): return definition.availableFilters.map { .object(members($0)) }
    case .scale(let definition):
      return definition.filters.map { item in
        var object = members(item.filter)
        object["minScale"] = .number(item.minScale)
        object["maxScale"] = .number(item.maxScale)
        return .object(object)
      }
    }
  }

  /// Returns the filter that is set as active; filters by scale depend on the view, so they give nil.
  private static func activeFilter(of layer: FeatureLayer) -> DisplayFilter? {
    guard case .manual(let definition) = layer.displayFilterDefinition?.form else { return nil }
    return definition.activeFilter
  }

  /// Returns the filters as lines of text, each with its scale range or a mark if active.
  private static func lines(_ displayFilter: DisplayFilterForm, active: DisplayFilter?) -> [String] {
    switch displayFilter {
    case .manual(let definition):
      definition.availableFilters.map { filter in
        "\(MessageText.name(filter.name))\(filter == active ? " (active)" : ""): \(filter.whereClause)"
      }
    case .scale(let definition):
      definition.filters.map { item in
        "\(MessageText.name(item.name)) (\(scales(item.minScale, item.maxScale))): \(item.whereClause)"
      }
    }
  }

  private static func scales(_ minScale: Double, _ maxScale: Double) -> String {
    switch (minScale != 0, maxScale != 0) {
    case (false, false): "all scales"
    case (true, false): "scale 1:\(plain(minScale)) and larger"
    case (false, true): "scale smaller than 1:\(plain(maxScale))"
    case (true, true): "scale 1:\(plain(minScale)) to below 1:\(plain(maxScale))"
    }
  }

  private static func plain(_ scale: Double) -> String {
    Int64(exactly: scale).map { "\($0)" } ?? "\(scale)"
  }

  private static func name(of renderer: RendererForm) -> String {
    switch renderer {
    case .simple: "simple"
    case .heatmap: "heatmap"
    case .dotDensity: "dotDensity"
    case .pieChart: "pieChart"
    case .uniqueValue: "uniqueValue"
    case .rules: "rules"
    case .classBreaks: "classBreaks"
    }
  }

  /// The numbers of members by result, such as `members       90 drawn, 1 approximated, 2 dropped`; nil without any.
  private var outcomeSummary: String? {
    let members = document.members
    guard members.contains(where: { $0.outcome != .drawn }) else { return nil }
    let counts = DocumentOutcome.allCases.map { outcome in
      "\(members.count { $0.outcome == outcome }) \(outcome.rawValue)"
    }
    return "members       \(counts.joined(separator: ", "))"
  }

  /// The description as text, one layer after the other.
  public var text: String {
    var lines: [String] = []
    for (number, (item, table)) in layers.enumerated() {
      let layer = item.layer
      if number > 0 { lines.append("") }
      let kind = table.schema.geometryKind?.rawValue ?? "no geometry"
      lines.append(
        "\(MessageText.name(layer.displayName))  (\(kind), \(table.rowCount) \(table.rowCount == 1 ? "feature" : "features"))"
      )
      if !layer.fullExtent.isEmpty {
        let box = layer.fullExtent
        lines.append(
          "  extent      \(box.xMin), \(box.yMin), \(box.xMax), \(box.yMax)  EPSG:\(table.schema.spatialReference?.wkid ?? 0)"
        )
      }
      if !layer.definitionExpression.isEmpty { lines.append("  definition  \(layer.definitionExpression)") }
      if let filter = layer.displayFilterDefinition?.form {
        lines += Self.lines(filter, active: Self.activeFilter(of: layer)).map { "  display     \($0)" }
      }
      if let note = table.longEdgeNote(.installed) { lines.append("  note        \(note)") }
      if !layer.isVisible { lines.append("  hidden") }
      if layer.opacity != 1 { lines.append("  opacity     \(layer.opacity)") }
      if layer.minScale != 0 || layer.maxScale != 0 {
        lines.append("  drawn at    \(Self.scales(layer.minScale, layer.maxScale))")
      }
      let renderer = layer.renderer.form
      let fields = renderer.fieldNames.isEmpty ? "" : " by \(renderer.fieldNames.joined(separator: ", "))"
      lines.append("  renderer    \(Self.name(of: renderer))\(fields)")
      if renderer.classLabels.count > 1 {
        lines += renderer.classLabels.map { "              \(MessageText.name($0))" }
      }
      lines += renderer.visualVariables.inputs.map { "              \($0) by \($1.summary)" }
      if layer.labelsAreEnabled {
        lines += layer.labelDefinitions.map { labels in
          "  labels      \(labels.expression.text)\(labels.whereClause.isEmpty ? "" : " where \(labels.whereClause)")"
        }
      }
      let names = table.schema.fields.map { MessageText.name($0.name) }
      let width = names.map(\.count).max() ?? 0
      for (place, (field, column)) in zip(table.schema.fields, table.columns).enumerated() {
        let nulls = column.validity.map { table.rowCount - $0.count } ?? 0
        let name = names[place] + String(repeating: " ", count: width - names[place].count)
        let values = [
          nulls > 0 ? "\(nulls) null" : nil, ColumnSummary(column, rowCount: table.rowCount).text,
          field.domain?.summary,
        ].compactMap { $0 }.map { ", " + $0 }
        lines.append("  field       \(name)  \(column.type.rawValue)\(values.joined())")
      }
      lines += (layer.source.metadata.storage?.lines ?? []).map { line in
        "  \(line.label)" + String(repeating: " ", count: max(1, 12 - line.label.count))
          + MessageText.line(line.text)
      }
    }
    if let basemap = document.webMap.basemap {
      if !lines.isEmpty { lines.append("") }
      let style = basemap.style.map { ["\($0)\($0 == $0.drawn ? "" : ", drawn as \($0.drawn)")"] }
      let own = basemap.featureLayers.map { "layer \"\(MessageText.name($0.displayName))\"" }
      let parts = [("names", basemap.showsNames), ("graticule", basemap.showsGraticule)]
      let shown = parts.compactMap { $0.1 ? $0.0 : nil }
      lines.append("basemap       \(((style ?? []) + own + shown).joined(separator: "; "))")
    }
    lines += unavailable.map { "\(MessageText.name($0.layer.displayName))  (unavailable)" }
    lines += document.unsupported.map { "\(MessageText.name($0))  (not drawn)" }
    if let summary = outcomeSummary { lines.append(summary) }
    lines += document.warnings.map { MessageText.line("warning: \($0)") }
    // Expressions are shown in full length.
    return lines.map { MessageText.escaped($0) + "\n" }.joined()
  }
}

extension DisplayFilterForm {
  /// The web map name of the mode that selects the active filter.
  fileprivate var mode: String {
    switch self {
    case .manual: "manual"
    case .scale: "scale"
    }
  }
}

extension Inspection: CustomStringConvertible {
  /// The text of `mapstate inspect`.
  public var description: String { text }
}
