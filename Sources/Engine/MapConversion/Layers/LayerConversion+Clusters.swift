import MapFeatures
import MapGeometry
import MapJSON
import MapModel

extension LayerConversion {
  /// The clusters that the layer draws; nil for none.
  private var aggregation: FeatureAggregation? {
    guard layer.reducesFeatures, let aggregation = layer.aggregation, aggregation.bins == nil,
      properties.table.schema.geometryKind == .point
    else { return nil }
    return aggregation
  }

  /// Adds the clusters of a layer of points: the members of its source, circles and the numbers in them.
  ///
  /// The layers so far draw the features outside clusters.
  mutating func addClusters() {
    guard let aggregation else { return }
    let isFeature: JSONValue = ["!", ["has", "point_count"]]
    for index in drafts.indices { drafts[index].conditions.append(isFeature) }
    for index in labels.indices { labels[index].conditions.append(isFeature) }
    clusters = [
      "cluster": true, "clusterRadius": .number(max(aggregation.radius.rounded(), 1)),
      // Clusters of MapState begin with two features, and end at no zoom unless the document says so.
      "clusterMinPoints": 2, "maxzoom": 24, "clusterMaxZoom": 23,
    ]
    if aggregation.maxScale > 0 {
      let zoom = StyleZoom.zoom(ofScale: aggregation.maxScale).rounded(.up) - 1
      clusters["clusterMaxZoom"] = .number(min(max(zoom, 0), 23))
    }
    lose(
      ["featureReduction"], "clusters are those of styles: circles around groups of features", in: .definition
    )
    addCircles(of: aggregation)
    addNumbers(of: aggregation)
  }

  private mutating func addCircles(of aggregation: FeatureAggregation) {
    let renderer = aggregation.renderer(over: layer.renderer)
    let symbol = renderer.classSymbols.first
    var draft = StyleLayerDraft("clusters", "circle")
    draft.conditions = [["has", "point_count"]]
    let marker = symbol.flatMap { form -> SimpleMarkerSymbol? in
      if case .marker(let marker) = form { marker } else { nil }
    }
    let width = marker?.outline?.width ?? 0
    let inset = StyleJSON.pixels(0.5 - width / 2)
    var size = StyleSize(StyleJSON.pixels(aggregation.minSize))
    if let variable = renderer.visualVariables.size, case .stops(let stops) = variable.rule,
      variable.input == .field(FeatureAggregation.countField), !stops.isEmpty
    {
      let curve = StyleJSON.curve(
        ["linear"], StyleJSON.get("point_count"), stops.map { ($0.value, StyleJSON.pixels($0.output)) })
      size = StyleSize(curve)
    }
    draft.set(paint: "circle-radius", size.expression(times: 0.5, plus: inset))
    draft.set(paint: "circle-color", .string((marker?.color ?? .gray).css))
    draft.set(paint: "circle-opacity", .number(layer.opacity), default: 1)
    if let outline = marker?.outline, let color = outline.color, outline.width > 0 {
      draft.set(paint: "circle-stroke-width", StyleJSON.pixels(outline.width))
      draft.set(paint: "circle-stroke-color", .string(color.css))
    }
    drafts.append(draft)
  }

  private mutating func addNumbers(of aggregation: FeatureAggregation) {
    guard let definition = aggregation.labelDefinitions.first, let color = definition.textSymbol.color else {
      return
    }
    var draft = StyleLayerDraft("cluster numbers", "symbol")
    draft.conditions = [["has", "point_count"]]
    draft.set(layout: "text-field", ["to-string", StyleJSON.get("point_count")])
    glyphs.add(["0123456789"], in: LabelFace(definition.textSymbol))
    draft.set(layout: "text-font", [.string(LabelFace(definition.textSymbol).name)])
    draft.set(layout: "text-size", StyleJSON.pixels(definition.textSymbol.size))
    draft.set(layout: "text-allow-overlap", true)
    draft.set(paint: "text-color", .string(color.css))
    labels.append(draft)
  }
}
