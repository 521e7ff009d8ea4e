import Glibc
import MapDrawing
import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapStyleDrawing
import MapStyles
import MapSystem
import MapTiles

/// Layers of images and of heights.
extension StyleDrawing {
  /// Draws a layer of images or of heights; nil for a layer of another kind, and for one without a source.
  ///
  /// - Throws: ``TileError``.
  func rasterDrawing(
    of layer: StyleLayer, _ style: MapStyle, in view: ViewState, _ rule: MissingTiles, threads: Int
  ) async throws(TileError) -> (Layer, problems: [String])? {
    guard let context, let zoom, let source = layer.source.flatMap({ style.sources[$0] }) else { return nil }
    switch (layer.type, source.at(level: Self.level(of: layer, style, zoom: zoom))) {
    case (_, nil):
      return (
        Layer(layer: layer, opacity: 1, batches: [], featureCount: 0),
        ["the source has no tiles of so small a zoom"]
      )
    case (.raster, .images(let tiles)):
      let paint = RasterPaint(layer, context)
      var (pixels, problems) = try await pixels(
        of: tiles, in: view, rule, isNearest: paint.isNearest, threads: threads)
      paint.apply(to: &pixels)
      return (Self.image(pixels, of: layer, opacity: paint.opacity, in: view), problems)
    case (.raster, .image(let image)):
      let paint = RasterPaint(layer, context)
      var pixels = try ImageSourceDrawing(
        image.bitmap, corners: image.corners, in: view, width: view.pictureWidth, height: view.pictureHeight,
        isNearest: paint.isNearest, operations: .installed
      ).pixels
      paint.apply(to: &pixels)
      return (Self.image(pixels, of: layer, opacity: paint.opacity, in: view), [])
    case (.hillshade, .images(let tiles)):
      let encoding = ElevationEncoding(layer, style)
      let slopes = DerivedTiles(tiles) { tile, around in
        guard let square = ElevationSquare(encoding, around) else { return nil }
        return try square.slopes(zoom: tile.zoom, row: tile.row)
      }
      let isNearest = layer.value(of: "resampling", context)?.value.string == "nearest"
      // A cross in the place of a missing tile would be shaded.
      var (pixels, problems) = try await pixels(
        of: slopes, in: view, rule == .placeholder ? .blank : rule, isNearest: isNearest, threads: threads)
      Hillshade(layer, context).apply(to: &pixels, bearing: view.viewpoint.rotation)
      return (Self.image(pixels, of: layer, opacity: 1, in: view), problems)
    case (.colorRelief, .images(let tiles)):
      let encoding = ElevationEncoding(layer, style)
      let relief = ColorRelief(layer, context)
      let factor = relief.isNearest ? 1 : Self.enlargement(of: tiles, zoom: zoom, pixelRatio: view.pixelRatio)
      let colors = DerivedTiles(tiles, factor: factor) { _, around in
        guard let square = ElevationSquare(encoding, around) else { return nil }
        return try relief.image(of: square, factor: factor)
      }
      let (pixels, problems) = try await pixels(
        of: colors, in: view, rule == .placeholder ? .blank : rule, isNearest: relief.isNearest,
        threads: threads)
      return (Self.image(pixels, of: layer, opacity: relief.opacity, in: view), problems)
    default: return nil
    }
  }

  /// Returns the pixels of the view, and the lines that report missing tiles.
  private func pixels(
    of source: any TileSource, in view: ViewState, _ rule: MissingTiles, isNearest: Bool, threads: Int
  ) async throws(TileError) -> (pixels: [UInt32], problems: [String]) {
    let drawing = try await TileDrawing(
      view, width: view.pictureWidth, height: view.pictureHeight, source: source, missing: rule,
      isNearest: isNearest, operations: .installed, threads: threads)
    return (drawing.pixels, drawing.warnings(rule))
  }

  private static func image(
    _ pixels: [UInt32], of layer: StyleLayer, opacity: Double, in view: ViewState
  ) -> Layer {
    Layer(
      layer: layer, opacity: opacity,
      batches: [.image(DisplayImage(width: view.pictureWidth, pixels: pixels))], featureCount: 0)
  }

  /// Returns the level of a layer's tiles, which have the size that the style states for them in view pixels.
  ///
  /// - Source: MapLibre GL JS 5, which uses the nearest level for images and heights.
  private static func level(of layer: StyleLayer, _ style: MapStyle, zoom: Double) -> Int {
    let size = style.document.sources.first { $0.name == layer.source }?.tileSize ?? 512
    return Int(clamping: (zoom + log2(512 / size)).rounded())
  }

  /// The largest number of pixels for a pixel of a tile of heights.
  ///
  /// - Source: design decision; between so many colours, the difference from colours of interpolated heights is small.
  private static let largestEnlargement = 8

  /// Returns the whole number of image pixels for a pixel of the finest tiles of heights.
  private static func enlargement(of source: any TileSource, zoom: Double, pixelRatio: Double) -> Int {
    guard source.scheme.reference == .webMercator, let level = source.scheme.levels.last else { return 1 }
    let size = 2 * WebMercator.halfWorld / (512 * exp2(zoom) * pixelRatio)
    let limit = min(largestEnlargement, TileScheme.tileSizes.upperBound / source.scheme.tileSize)
    return max(1, min(Int(clamping: (level.resolution / size - 0.5).rounded(.up)), limit))
  }
}

extension MapStyle.Source {
  /// Returns the source with one level: the given one, or else the largest; nil if all levels are larger.
  fileprivate func at(level: Int) -> MapStyle.Source? {
    guard case .images(let tiles) = self else { return self }
    let zooms = tiles.scheme.levels.map(\.zoom)
    guard let first = zooms.min(), let last = zooms.max(), max(level, 0) >= first else { return nil }
    let own = min(max(level, 0), last)
    return PartialTiles(tiles, zooms: own...own).map { .images($0) } ?? self
  }
}

extension ElevationEncoding {
  /// Creates the encoding of a layer's source.
  ///
  /// - Source: MapLibre Style Specification, sources of the type `raster-dem`; Mapbox's encoding is the default.
  fileprivate init(_ layer: StyleLayer, _ style: MapStyle) {
    let members = style.document.sources.first { $0.name == layer.source }?.members
    func factor(_ name: String, _ absent: Double) -> Double {
      members?[name]?.double.flatMap { $0.isFinite ? $0 : nil } ?? absent
    }
    switch members?["encoding"]?.string {
    case "terrarium": self = .terrarium
    case "custom":
      self.init(
        red: factor("redFactor", 1), green: factor("greenFactor", 1), blue: factor("blueFactor", 1),
        base: factor("baseShift", 0))
    default: self = .mapbox
    }
  }
}

extension ElevationSquare {
  /// Creates the heights of a tile and of those around it; nil for an image that is not square.
  fileprivate init?(_ encoding: ElevationEncoding, _ around: (Int, Int) -> Bitmap?) {
    guard let tile = around(0, 0).flatMap({ ElevationTile($0, encoding) }) else { return nil }
    self.init(tile) { right, down in around(right, down).flatMap { ElevationTile($0, encoding) } }
  }
}
