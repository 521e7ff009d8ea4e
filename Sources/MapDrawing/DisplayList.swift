public import MapGeometry
public import MapModel

/// What a picture is made of, in pixels: no fields, no symbols, no map units.
///
/// The origin is the picture's top left corner, x to the right, y down; a pixel's centre is at .5. Every item keeps
/// the layer, class and row that it stands for, so that identify, the id picture and reports need nothing else.
public struct DisplayList: Hashable, Sendable {
  /// Width of the picture in pixels.
  public let width: Int
  /// Height of the picture in pixels.
  public let height: Int
  /// What lies under everything; nil is transparent.
  public let background: Color?
  /// What is painted before the layers, numbered apart from them: nothing there answers to identify or an id picture.
  public var basemap: [DisplayLayer] = []
  /// The layers, first painted first.
  public var layers: [DisplayLayer]
  /// Graphics over the layers, numbered apart from them; they answer to no id picture.
  public var overlays: [DisplayLayer] = []
  /// The labels of the layers, painted above all of them; they answer to no id picture.
  public var labels: [DisplayLayer] = []

  /// A list; layers may be added later.
  public init(width: Int, height: Int, background: Color?, layers: [DisplayLayer] = []) {
    (self.width, self.height, self.background, self.layers) = (width, height, background, layers)
  }
}

/// The items of one layer.
public struct DisplayLayer: Hashable, Sendable {
  /// The layer's place in the map, from 0 at the bottom.
  public let index: Int
  /// Its title or id, for dumps and messages.
  public let name: String
  /// 0 to 1; below 1 the layer is painted apart and laid over as a whole, so overlapping items do not add up.
  public let opacity: Double
  /// The items, painted in this order.
  public let batches: [DisplayBatch]

  /// A layer's items.
  public init(index: Int, name: String, opacity: Double, batches: [DisplayBatch]) {
    (self.index, self.name, self.opacity, self.batches) = (index, name, opacity, batches)
  }
}

/// Many items of one sort, in painting order.
public enum DisplayBatch: Hashable, Sendable {
  /// Symbols at places.
  case markers(MarkerBatch)
  /// Lines or areas.
  case paths(PathBatch)
  /// Text.
  case labels(LabelBatch)
}

/// Markers in arrays: item `i` is `styles[style[i]]` at (`x[i]`, `y[i]`) for row `row[i]`.
public struct MarkerBatch: Hashable, Sendable {
  /// The looks in use.
  public var styles: [MarkerStyle]
  /// Centre, pixels from the left.
  public var x: [Double] = []
  /// Centre, pixels from the top.
  public var y: [Double] = []
  /// Index into ``styles``.
  public var style: [UInt32] = []
  /// The row that the item stands for.
  public var row: [Int32] = []

  /// A batch without items.
  public init(styles: [MarkerStyle]) { self.styles = styles }

  /// Makes room for items.
  mutating func reserve(_ count: Int) {
    x.reserveCapacity(count)
    y.reserveCapacity(count)
    style.reserveCapacity(count)
    row.reserveCapacity(count)
  }

  /// Adds the items of a batch with the same looks.
  mutating func append(_ other: MarkerBatch) {
    x += other.x
    y += other.y
    style += other.style
    row += other.row
  }
}

/// Lines or areas in arrays: item `i` is row `i` of ``geometry``, drawn as `styles[style[i]]`, for row `row[i]`.
public struct PathBatch: Hashable, Sendable {
  /// The looks in use.
  public var styles: [PathStyle]
  /// Vertices in pixels, clipped to the picture and a margin; polylines (open, only stroked) or polygons (closed
  /// rings that repeat their first vertex, filled by the even-odd rule, then stroked, unless their look is open).
  public var geometry: CoordinateBuffer
  /// Index into ``styles``.
  public var style: [UInt32] = []
  /// The row that the item stands for.
  public var row: [Int32] = []

  /// A batch without items.
  public init(styles: [PathStyle], kind: GeometryKind) {
    self.styles = styles
    geometry = CoordinateBuffer(kind: kind)
  }
  /// Makes room for the items of some batches.
  mutating func reserve(_ others: [PathBatch]) {
    geometry.reserve(
      rows: others.reduce(0) { $0 + $1.geometry.rowCount },
      vertices: others.reduce(0) { $0 + $1.geometry.vertexCount })
  }

  /// Adds the items of a batch with the same looks.
  mutating func append(_ other: PathBatch) {
    geometry.append(other.geometry)
    style += other.style
    row += other.row
  }
}
