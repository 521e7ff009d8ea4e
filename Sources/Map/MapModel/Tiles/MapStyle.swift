package import MapGeometry
package import MapImages
package import MapJSON
package import MapStyles
import MapSystem
import Synchronization

/// A style with its sources and images, ready to be drawn.
package struct MapStyle: Sendable {
  /// The content of a source.
  package enum Source: Sendable {
    /// Vector tiles.
    case tiles(any StyleTileSource)
    /// Tiles of images, also those that hold heights.
    case images(any TileSource)
    /// An image with positions of its corners.
    case image(StyleImageSource)
    /// Features in degrees, which are in no tiles.
    case features(StyleFeatureSource)
  }

  /// The style.
  package let document: StyleDocument
  /// The path of the style.
  package let place: String
  /// The sources that could be opened, by their names.
  package let sources: [String: Source]
  /// The images of the style.
  package let sprites: StyleSprites
  /// The glyph files; nil for a style that names none, or whose files are not asked for.
  package let glyphs: StyleGlyphs?
  /// The reason why the style's glyph files cannot be found; nil for none.
  package let glyphProblem: String?
  /// The attribution texts of the sources; empty for none.
  package let attribution: String
  /// The sources that cannot be had, by their names, with the reasons.
  package let missingSources: [String: String]
  /// Whether the style is bundled: it is drawn over tiles of any maker, so a text without its fields is no mistake.
  package let isBundled: Bool

  /// Creates a style.
  package init(
    _ document: StyleDocument, place: String, sources: [String: Source], sprites: StyleSprites,
    glyphs: StyleGlyphs? = nil, glyphProblem: String? = nil, attribution: String,
    missingSources: [String: String], isBundled: Bool = false
  ) {
    self.isBundled = isBundled
    (self.document, self.place, self.sources) = (document, place, sources)
    (self.glyphs, self.glyphProblem) = (glyphs, glyphProblem)
    (self.sprites, self.attribution, self.missingSources) = (sprites, attribution, missingSources)
  }

  /// The extent of the sources in Web Mercator; empty if none states it.
  package var extent: Envelope {
    sources.keys.sorted().compactMap { name -> Envelope? in
      switch sources[name] {
      case .tiles(let tiles)?: tiles.extent
      case .images(let images)?: images.scheme.extent.projected(to: .webMercator)
      case .features(let features)?: features.extent
      case .image(let image)?: image.extent
      case nil: nil
      }
    }.filter { !$0.isEmpty }.reduce(.empty.with(spatialReference: .webMercator)) { $0.union($1) }
  }

  /// Returns the colour of the topmost background that covers what is below at a zoom; nil for none, or for a pattern.
  ///
  /// - Parameter hidden: the ids of the hidden layers.
  func background(atZoom zoom: Double, without hidden: Set<String>) -> Color? {
    let context = StyleContext(zoom: zoom, state: document.state)
    for layer in document.layers.reversed()
    where layer.type == .background && !hidden.contains(layer.id) && layer.isVisible(context) {
      if let pattern = layer.type.index(of: "background-pattern"), layer.values[pattern] != nil { return nil }
      guard let color = layer.value(of: "background-color", context)?.value.color else { continue }
      let opacity = layer.value(of: "background-opacity", context)?.value.number ?? 1
      let found = Color(color, times: opacity)
      if found.alpha > 127 { return found.over(.white) }
    }
    return nil
  }

  /// Returns the index of the layer with an id; nil for none.
  package func index(ofLayer id: String) -> Int? { document.layers.firstIndex { $0.id == id } }
}

extension Color {
  /// Creates the colour of a style with its opacity times another.
  package init(_ color: StyleColor, times opacity: Double) {
    func byte(_ value: Double) -> UInt8 { UInt8(clamping: (min(max(value, 0), 1) * 255).rounded()) }
    self.init(
      red: byte(color.red), green: byte(color.green), blue: byte(color.blue),
      alpha: byte(color.alpha * min(max(opacity, 0), 1)))
  }
}

/// A sprite: one bitmap with many images, and their places in it.
package struct StyleSprite: Sendable {
  /// The text before the names of its images; empty for the first or only sprite.
  package let prefix: String
  /// The places of the images.
  package let index: JSONValue
  /// The bitmap.
  package let bitmap: Bitmap
  /// The pixels of the bitmap for each view pixel, 1 or 2.
  package let pixelRatio: Double

  /// Creates a sprite.
  package init(prefix: String, index: JSONValue, bitmap: Bitmap, pixelRatio: Double) {
    (self.prefix, self.index, self.bitmap, self.pixelRatio) = (prefix, index, bitmap, pixelRatio)
  }
}

