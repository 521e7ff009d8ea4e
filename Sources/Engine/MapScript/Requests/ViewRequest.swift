import MapDocuments
public import MapFeatures
public import MapFilter
public import MapGeometry
package import MapJSON
public import MapModel
package import MapReaders
public import MapState

/// The selection of a document's filters that apply.
public enum FilterMode: String, CaseIterable, Sendable {
  /// Both, as the document defines.
  case document
  /// Neither.
  case none
  /// Only the definition expression.
  case definition
  /// Only the display filter.
  case display
}

/// The width and height of a view in view pixels.
public struct ViewSize: Hashable, Sendable {
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// Creates a size.
  public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
}

/// A request for a view that overrides its document, from options, a step or a snapshot case.
public struct ViewRequest: Hashable, Sendable {
  /// The area or features to show.
  public enum Place: Hashable, Sendable {
    /// A centre and a scale denominator.
    case center(Point, scale: Double)
    /// An envelope, with free view pixels around it.
    case bounds(Envelope)
    /// All features that pass a layer's definition expression, with free view pixels around them.
    case fit(layer: String)
    /// All features of the default view, also those far from all others.
    case everything
  }

  /// The size in view pixels.
  public var size = ViewSize(width: 800, height: 600)
  /// The number of output pixels per view pixel.
  public var pixelRatio = 1.0
  /// The medium on which the image is seen.
  public var medium = ImageMedium.screen
  /// The area to show; nil as in the document.
  public var place: Place?
  /// The counterclockwise rotation in degrees; nil as in the document.
  public var rotation: Double?
  /// The zoom of the view, which replaces its scale; nil for the scale.
  public var zoom: Double?
  /// The free view pixels on each side of the shown area; nil for none.
  ///
  /// The default view adds the symbols' size; nil then is 4 % of the view.
  public var padding: Double?
  /// The spatial reference of the drawn map; nil as in the document.
  public var reference: SpatialReference?
  /// The selection of the document's filters.
  public var filterMode = FilterMode.document
  /// The layer for clauses without a name, which the default view shows; nil for the only layer.
  public var layer: String?
  /// The layers that are drawn or queried; empty for all.
  public var only: [String] = []
  /// The definition expressions that replace the document's, each as SQL or `NAME: SQL`.
  public var definitions: [LayerClause] = []
  /// The conditions that are added by AND to the definition expressions, each as SQL or `NAME: SQL`.
  public var conditions: [LayerClause] = []
  /// The display filters that replace the document's, each as SQL or `NAME: SQL`.
  public var displayFilters: [LayerClause] = []
  /// The view's time; nil as in the document.
  public var time: TimeExtent?
  /// The current time of filters and expressions; nil for the system clock.
  public var now: Instant?
  /// The layers to hide.
  public var hidden: [String] = []
  /// The layers to show.
  public var shown: [String] = []
  /// The background colour; nil as in the document, `.some(nil)` for a transparent one.
  public var background: Color??
  /// The basemap; nil as in the document, `.some(nil)` for none.
  public var basemap: Basemap.Style??
  /// Whether the bundled names are drawn over the layers; false as in the document.
  public var showsBasemapNames = false
  /// Whether meridians and parallels are drawn; false as in the document.
  public var showsGraticule = false
  /// The cells in which points are counted instead of drawing their symbols; nil for symbols.
  package var cells: CountingCells?
  /// The options for what files do not say.
  public var reading = ReadingOptions()
  /// The archives that take the place of a style's sources when it is opened, each as `FILE` or `SOURCE=FILE`.
  public var styleTiles: [String] = []
  /// The layers with a style whose features own pixels of id images.
  public var idsOf: [String] = []
  /// The tables whose columns are added to layers when the map is opened.
  public var joins = TableJoins()
  /// The question whose filters and time the default view applies; its area is ignored.
  public var question = FeatureQuestion()
  /// Whether a view without a viewpoint moves to the default view; false for questions that do not search the view.
  public var fitsDefaultView = true

  /// Whether the layers keep their filters and visibility, because a request was applied to them before.
  package var keepsLayers = false

