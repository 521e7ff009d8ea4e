import MapJSON
import MapSystem

/// The contents of an image without its pixels: the view, the funnel of each layer, and the drawn items.
///
/// There is one item for each symbol, path and label, with the feature that it represents. The record is stored
/// beside a reference image, so that later changes can be named without the earlier documents and data.
struct PictureRecord: Hashable, Sendable {
  /// A painted symbol, path or label.
  struct Item: Hashable, Sendable {
    /// The object id of the feature.
    let id: Int64
    /// The index in the layer's styles (`looks`).
    let look: Int
    /// The position in pixels: a point, or the sides of the bounding box and further numbers that distinguish
    /// shapes.
    let place: [Double]
    /// A text by which users recognise the feature: the label's own text or an attribute; may be empty.
    let text: String
  }

  /// The style of items of a class.
  struct Look: Hashable, Sendable {
    /// The index of the renderer's class, -1 for the default symbol; for labels, the index of the label class.
    let classIndex: Int
    /// The shape, sizes and colours, as in the dump of a display list.
    let text: String
  }

  /// The symbols of a layer, or its labels.
  struct Layer: Hashable, Sendable {
    /// The layer's title, or its id without a title.
    let name: String
    /// Whether the items are labels.
    let isLabels: Bool
    let opacity: Double
    /// The display names of the classes: the label, or else the value or range; empty for a class without either.
    let classes: [String]
    let looks: [Look]
    /// The items in painting order.
    let items: [Item]
    /// The stages of the filter funnel, in order; none for labels.
    let funnel: [(name: String, count: Int)]
    /// The layer as a web map describes it, without its features; null for labels and parts of a page.
    var definition = JSONValue.null
    /// Whether the layer is visible at the scale of the view.
    var isShown = true

    static func == (a: Layer, b: Layer) -> Bool {
      a.name == b.name && a.isLabels == b.isLabels && a.opacity == b.opacity && a.classes == b.classes
        && a.looks == b.looks && a.items == b.items && a.counts == b.counts && a.definition == b.definition
        && a.isShown == b.isShown
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(items)
    }

    /// Whether the items are those of a part of a page, such as a legend, which are of no feature.
    var isPart: Bool { isLabels && isOfStyle && !name.contains("#") && classes.isEmpty }

    /// The counts of the funnel.
    var counts: [Int] { funnel.map(\.count) }
  }

  /// A hash of the pixels, which detects an image that was replaced without its record.
  var pixels: String
  let width: Int
  let height: Int
  /// The width and height of the map in pixels where it is smaller than the image, on a page; nil for others, and in
  /// records of earlier versions.
  var mapSize: [Int]?
  /// The x and y of the map's upper left corner on a page, in pixels; nil for others, and in records of earlier versions.
  var mapOrigin: [Int]?
  let background: String
  let basemap: String
  /// The sides xmin, ymin, xmax, ymax of the view in the map's spatial reference.
  let extent: [Double]
  let rotation: Double
  /// The layers in painting order, then the labels of each.
  var layers: [Layer]
  /// The version of MapState that drew the image.
  var drawnBy = "\(Release.version)"
  /// A hash of the pixels of the owner image; empty if there is none.
  var owners = ""
  /// The properties of the view by name, such as `scale` and `spatialReference`.
  var view = JSONObject()
  /// The warnings of the document and of drawing, without folders.
  var warnings: [String] = []
  /// The styles in view, from the lowest to the highest; empty in records of earlier versions.
  var styles: [StyleRecord] = []

  /// Returns the record of an image with another hash of its pixels.
  func with(pixels: String) -> PictureRecord {
    var record = self
    record.pixels = pixels
    return record
  }
}

/// The digest of a record's text, for tests that change one.
package enum ReferenceRecord {
  /// Returns a record's text with the digest that belongs to it.
  ///
  /// - Throws: `JSONSyntaxError`.
  package static func sealed(_ text: String) throws -> String {
    var members = try JSONValue(parsing: text).object ?? JSONObject()
    members["digest"] = .string(PictureRecord.digest(of: .object(members)))
    return JSONValue.object(members).text(style: .pretty)
  }
}