/// The sprites of a style, which are read when a drawing first needs them.
package final class StyleSprites: Sendable {
  /// The sprites, and the reasons for those that cannot be read.
  package typealias Read = (sprites: [StyleSprite], problems: [String])
  /// The paths of the files, also of those for larger pixel ratios that may be missing.
  package let files: [String]
  /// Whether files that cannot be read are asked for again, because they are on a server.
  package let isServed: Bool
  private let read: @Sendable (_ isDouble: Bool) async -> Read
  private let known = Mutex<[Bool: Read]>([:])

  /// Creates the sprites from a function that reads those of a pixel ratio of 1 or 2.
  package init(
    files: [String], isServed: Bool = false, _ read: @escaping @Sendable (_ isDouble: Bool) async -> Read
  ) {
    (self.files, self.isServed, self.read) = (files, isServed, read)
  }

  /// Returns the sprites for a pixel ratio.
  package func sprites(for pixelRatio: Double) async -> Read {
    let isDouble = pixelRatio > 1
    if let known = known.withLock({ $0[isDouble] }) { return known }
    let found = await read(isDouble)
    if !isServed || found.problems.isEmpty { known.withLock { $0[isDouble] = found } }
    return found
  }
}

/// A set of vector tiles in Web Mercator.
package protocol StyleTileSource: AnyObject, Sendable {
  /// The path or address, without secrets.
  var place: String { get }
  /// The levels with tiles.
  var zooms: ClosedRange<Int> { get }
  /// The extent in Web Mercator; nil for the whole world.
  var extent: Envelope? { get }
  /// The attribution text that the tiles require; empty for none.
  var attribution: String { get }
  /// The names of the layers that the tiles may have; nil if they are not stated.
  var layerNames: [String]? { get }
  /// Returns the names of the fields that the features of a layer may have; nil if they are not stated.
  func fieldNames(ofLayer name: String) -> [String]?
  /// Returns the layers of tiles; nil for a tile that the source does not have.
  ///
  /// The result does not depend on the number of threads.
  func contents(
    of tiles: [TileIndex], threads: Int
  ) async -> [TileIndex: Result<StyleTileContent?, TileError>]
}

extension StyleTileSource {
  /// Returns nil: the fields are not stated.
  package func fieldNames(ofLayer name: String) -> [String]? { nil }
}

/// The layers of a vector tile.
package struct StyleTileContent: Sendable {
  /// A layer of a tile.
  package struct Layer: Sendable {
    /// The values of the features.
    package let features: StyleFeatures
    /// The geometries in units of the tile, to the right and downwards: a buffer for each of polygons, lines and points,
    /// each with all rows.
    package let geometries: [CoordinateBuffer]
    /// The units along a side of the tile.
    package let extent: Double
    /// The ids of the features; nil for those without.
    package let ids: [UInt64?]

    /// Creates a layer.
    package init(
      features: StyleFeatures, geometries: [CoordinateBuffer], extent: Double, ids: [UInt64?]
    ) {
      (self.features, self.geometries, self.extent, self.ids) = (features, geometries, extent, ids)
    }
  }

  /// The layers by their names.
  package let layers: [String: Layer]
  /// The approximate size in memory.
  package let byteCount: Int
  /// The first loss in reading the tile; nil for none.
  package let loss: String?

  /// Creates the content of a tile.
  package init(layers: [String: Layer], byteCount: Int, loss: String? = nil) {
    (self.layers, self.byteCount, self.loss) = (layers, byteCount, loss)
  }
}

/// The features of a GeoJSON source, in units of the tile that is the whole world.
package struct StyleFeatureSource: Sendable {
  /// The path; nil for GeoJSON within the style.
  package let place: String?
  /// The extent in Web Mercator.
  package let extent: Envelope
  private let make: @Sendable (Int) -> StyleTileContent

  /// Creates a source from a function that returns its features at a zoom.
  package init(
    place: String?, extent: Envelope, _ make: @escaping @Sendable (Int) -> StyleTileContent
  ) {
    (self.place, self.extent, self.make) = (place, extent, make)
  }

  /// Returns the features, or the clusters of them, at a zoom, in a tile of zoom 0 whose layer has no name.
  package func content(atZoom zoom: Int) -> StyleTileContent { make(zoom) }
}

/// An image with positions of its corners.
package struct StyleImageSource: Sendable {
  /// The path.
  package let place: String
  /// The image.
  package let bitmap: Bitmap
  /// Longitude and latitude in degrees of its corners: top left, top right, bottom right, bottom left.
  package let corners: [(longitude: Double, latitude: Double)]

  /// Creates a source.
  package init(place: String, bitmap: Bitmap, corners: [(longitude: Double, latitude: Double)]) {
    (self.place, self.bitmap, self.corners) = (place, bitmap, corners)
  }

  /// The box around the corners in Web Mercator; empty if it cannot be computed.
  var extent: Envelope {
    let (x, y) = (corners.map(\.longitude), corners.map(\.latitude))
    let box = Envelope(
      xMin: x.min() ?? .nan, yMin: y.min() ?? .nan, xMax: x.max() ?? .nan, yMax: y.max() ?? .nan,
      spatialReference: .wgs84)
    return box.projected(to: .webMercator) ?? .empty.with(spatialReference: .webMercator)
  }
}
