import MapCairo
package import MapDrawing
package import MapFeatures
package import MapImages
package import MapLayout
package import MapModel
import MapSystem

/// The image of a layer without opacity and blending, from a part of its rows.
package struct LayerImage: Sendable {
  /// The opacity and blending of a layer, which apply when all parts are joined.
  package struct Style: Hashable, Sendable {
    /// The opacity of the layer, 0 to 1.
    package let opacity: Double
    /// The blending of the layer with what is below it.
    package let blendMode: BlendMode
    /// The cells in which points are counted; nil for symbols.
    package var cells: CellCounts.Plan?
  }

  /// The name of the layer, which may differ between parts.
  package let name: String
  /// The opacity and blending.
  package let style: Style
  /// The image as PNG: transparent where nothing is drawn; empty for counts.
  package let png: [UInt8]
  /// The counts that replace the image; nil for symbols.
  package var cells: CellCounts?
}

/// The images of a view's layers, from a part of the rows of each.
package struct PartialImage: Sendable {
  /// The properties of the image that all parts share.
  package struct Canvas: Hashable, Sendable {
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The background; nil is transparent.
    package let background: Color?
    /// The layers, first at the bottom.
    package let styles: [LayerImage.Style]
  }

  /// The layers, first at the bottom.
  package let layers: [LayerImage]
  fileprivate let width: Int
  fileprivate let height: Int
  fileprivate let background: Color?

  /// The properties that all parts share.
  package var canvas: Canvas {
    Canvas(width: width, height: height, background: background, styles: layers.map(\.style))
  }
}

extension ViewState {
  /// Draws each layer by itself, without labels, basemap, opacity and blending; also returns warnings.
  ///
  /// - Throws: ``MapStateError``, also for content that depends on rows of other parts.
  package func partialImage(
    threads: Int
  ) async throws(MapStateError) -> (image: PartialImage, warnings: [String]) {
    try refuseUnmergeableContent()
    var (images, warnings) = ([LayerImage](), [String]())
    for (index, layer) in layers.enumerated() {
      let layer = try await fetched(layer)
      let drawing = try await drawing(of: layer, index: index)
      let missing = symbolWarnings(of: layer, missingGlyphs: drawing.missingGlyphs)
      for warning in try await placeWarnings(of: layer) + missing + drawing.failures {
        warnings.append("layer \"\(layer.name)\": \(warning)")
      }
      if let cells = drawing.cells {
        let style = LayerImage.Style(
          opacity: drawing.layer.opacity, blendMode: drawing.layer.blendMode, cells: cells.plan)
        images.append(LayerImage(name: layer.name, style: style, png: [], cells: cells))
        continue
      }
      do {
        var painter = try CairoPainter(
          width: pictureWidth, height: pictureHeight, background: nil, threads: threads)
        try painter.paint(
          DisplayLayer(index: index, name: layer.name, opacity: 1, batches: drawing.layer.batches))
        images.append(
          LayerImage(
            name: layer.name,
            style: LayerImage.Style(
              opacity: drawing.layer.opacity, blendMode: drawing.layer.blendMode),
            png: try painter.finish().pngData()))
      } catch {
        throw MapStateError(error)
      }
    }
    return (
      PartialImage(layers: images, width: pictureWidth, height: pictureHeight, background: canvasColor),
      warnings
    )
  }

  /// Refuses what cannot be drawn in parts: it depends on rows of other parts, or is no part of a layer.
  private func refuseUnmergeableContent() throws(MapStateError) {
    guard basemap == nil, tileLayers.isEmpty else {
      throw MapStateError(
        .input,
        "a partial image has no basemap and no tiles; remove them from the document, and draw them once")
    }
    try refuseClusters()
    for layer in layers where layer.isShown(atScale: viewpoint.scale) {
      if layer.labelsAreEnabled, !layer.labelDefinitions.isEmpty {
        throw unmergeable(layer, "labels depend on all rows")
      }
      // Counts have neither an order nor symbols.
      if let order = layer.drawingOrder.first, layer.cells == nil {
        throw unmergeable(layer, "orders of drawing, here by \"\(order.fieldName)\", depend on all rows")
      }
      if layer.definition.effect?.lists.contains(where: { !$0.isEmpty }) ?? false
        || layer.definition.featureEffect != nil
      {
        throw unmergeable(layer, "effects change the image of all rows")
      }
      if !imageGroups(layer.groups).groups.isEmpty {
        throw unmergeable(layer, "its group is drawn as one image")
      }
      switch layer.renderer {
      case .heatmap where layer.cells != nil: break
      case .heatmap: throw unmergeable(layer, "heat maps depend on all rows")
      // Without ids, the seed of the dots is the number of the row.
      case .dotDensity: throw unmergeable(layer, "dots depend on the row numbers of the whole table")
      case .rules(let rules) where rules.passes.count > 1 || !rules.orderFields.isEmpty:
        throw unmergeable(layer, "passes of rules and their orders depend on all rows")
      case .simple, .uniqueValue, .classBreaks, .pieChart, .rules: break
      }
    }
  }
}

