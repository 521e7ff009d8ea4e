package import MapGeometry
package import MapModel

/// The content of an image in pixels, without fields, symbols or map units.
///
/// The origin is the image's top left corner, x to the right, y down; a pixel's centre is at .5. Every item keeps its
/// layer, class and row, so that identify, the id image and reports need nothing else.
package struct DisplayList: Hashable, Sendable {
  /// The width of the image in pixels.
  package let width: Int
  /// The height of the image in pixels.
  package let height: Int
  /// The background colour; nil is transparent.
  package let background: Color?
  /// The basemap, painted before the layers and numbered separately; absent from identify and id images.
  package var basemap: [DisplayLayer] = []
  /// The layers, the first painted first.
  package var layers: [DisplayLayer]
  /// The graphics over the layers, numbered separately; absent from id images.
  package var overlays: [DisplayLayer] = []
  /// The labels of the layers, painted above all layers; absent from id images.
  package var labels: [DisplayLayer] = []

  /// Creates a display list; layers may be added later.
  package init(width: Int, height: Int, background: Color?, layers: [DisplayLayer] = []) {
    (self.width, self.height, self.background, self.layers) = (width, height, background, layers)
  }
}

/// The items of one layer.
package struct DisplayLayer: Hashable, Sendable {
  /// The index of the layer in the map, from 0 at the bottom; negative for a layer without features, which owns no pixel of
  /// id images.
  package let index: Int
  /// The title or id of the layer, for dumps and messages.
  package let name: String
  /// Whether the layer is painted separately and composited as a whole.
  package var isGroup: Bool { opacity < 1 || blendMode != .normal }
  /// The opacity, 0 to 1.
  ///
  /// Below 1 the layer is painted separately and composited as a whole, so that overlapping items do not add up.
  package var opacity: Double
  /// The way in which the layer as a whole is mixed with what is below it.
  package var blendMode = BlendMode.normal
  /// The effects on the image of the layer, which images show instead of ``batches``; nil for none.
  package var effect: DisplayEffect?
  /// The groups around the layer that are painted as one image, the outermost first; see ``effect`` for their margins.
  package var groups: [DisplayGroup] = []
  /// The items in painting order.
  package internal(set) var batches: [DisplayBatch]

  /// Creates the items of a layer.
  package init(index: Int, name: String, opacity: Double, batches: [DisplayBatch]) {
    (self.index, self.name, self.opacity, self.batches) = (index, name, opacity, batches)
  }
}

/// Many items of one kind, in painting order.
package enum DisplayBatch: Hashable, Sendable {
  /// Symbols at points.
  case markers(MarkerBatch)
  /// Lines or areas.
  case paths(PathBatch)
  /// Markers made of shapes, such as pie charts.
  case shapes(ShapeBatch)
  /// Text.
  case labels(LabelBatch)
  /// An image that covers the whole image of the list.
  case image(DisplayImage)
}

/// An image as large as that of its list, drawn pixel by pixel.
package struct DisplayImage: Hashable, Sendable {
  /// The width in pixels.
  package let width: Int
  /// The pixels, row by row: premultiplied alpha, red, green and blue from the highest byte down.
  package let pixels: [UInt32]

  /// Creates an image from whole rows.
  package init(width: Int, pixels: [UInt32]) { (self.width, self.pixels) = (width, pixels) }

  /// Returns whether a pixel whose centre is in a box is not transparent.
  package func paints(in box: Envelope) -> Bool {
    pixels.indices.contains { index in
      pixels[index] != 0
        && box.contains(x: Double(index % width) + 0.5, y: Double(index / width) + 0.5)
    }
  }
}

/// Markers in arrays: item `i` is `styles[style[i]]` at (`x[i]`, `y[i]`) for row `row[i]`.
package struct MarkerBatch: Hashable, Sendable {
  /// The marker styles in use.
  package var styles: [MarkerStyle]
  /// The x coordinates of the centres, in pixels from the left.
  package var x: [Double] = []
  /// The y coordinates of the centres, in pixels from the top.
  package var y: [Double] = []
  /// The indexes into ``styles``.
  package var style: [UInt32] = []
  /// The table rows of the items.
  package var row: [Int32] = []

  /// Creates a batch without items.
  package init(styles: [MarkerStyle]) { self.styles = styles }

  /// Creates a batch of items whose styles are those of another batch.
  init(x: [Double], y: [Double], style: [UInt32], row: [Int32]) {
    (styles, self.x, self.y, self.style, self.row) = ([], x, y, style, row)
  }

  /// Reserves memory for items.
  mutating func reserve(_ count: Int) {
    x.reserveCapacity(count)
    y.reserveCapacity(count)
    style.reserveCapacity(count)
    row.reserveCapacity(count)
  }

  /// Appends the items of a batch that has the same styles.
  mutating func append(_ other: MarkerBatch) {
    x += other.x
    y += other.y
    style += other.style
    row += other.row
  }
}

/// The extent of an item, on which a gradient depends.
package struct PathExtent: Hashable, Sendable {
  /// The bounding box in pixels.
  package let box: Envelope
  /// The largest distance of an inner point from the edge, in pixels; 0 if no gradient depends on it.
  package let depth: Double

  /// Creates an extent.
  package init(box: Envelope, depth: Double = 0) { (self.box, self.depth) = (box, depth) }
}

/// Lines or areas in arrays: item `i` is row `i` of ``geometry``, drawn as `styles[style[i]]`, for row `row[i]`.
package struct PathBatch: Hashable, Sendable {
  /// The path styles in use.
  package var styles: [PathStyle]
  /// The vertices in pixels, clipped to the image and a margin.
  ///
  /// Polylines are open and only stroked. Polygons are closed rings that repeat their first vertex. They are filled
  /// by the even-odd rule, then stroked, unless their style is open.
  package var geometry: CoordinateBuffer
  /// The indexes into ``styles``.
  package var style: [UInt32] = []
  /// The table rows of the items.
  package var row: [Int32] = []
  /// The extents of the items before clipping; empty if no style has a gradient.
  package var extents: [PathExtent] = []
  /// The pixels that the items may change; nil for the whole image.
  ///
  /// The items are painted as if there were no region, and then other pixels are as before. SVG and PDF ignore it.
  package var region: PixelRegion?

  /// Creates a batch without items.
  package init(styles: [PathStyle], kind: GeometryKind, region: PixelRegion? = nil) {
    (self.styles, self.region) = (styles, region)
    geometry = CoordinateBuffer(kind: kind)
  }

  /// Returns the extent of an item before clipping; nil if it is not known.
  package func extent(ofItem item: Int) -> PathExtent? {
    extents.indices.contains(item) ? extents[item] : nil
  }

  /// Reserves memory for the items of some batches.
  mutating func reserve(_ others: [PathBatch]) {
    geometry.reserve(
      rows: others.reduce(0) { $0 + $1.geometry.rowCount },
      vertices: others.reduce(0) { $0 + $1.geometry.vertexCount })
  }

  /// Appends the items of a batch that has the same styles and the same region.
  mutating func append(_ other: PathBatch) {
    extents += other.extents
    geometry.append(other.geometry)
    style += other.style
    row += other.row
  }
}
