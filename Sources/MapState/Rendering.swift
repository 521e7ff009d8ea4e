import MapCairo
public import MapDrawing
public import MapImages
public import MapJSON
public import MapModel

/// A picture with what it shows.
public struct RenderedMap: Sendable {
  /// The picture.
  public let bitmap: Bitmap
  /// What it is: where, at which scale, how many features of each layer and why.
  public let report: RenderReport
}

/// What a picture is: extent, scale, the funnel of each layer and how long it took.
public struct RenderReport: Sendable {
  /// One layer of the picture.
  public struct Layer: Sendable {
    /// The part that a layer takes in an image.
    public enum Status: String, Sendable {
      /// It was asked for its features.
      case drawn
      /// It is hidden, or another layer was asked for alone; nothing was read of it.
      case hidden
      /// It could not be read and is left out.
      case unavailable
    }

    /// Title or id.
    public let name: String
    /// The part that it takes in the image.
    public let status: Status
    /// The number of features that pass each stage; nil for a layer that was not read.
    public let funnel: FilterFunnel?
    /// Seconds from asking to painted.
    public let seconds: Double
    /// What is not drawn as written.
    public let warnings: [String]
  }

  /// The view that was drawn.
  public let view: ViewState
  /// The layers, first at the bottom.
  public let layers: [Layer]
  /// What became of the labels; empty without any.
  public let labels: LabelReport
  /// What is not drawn of the overlays and of the labels of all layers.
  public let warnings: [String]

  /// Who is to be named beside the picture; empty for nobody.
  public var attribution: String { view.attribution }

  /// Every warning of drawing, those of layers with their name.
  public var allWarnings: [String] {
    // Opening the document has warned of what could not be read.
    layers.filter { $0.status != .unavailable }.flatMap { layer in
      layer.warnings.map { "layer \"\(layer.name)\": \($0)" }
    } + warnings
  }

  /// The report as JSON with the warnings of drawing.
  public var json: JSONValue { json(warnings: allWarnings) }

  /// The report as JSON, keys in a fixed order.
  ///
  /// - Parameter warnings: every warning of document, options and drawing.
  public func json(warnings: [String]) -> JSONValue {
    let extent = view.extent
    let layers: [JSONValue] = layers.map { layer in
      [
        "layer": .string(layer.name), "status": .string(layer.status.rawValue),
        "funnel": layer.funnel?.json ?? .null, "seconds": .number(layer.seconds),
        "warnings": .array(layer.warnings.map { .string($0) }),
      ]
    }
    var libraries: JSONObject = [
      "cairo": .string(CairoPainter.libraryVersion), "libpng": .string(PNGCodec.libraryVersion),
    ]
    if let (name, version) = TextEngine.libraryVersion { libraries[name] = .string(version) }
    return [
      "size": [.number(view.width), .number(view.height)], "pixelRatio": .number(view.pixelRatio),
      "extent": extent.json, "wkid": .number(view.spatialReference.wkid),
      "scale": .number(view.viewpoint.scale),
      "rotation": .number(view.viewpoint.rotation), "attribution": .string(attribution),
      "layers": .array(layers), "labels": labels.json,
      "warnings": .array(warnings.map { .string($0) }), "libraries": .object(libraries),
    ]
  }
}

extension LabelReport {
  /// The report as JSON, keys in a fixed order.
  public var json: JSONValue {
    let classes: [JSONValue] = classes.map { item in
      var object: JSONObject = ["layer": .string(item.layer), "class": .number(item.classIndex)]
      if !item.name.isEmpty { object["name"] = .string(item.name) }
      for (name, count) in item.counts { object[name] = .number(count) }
      return .object(object)
    }
    return [
      "classes": .array(classes), "missingGlyphs": .array(missingGlyphs.map { .string(String($0)) }),
    ]
  }
}

extension FilterFunnel {
  /// The stages by name, in order.
  public var json: JSONValue {
    var object = JSONObject()
    for stage in stages { object[stage.name] = stage.count.map { .number($0) } ?? .null }
    return .object(object)
  }
}

extension ViewState {
  /// Draws the view, the basemap first: each layer is asked, painted and dropped before the next; the basemap's
  /// reference layers come after the layers, then the overlays, the labels of all last.
  ///
  /// The same bytes for every number of threads.
  ///
  /// - Throws: ``MapError``.
  public func render(
    threads: Int = 1, method: PaintingMethod = .fast
  ) async throws(MapError) -> RenderedMap {
    guard width > 0 else { throw MapError(.usage, "the view has no size yet, so there is nothing to draw") }
    do {
      var painter = try CairoPainter(
        width: pictureWidth, height: pictureHeight, background: canvasColor, threads: threads,
        method: method)
      for (index, layer) in (basemap?.layers ?? []).enumerated() {
        try painter.paint(try await drawing(of: layer, index: index).layer)
      }
      var reports: [RenderReport.Layer] = []
      var candidates: [LabelCandidates] = []
      for (place, layer) in ownBasemapLayers where place < 0 {
        try painter.paint(try await basemapDrawing(of: layer, place, &candidates))
      }
      for (index, layer) in layers.enumerated() {
        if let unread = layer.source as? UnreadSource {
          reports.append(RenderReport.Layer(unread: unread, of: layer))
          continue
        }
        let start = ContinuousClock.now
        let layer = try await fetched(layer)
        let drawing = try await drawing(of: layer, index: index)
        try painter.paint(drawing.layer)
        candidates += try await labelCandidates(of: layer, index: index, drawing: drawing)
        let funnel = try await funnel(of: layer, drawing: drawing)
        reports.append(
          RenderReport.Layer(
            name: layer.name, status: .drawn, funnel: funnel,
            seconds: start.duration(to: .now) / .seconds(1),
            warnings: emptyWarnings(of: layer, funnel) + layer.source.warnings
              + (try await placeWarnings(of: layer))
              + symbolWarnings(of: layer, missingGlyphs: drawing.missingGlyphs)
              + labelWarnings(of: layer)))
      }
      for (place, layer) in ownBasemapLayers where place >= 0 {
        try painter.paint(try await basemapDrawing(of: layer, place, &candidates))
      }
      var warnings: [String] = []
      for (index, overlay) in overlays.enumerated() {
        let drawing = try await drawing(of: overlay, index: index)
        try painter.paint(drawing.layer)
        let symbols = symbolWarnings(of: overlay, missingGlyphs: drawing.missingGlyphs)
        for warning in try await placeWarnings(of: overlay) + symbols
        where !warnings.contains(warning) {
          warnings.append(warning)
        }
      }
      let labels = labels(candidates)
      for layer in labels?.layers ?? [] { try painter.paint(layer) }
      return RenderedMap(
        bitmap: try painter.finish(),
        report: RenderReport(
          view: self, layers: reports, labels: labels?.report ?? LabelReport(),
          warnings: warnings + ownBasemapLayers.flatMap { self.warnings(ofBasemapLayer: $0.layer) }
            + labelWarnings(labels?.report)))
    } catch {
      throw MapError(error)
    }
  }
}

extension RenderReport.Layer {
  /// The entry of a layer that was not read.
  fileprivate init(unread: UnreadSource, of layer: LayerState) {
    (name, funnel, seconds) = (layer.name, nil, 0)
    status = unread.isUnavailable ? .unavailable : .hidden
    warnings =
      unread.isUnavailable ? ["left out, because it cannot be read: \(unread.reason)"] : []
  }
}