  /// Creates a request that changes nothing: 800 by 600 view pixels at the document's viewpoint.
  public init() {}

  /// The requested viewpoint; nil for the document's, and for features to fit.
  var viewpoint: Viewpoint? {
    switch place {
    case .center(let point, let scale):
      Viewpoint(
        center: point, scale: zoom.map { Viewpoint.scale(ofZoom: $0) } ?? scale, rotation: rotation ?? .nan)
    case .bounds(let envelope): Viewpoint(boundingGeometry: envelope, rotation: rotation ?? .nan)
    case .fit, .everything, nil: nil
    }
  }

  /// The free view pixels on each side of the requested place.
  var placePadding: Double {
    if case .center = place { 0 } else { padding ?? 0 }
  }

  /// The request with a fixed current time, for several images that belong together.
  package var atOneTime: ViewRequest {
    var request = self
    request.now = now ?? .now
    return request
  }

  /// Returns a warning about a centre that a map has no position for, so that the view moves; nil for others.
  package func placeWarning(on reference: SpatialReference) -> String? {
    guard case .center(let center, _) = place, reference == .webMercator,
      let latitude = center.extent.projected(to: .wgs84)?.yMin,
      abs(latitude) > WebMercator.latitudeLimit + 1e-6
    else { return nil }
    return
      "latitude \(latitude) is beyond \(latitude < 0 ? "-" : "")85.06, where Web Mercator ends; the view shows "
      + "\(latitude < 0 ? "-" : "")85.06 instead; --reference draws the poles"
  }

  /// Returns the tables to join, with the layer of the request for those that name none.
  ///
  /// - Parameter folders: The folders of relative paths; the first that has the file.
  package func joins(in folders: [String]) -> TableJoins {
    var joins = joins
    (joins.folders, joins.layer) = (folders, layer ?? (only.count == 1 ? only[0] : nil))
    return joins
  }

  /// Returns the archives for a style's sources with paths that do not depend on the working directory.
  ///
  /// - Parameter folders: The folders of relative paths; the first that has the file.
  package func styleTiles(in folders: [String]) -> [String] {
    styleTiles.map { text in
      let start = text.firstIndex(of: "=").map { text.index(after: $0) } ?? text.startIndex
      let file = String(text[start...])
      let found = folders.lazy.map { FilePath.join($0, file) }.first { FileAccess.exists($0) }
      return text[..<start] + (found ?? file)
    }
  }

  /// Sets the place to show and, if the text names one, the rotation.
  package mutating func show(_ viewpoint: ViewpointText) {
    place = .center(viewpoint.center, scale: viewpoint.scale)
    rotation = viewpoint.rotation ?? rotation
  }
}

