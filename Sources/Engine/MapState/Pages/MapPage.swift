import MapCairo
public import MapDrawing
public import MapGeometry
public import MapImages
public import MapLayout
public import MapModel
import MapSystem

/// An image of a map with a title, a legend, a scale bar and other parts.
public struct MapPage: Sendable {
  /// The view of the map.
  public private(set) var map: ViewState
  /// The width of the image in view pixels.
  public let width: Double
  /// The height of the image in view pixels.
  public let height: Double
  /// The rectangle of the map in the image, in view pixels from the top left corner.
  public var mapBox: Envelope { arrangement.map }
  /// The rectangle of a legend on the map, in view pixels from the map's top left corner; nil for none.
  package var legendBox: Envelope? { arrangement.legendBox }
  /// The parts that are left out, cut or approximate.
  public let warnings: [String]
  /// The title; empty for none.
  let title: String
  package let arrangement: PageArrangement
  /// The layout, with the corner of a legend on the map.
  package let layout: PageLayout
  /// The small maps of other areas.
  package var insets: [PageInset] = []
  let tone: PageTone

  /// Lays out a page.
  ///
  /// - Parameter makeMap: returns the view of the map for the size that the other parts leave.
  package init(
    _ asked: PageLayout, width: Double, height: Double,
    makeMap: (_ width: Double, _ height: Double) async throws(MapStateError) -> ViewState
  ) async throws(MapStateError) {
    var layout = asked
    let area = layout.area(width: width, height: height)
    guard area.width >= 1, area.height >= 1 else {
      let most = LegendNumber.text(((min(width, height) - 1) / 2).rounded(.down))
      throw MapStateError(
        .input,
        "a margin of \(LegendNumber.text(layout.margin?.rounded() ?? 0)) view pixels leaves no map on a page of "
          + "\(LegendNumber.text(width.rounded())) by \(LegendNumber.text(height.rounded())); "
          + "it is at most \(most)")
    }
    (self.width, self.height, title) = (width, height, layout.title)
    func made(_ width: Double, _ height: Double) async throws(MapStateError) -> ViewState {
      var map = try await makeMap(width, height)
      map.ownAttribution = asked.attributionText
      return map
    }
    var map = try await made(width, height)
    layout.frameHasDegrees = map.drawsGraticule
    let tone = PageTone(map)
    var (legend, notes) = try await map.legend(for: layout)
    func arranged(_ layout: PageLayout, ground: PageGround? = nil) -> PageArrangement {
      PageArrangement(
        layout, width: width, height: height, pixelRatio: map.pixelRatio, legend: legend,
        attribution: [map.attribution, layout.locator ? MapLocator.attribution : ""].joinedOnce,
        ground: ground,
        tone: tone, measurer: TextEngine.measurer(map.fonts))
    }
    var arrangement = arranged(layout)
    // The legend may depend on the view, and the view on the size that the legend leaves.
    for _ in 0..<3 {
      let box = arrangement.map
      guard box.width != map.width || box.height != map.height else { break }
      map = try await made(box.width, box.height)
      (legend, notes) = try await map.legend(for: layout)
      arrangement = arranged(layout)
    }
    if arrangement.map.width != map.width || arrangement.map.height != map.height {
      map = map.resized(width: arrangement.map.width, height: arrangement.map.height)
      (legend, notes) = try await map.legend(for: layout)
    }
    let ground = map.ground
    let locator = layout.locator ? MapLocator(map) : nil
    if layout.locator, locator == nil {
      notes.append(
        "the locator is left out: the map shows half of the world or more, or places without coordinates")
      layout.locator = false
    }
    var choice = try await map.choosingCorner(of: layout) { arranged($0, ground: ground).legendBox }
    arrangement = arranged(choice.layout, ground: ground)
    if let box = arrangement.scaleBarBox, try await map.needsPlate(in: box) {
      choice.layout.scaleBarHasPlate = true
      arrangement = arranged(choice.layout, ground: ground)
    }
    if arrangement.map.width != map.width || arrangement.map.height != map.height {
      map = map.resized(width: arrangement.map.width, height: arrangement.map.height)
    }
    if let box = arrangement.locatorBox, let locator {
      arrangement.add(try await locator.layers(in: box, width: width, height: height))
    }
    let missing =
      TextEngine.missingGlyphs(arrangement.missingGlyphs).map { ["titles and legend: \($0)"] } ?? []
    warnings = notes + arrangement.warnings + choice.warnings + missing
    (self.map, self.arrangement, self.tone, self.layout) = (map, arrangement, tone, choice.layout)
  }