extension PartialImage {
  /// Lays the images of all parts over each other, the first at the bottom, and the layers over the background.
  ///
  /// - Parameter parts: the parts, which must have the same ``canvas``.
  /// - Throws: ``MapStateError``.
  package static func joined(_ parts: [PartialImage], threads: Int) throws(MapStateError) -> Bitmap? {
    guard let canvas = parts.first?.canvas else { return nil }
    do {
      var painter = try CairoPainter(
        width: canvas.width, height: canvas.height, background: canvas.background,
        isCut: canvas.styles.contains { $0.blendMode.cuts }, threads: threads)
      for (index, style) in canvas.styles.enumerated() {
        let batches: [DisplayBatch]
        if let cells = cells(ofLayer: index, in: parts) {
          batches = cells.batches(width: canvas.width, height: canvas.height)
        } else {
          var pile = try LayerPile(width: canvas.width, height: canvas.height)
          for part in parts {
            let image = try PNGCodec.decode(
              part.layers[index].png, maximumPixels: canvas.width * canvas.height)
            guard pile.lay(image) else {
              throw MapStateError(.input, "the images of the parts differ in size")
            }
          }
          batches = [.image(DisplayImage(width: canvas.width, pixels: pile.pixels))]
        }
        var layer = DisplayLayer(
          index: index, name: "layer \(index)", opacity: style.opacity, batches: batches)
        layer.blendMode = style.blendMode
        try painter.paint(layer)
      }
      return try painter.finish()
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the counts of a layer in all parts together; nil for a layer with symbols.
  private static func cells(ofLayer index: Int, in parts: [PartialImage]) -> CellCounts? {
    let all = parts.compactMap { $0.layers[index].cells }
    return all.dropFirst().reduce(all.first) { $0?.adding($1) }
  }

  /// Returns the counts of each layer that has them in all parts together.
  package static func cellSummaries(of parts: [PartialImage]) -> [CellSummary] {
    (parts.first?.layers.indices ?? 0..<0).compactMap { cells(ofLayer: $0, in: parts) }
      .map { CellSummary($0) }
  }

  /// Returns the legend of the counts of all parts, the top layer first.
  package static func legend(of parts: [PartialImage], _ layout: PageLayout) -> Legend {
    var legend = Legend()
    legend.title = layout.legendTitle
    for (index, layer) in (parts.first?.layers ?? []).enumerated().reversed() {
      guard let cells = cells(ofLayer: index, in: parts), cells.sum > 0 else { continue }
      legend.layers.append(
        LegendLayer(
          of: cells, title: layer.name, opacity: layer.style.opacity, viewOnly: layout.legendShowsViewOnly,
          hasCounts: layout.legendHasCounts))
    }
    return legend
  }

  /// Returns the joined image with a legend of counts: beside the map, which makes the image larger, or on it.
  ///
  /// - Throws: ``MapStateError``.
  package static func page(
    _ parts: [PartialImage], _ layout: PageLayout, pixelRatio: Double, threads: Int
  ) throws(MapStateError) -> (bitmap: Bitmap, warnings: [String])? {
    guard let map = try joined(parts, threads: threads), let canvas = parts.first?.canvas else { return nil }
    let (legend, tone) = (legend(of: parts, layout), PageTone(canvas: canvas.background))
    let asked = (width: Double(canvas.width) / pixelRatio, height: Double(canvas.height) / pixelRatio)
    var (width, height) = asked
    for _ in 0..<16 {
      let arrangement = PageArrangement(
        layout, width: width, height: height, pixelRatio: pixelRatio, legend: legend, attribution: "",
        ground: nil, tone: tone, measurer: TextEngine.measurer)
      let found = arrangement.map
      guard found.width != asked.width || found.height != asked.height else {
        do {
          let bitmap = try arrangement.drawn(
            around: map, width: width, height: height, pixelRatio: pixelRatio, tone: tone, threads: threads)
          return (bitmap, legend.warnings + arrangement.warnings)
        } catch {
          throw MapStateError(error)
        }
      }
      // Texts are larger in a larger image.
      (width, height) = (width + asked.width - found.width, height + asked.height - found.height)
    }
    throw MapStateError(
      .input, "the legend does not fit beside the map; put it on the map, as with --legend bottom-right")
  }

  /// Writes the images.
  package func write(to writer: inout StateWriter) {
    writer.append(width)
    writer.append(height)
    writer.append(background) { color, writer in
      writer.append(raw: [color.red, color.green, color.blue, color.alpha])
    }
    writer.append(layers) { layer, writer in
      writer.append(layer.name)
      writer.append(layer.style.opacity)
      writer.append(layer.style.blendMode.rawValue)
      writer.append(layer.png)
      writer.append(layer.cells) { $0.write(to: &$1) }
    }
  }

  /// Reads the images; their pixels are read when they are joined.
  package init(from reader: inout StateReader) throws(StateBytesError) {
    (width, height) = (try reader.count(), try reader.count())
    guard (try? Bitmap.byteCount(width: width, height: height)) != nil else {
      throw .value("an image of \(width)x\(height)")
    }
    background = try reader.optional { reader throws(StateBytesError) in
      let bytes = try reader.raw(4)
      let channels = Array(bytes)
      return Color(red: channels[0], green: channels[1], blue: channels[2], alpha: channels[3])
    }
    layers = try reader.list { reader throws(StateBytesError) in
      let name = try reader.text()
      let (opacity, mode) = (try reader.double(), try reader.text())
      guard (0...1).contains(opacity) else { throw .value("an opacity of \(opacity)") }
      guard let blendMode = BlendMode(rawValue: mode) else {
        throw .value("a blend mode that does not exist")
      }
      let png = try reader.byteList()
      let cells = try reader.optional { reader throws(StateBytesError) in try CellCounts(from: &reader) }
      return LayerImage(
        name: name, style: LayerImage.Style(opacity: opacity, blendMode: blendMode, cells: cells?.plan),
        png: png,
        cells: cells)
    }
  }
}