extension ViewRequest: TabularRequest {
  package static let fields: [RequestField<ViewRequest>] = [
    RequestField("size", \.size) { try ViewSize($0) },
    RequestField("pixelRatio", \.pixelRatio) { try $0.double() },
    RequestField("for", \.medium) { try $0.choice(ImageMedium.self) },
    RequestField("viewpoint") { try $1.readViewpoint($0) },
    RequestField("bounds") { try $1.setPlace(.bounds(RequestedExtent.envelope($0)), $0) },
    RequestField("fit") { try $1.setPlace(Place(fit: $0.string()), $0) },
    RequestField("padding", \.padding) { node in
      let padding = try node.double()
      guard padding >= 0 else {
        throw node.invalid("a padding of \(padding) is impossible; it must be 0 or more")
      }
      return padding
    },
    RequestField("rotation", \.rotation) { try $0.double() },
    RequestField("zoom", \.zoom) { node in
      let zoom = try node.double()
      guard ViewRequest.zooms.contains(zoom) else {
        throw node.invalid("a zoom of \(zoom) is impossible; it must be 0 to 30")
      }
      return zoom
    },
    RequestField("reference", \.reference) { try SpatialReference(written: $0) },
    RequestField("layer", \.layer) { try $0.string() },
    RequestField("only", \.only) { try $0.strings() },
    RequestField("hide", \.hidden) { try $0.strings() },
    RequestField("show", \.shown) { try $0.strings() },
    RequestField("filters", \.filterMode) { try $0.choice(FilterMode.self) },
    RequestField("definition", \.definitions) { try $0.strings().map { LayerClause($0) } },
    RequestField("where", \.conditions) { try $0.strings().map { LayerClause($0) } },
    RequestField("displayFilter", \.displayFilters) { try $0.strings().map { LayerClause($0) } },
    RequestField("time", \.time) { try TimeExtent($0) },
    RequestField("now", \.now) { try Instant($0) },
    RequestField("sourceReference", \.reading.sourceReference) { try SpatialReference(written: $0) },
    RequestField("x", \.reading.xField) { try $0.string() },
    RequestField("y", \.reading.yField) { try $0.string() },
    RequestField("encoding", \.reading.encoding) { try TextEncoding($0) },
    RequestField("delimiter", \.reading.delimiter) { try CSVDelimiter($0) },
    RequestField("decimal", \.reading.decimalSign) { try DecimalSign($0) },
    RequestField("skipBadRows", \.reading.skipsBadRows) { try $0.boolean() },
    RequestField("join", \.joins.joins) { try $0.strings().map { LayerJoin($0) } },
    RequestField("tiles", \.styleTiles) { try $0.strings() },
    RequestField("idsOf", \.idsOf) { try $0.strings() },
    RequestField("joinFirst", \.joins.takesFirst) { try $0.boolean() },
    RequestField("tileZoom", \.reading.tileZoom) { node in
      let zoom = try node.integer()
      guard (0...30).contains(zoom) else {
        throw node.invalid("a zoom of \(zoom) is impossible; it must be 0 to 30")
      }
      return zoom
    },
  ]

  /// The zooms that a view can have.
  package static let zooms = 0.0...30

  /// The fields of the object form of a viewpoint; `center` goes with `scale` or `zoom`.
  package static let placeFields = ["center", "scale", "zoom", "bounds", "fit", "padding", "rotation"]

  /// Reads a request from the members of an object.
  package init(_ node: JSONNode, _ names: [String]? = nil) throws(MapStateError) {
    try read(node, names)
  }

  /// Reads a viewpoint: its text form, or an object of ``placeFields``.
  private mutating func readViewpoint(_ node: JSONNode) throws {
    guard node.value.string == nil else {
      let viewpoint = try ViewpointText(node)
      try setPlace(.center(viewpoint.center, scale: viewpoint.scale), node)
      return show(viewpoint)
    }
    try node.refuseUnknown(Self.placeFields)
    try readPlace(node)
    guard place != nil else { throw node.invalid("expected \"center\" and \"scale\", \"bounds\" or \"fit\"") }
  }

  /// Reads the members ``placeFields`` of an object.
  mutating func readPlace(_ node: JSONNode) throws(MapStateError) {
    if let center = node["center"] {
      let place = try node.decoding { node in
        guard let zoom = node["zoom"] else {
          let scale = try node.required("scale").double()
          try ViewpointText.check(scale: scale)
          return Place.center(try Point(center), scale: scale)
        }
        guard node["scale"] == nil else {
          throw zoom.invalid("\"scale\" and \"zoom\" exclude each other; give one of them")
        }
        let scale = Viewpoint.scale(ofZoom: min(max(try zoom.double(), 0), 30))
        return Place.center(try Point(center), scale: scale)
      }
      try center.decoding { try setPlace(place, $0) }
    }
    try read(node, Self.placeFields)
  }

  private mutating func setPlace(_ new: Place, _ node: JSONNode) throws(JSONDecodingError) {
    guard place == nil else {
      throw node.invalid(
        "\"viewpoint\", \"center\", \"bounds\" and \"fit\" exclude each other; give one of them")
    }
    place = new
  }
}

extension ViewRequest.Place {
  /// The word that fits the features of all layers.
  package static let allLayers = "all"

  /// Creates the place of a layer's features, or of those of all layers.
  package init(fit name: String) { self = name == Self.allLayers ? .everything : .fit(layer: name) }
}