  /// The layers that ``svgData(_:)`` and ``pdfData()`` draw as images, because SVG and PDF have no effects and not all
  /// blend modes.
  public var vectorWarnings: [String] { map.vectorWarnings("SVG or PDF") }

  /// Returns the warnings about layers that the format of a path's extension draws as an image.
  package func formatWarnings(for path: String) -> [String] {
    let format = FilePath.pathExtension(of: path)
    return format == "svg" || format == "pdf" ? map.vectorWarnings(format.uppercased()) : []
  }

  /// Draws the page.
  ///
  /// - Throws: ``MapStateError``.
  public func render(
    threads: Int = 1, method: PaintingMethod = .fast
  ) async throws(MapStateError) -> RenderedMap {
    try await render(for: "", threads: threads, method: method)
  }

  /// Draws the page; its report includes the warnings about the format of a path's extension.
  ///
  /// - Throws: ``MapStateError``.
  package func render(
    for path: String, threads: Int = 1, method: PaintingMethod = .fast
  ) async throws(MapStateError) -> RenderedMap {
    // Parts that lie on the map are painted with it, unless the background is still to be laid below.
    let isOne = map.width == width && map.height == height && !map.cuts && insets.isEmpty
    let drawn = try await map.render(
      threads: threads, method: method, covered: arrangement.covered, above: isOne ? arrangement.layers : [])
    var report = drawn.report
    report.page = PageReport(
      width: width, height: height, map: mapBox, warnings: warnings + formatWarnings(for: path))
    if isOne { return RenderedMap(bitmap: drawn.bitmap, report: report) }
    let images = try await insetImages(threads: threads, method: method)
    do {
      let bitmap = try arrangement.drawn(
        around: drawn.bitmap, insets: images, width: width, height: height, pixelRatio: map.pixelRatio,
        tone: tone,
        threads: threads, method: method)
      return RenderedMap(bitmap: bitmap, report: report)
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the page with a report that has the number of features of each class.
  package func countingClasses() -> MapPage {
    var page = self
    page.map.countsClasses = true
    return page
  }

  /// The text of a world file, which gives pixels of the image their positions in the spatial reference of the map.
  ///
  /// - Source: Esri's world file: six numbers, for the centre of the upper left pixel.
  public var worldFile: String {
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(map.viewpoint.rotation)
    let pixel = map.viewpoint.resolution / map.pixelRatio
    let (right, down) = (
      0.5 - (mapBox.xMin * map.pixelRatio).rounded() - map.width * map.pixelRatio / 2,
      0.5 - (mapBox.yMin * map.pixelRatio).rounded() - map.height * map.pixelRatio / 2
    )
    let numbers = [
      pixel * cosine, -pixel * sine, -pixel * sine, -pixel * cosine,
      map.viewpoint.center.x + (right * cosine - down * sine) * pixel,
      map.viewpoint.center.y - (down * cosine + right * sine) * pixel,
    ]
    return numbers.map { "\($0 == 0 ? 0 : $0)\n" }.joined()
  }

  /// Returns the page as display lists: the map, the position of its top left corner in output pixels, and the other
  /// parts with the page's size and colour.
  ///
  /// - Parameter joinsTiles: whether features of vector tiles are joined at the sides of tiles, for formats without pixels.
  /// - Throws: ``MapStateError``.
  package func displayLists(joinsTiles: Bool = false) async throws(MapStateError) -> (
    map: DisplayList, origin: (x: Double, y: Double), page: DisplayList
  ) {
    let ratio = map.pixelRatio
    let (columns, rows) = (
      Int(clamping: (width * ratio).rounded()), Int(clamping: (height * ratio).rounded())
    )
    let page = DisplayList(
      width: columns, height: rows,
      // A map that covers the page keeps its own background, which may be transparent.
      background: mapBox.width == width && mapBox.height == height ? nil : tone.paper,
      layers: try await [insetLayer(width: columns, height: rows)].compactMap { $0 } + arrangement.layers)
    return (
      try await map.displayList(covered: arrangement.covered, joinsTiles: joinsTiles),
      ((mapBox.xMin * ratio).rounded(), (mapBox.yMin * ratio).rounded()), page
    )
  }
}

extension PageArrangement {
  /// Returns an image of some size in view pixels with the image of the map and the other parts.
  func drawn(
    around image: Bitmap, insets: [(image: Bitmap, x: Int, y: Int)] = [], width: Double, height: Double,
    pixelRatio: Double, tone: PageTone, threads: Int,
    method: PaintingMethod = .fast
  ) throws -> Bitmap {
    let (columns, rows) = (
      Int(clamping: (width * pixelRatio).rounded()), Int(clamping: (height * pixelRatio).rounded())
    )
    var bitmap = image
    if columns != image.width || rows != image.height {
      bitmap = try CairoPainter(width: columns, height: rows, background: tone.paper).finish()
      bitmap.replace(
        x: Int(clamping: (map.xMin * pixelRatio).rounded()),
        y: Int(clamping: (map.yMin * pixelRatio).rounded()), by: image)
    }
    for (image, x, y) in insets { bitmap.replace(x: x, y: y, by: image) }
    guard !layers.isEmpty else { return bitmap }
    var painter = try CairoPainter(over: bitmap, threads: threads, method: method)
    for layer in layers { try painter.paint(layer) }
    return try painter.finish()
  }
}

extension ViewState {
  /// Returns the view with a title, a legend and other parts, in an image of the same size.
  ///
  /// The map is cut to the space that the other parts leave; its centre and scale stay.
  ///
  /// - Throws: ``MapStateError``.
  public func page(_ layout: PageLayout) async throws(MapStateError) -> MapPage {
    try await MapPage(layout, width: width, height: height) { width, height in
      resized(width: width, height: height)
    }
  }
}

extension ViewState {
  /// Returns the legend that a layout asks for, and its warnings; nil for none.
  fileprivate func legend(
    for layout: PageLayout
  ) async throws(MapStateError) -> (legend: Legend?, warnings: [String]) {
    guard layout.legend != nil else { return (nil, []) }
    var legend = try await legend(
      viewOnly: layout.legendShowsViewOnly, counts: layout.legendHasCounts, bars: layout.legendHasBars,
      charts: layout.legendHasCharts)
    legend.title = layout.legendTitle
    guard legend.isEmpty, layers.isEmpty || !layout.legendShowsViewOnly else {
      return (legend, legend.warnings)
    }
    let empty =
      layers.isEmpty && !tileLayers.isEmpty
      ? "the legend is empty: styles and tiles have no entries"
      : "the legend is empty: no layer has a class to show"
    return (legend, [empty] + legend.warnings)
  }
}

extension ViewState {
  /// Returns whether a feature of the map's layers is drawn in a rectangle of the image, in view pixels.
  ///
  /// The colours of heat maps are not tested.
  ///
  /// - Cost: drawing each layer without painting it.
  /// - Throws: ``MapStateError``.
  package func drawsFeature(in box: Envelope) async throws(MapStateError) -> Bool {
    let box = Envelope(
      xMin: box.xMin * pixelRatio, yMin: box.yMin * pixelRatio, xMax: box.xMax * pixelRatio,
      yMax: box.yMax * pixelRatio)
    let map = self
    return try await listBelowLabels(drawsTiles: false).list.layers.contains { layer in
      layer.batches.contains { batch in
        switch batch {
        case .markers(let markers):
          zip(markers.x, markers.y).contains { box.contains(x: $0, y: $1) }
        case .paths(let paths):
          paths.row.indices.contains { paths.geometry.row($0, meets: box) }
        case .shapes(let shapes):
          shapes.x.indices.contains { shapes.box(ofItem: $0).meets(box) }
        case .image(let image):
          map.layers.indices.contains(layer.index) && map.layers[layer.index].cells != nil
            && image.paints(in: box)
        case .labels: false
        }
      }
    }
  }
}

extension Legend {
  /// Returns an image of the legend alone, as large as its entries need, and warnings about entries that are left
  /// out.
  ///
  /// - Parameters:
  ///   - pixelRatio: the number of output pixels per view pixel.
  ///   - background: the colour of the image; nil is transparent.
  ///   - columns: the number of columns; nil for as few as there is room for.
  /// - Throws: ``MapStateError``.
  public func makeImage(
    pixelRatio: Double = 1, background: Color? = .white, columns: Int? = nil
  ) throws(MapStateError) -> (bitmap: Bitmap, warnings: [String]) {
    let page = LegendPage(
      self, columns: columns, pixelRatio: pixelRatio, tone: PageTone(canvas: background),
      measurer: TextEngine.measurer(fonts))
    do {
      var painter = try CairoPainter(
        width: max(Int(clamping: (page.width * pixelRatio).rounded()), 1),
        height: max(Int(clamping: (page.height * pixelRatio).rounded()), 1), background: background)
      for layer in page.layers { try painter.paint(layer) }
      let missing = TextEngine.missingGlyphs(page.missingGlyphs).map { ["legend: \($0)"] } ?? []
      return (try painter.finish(), warnings + page.warnings + missing)
    } catch {
      throw MapStateError(error)
    }
  }
}
