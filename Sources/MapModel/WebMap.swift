public import MapFeatures
import MapFilter
public import MapGeometry
public import MapJSON

/// A map document: what a web map JSON says, with defaults filled in and nothing opened.
///
/// - Source: Esri web map specification 2.x. Unknown members are kept and reported in ``warnings``, those of display
///   filters are errors.
public struct WebMap: Sendable {
  /// The layers, first at the bottom.
  public var layers: [WebMapLayer]
  /// Where a view starts; nil where the document does not say.
  public var viewpoint: Viewpoint?
  /// The time that a view starts with; nil is any.
  public var timeExtent: TimeExtent?
  /// What lies under everything; nil where the document does not say.
  public var background: Color?
  /// The N of the smallest scale of a view, 0 open.
  public var minScale = 0.0
  /// The N of the largest scale of a view, 0 open.
  public var maxScale = 0.0
  /// The N of the scale at which symbols have the size that they say; 0 at every scale.
  public var referenceScale = 0.0
  /// What the map is drawn in; nil is Web Mercator.
  public var spatialReference: SpatialReference?
  /// What lies below the layers, over the background; nil is nothing.
  public var basemap: Basemap?
  /// The layers of the basemap that have to be opened, first at the bottom.
  package private(set) var basemapLayers: [WebMapLayer] = []
  /// Tables that are not drawn.
  public var tables: [WebMapLayer] = []
  /// Places to come back to.
  public var bookmarks: [Bookmark] = []
  /// What was read, whole; nil for a document that was made here.
  package private(set) var source: JSONValue?
  /// What its layers know it by; nil for a document that was made here.
  private(set) var mark: DocumentMark?
  /// What is not drawn as written.
  public private(set) var warnings: [DocumentWarning] = []

  /// A document of these layers.
  public init(layers: [WebMapLayer], viewpoint: Viewpoint? = nil) {
    (self.layers, self.viewpoint) = (layers, viewpoint)
  }

  /// The most layers and classes that a document may hold; one with more is refused while it is parsed.
  ///
  /// - Source: ours. Of 106 published web maps none has more than 20 layers.
  public static let limits: JSONLimits = {
    let classes = EsriRendererCodec.largestClassCount
    return JSONLimits(
      each: [
        "uniqueValueInfos": classes, "classBreakInfos": classes, "uniqueValueGroups": classes,
        "classes": classes,
        "values": classes, "stops": classes, "visualVariables": 1000, "labelingInfo": 10_000,
        "filters": 10_000,
      ],
      all: ["operationalLayers": largestLayerCount, "layers": largestLayerCount])
  }()
  private static let largestLayerCount = 10_000

  /// True when JSON looks like a web map rather than data or a layer.
  ///
  /// A member that is nearly called `operationalLayers` counts, so that reading can name it.
  public static func isWebMap(_ json: JSONValue) -> Bool {
    if json["operationalLayers"] != nil { return true }
    return json.object?.members.contains { member in
      // Not `layers` alone, which other documents have.
      member.name.count > 13 && !member.value.isNull
        && NearestName.of(member.name, among: DocumentObject.map.memberNames) == "operationalLayers"
    } ?? false
  }

  /// Reads a document.
  ///
  /// - Parameter pictureAt: the picture of a symbol at a path or address of the document; nil reads none.
  /// - Throws: ``JSONDecodingError`` with the place of the first value that cannot be meant.
  public init(
    _ json: JSONValue, pictureAt: ((String) -> Result<SymbolPicture, SymbolPictureError>)? = nil
  ) throws(JSONDecodingError) {
    var report = DocumentReport(pictureAt: pictureAt)
    layers = []
    do throws(JSONDecodingError) {
      try read(DocumentWalk.check(JSONNode(json), as: .map, &report), &report)
    } catch {
      throw report.explained(error)
    }
    warnings = report.warnings
    (source, mark) = (json, DocumentMark())
    for index in layers.indices { layers[index].mark = mark }
    for index in tables.indices { tables[index].mark = mark }
    for index in basemapLayers.indices { basemapLayers[index].mark = mark }
  }

  private mutating func read(
    _ root: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    (minScale, maxScale) = (try Self.scale(root, "minScale"), try Self.scale(root, "maxScale"))
    if minScale > 0, maxScale > minScale {
      report.note(root.path["maxScale"], "contradicts minScale; every view is at maxScale")
    }
    referenceScale = try Self.scale(root, "referenceScale")
    if let baseMap = root["baseMap"] {
      (basemap, basemapLayers) = try WebMap.basemap(from: baseMap, &report)
    }
    spatialReference = try EsriGeometryJSON.spatialReference(of: root)
    for node in try root.required("operationalLayers").elements() {
      _ = try node.object()
      layers += try WebMapLayer.layers(from: node, &report)
    }
    tables = Self.tables(root, &report)
    for node in root["bookmarks"]?.listed ?? [] {
      if let bookmark = Self.bookmark(node, &report) { bookmarks.append(bookmark) }
    }
    if let background = root["background"] {
      self.background = try EsriSymbolCodec.color(background["color"])
    }
    if let state = root["initialState"] {
      viewpoint = try state["viewpoint"].flatMap { node throws(JSONDecodingError) in
        try EsriViewpointCodec.viewpoint(node)
      }
      if viewpoint == nil, let node = state["viewpoint"] {
        report.note(node.path["targetGeometry"], "missing: the default view is shown")
      }
      timeExtent = try state["timeExtent"].map { node throws(JSONDecodingError) in try Self.timeExtent(node) }
    }
  }

  /// A scale of the map, 0 where it is open.
  private static func scale(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double {
    guard let member = node[name] else { return 0 }
    let scale = try member.double()
    guard scale >= 0 else { throw member.invalid("\(scale) is no scale; it must be above 0, or 0 for open") }
    return scale
  }

  /// The tables; a note for those that cannot be read, without which the map is drawn all the same.
  private static func tables(_ root: JSONNode, _ report: inout DocumentReport) -> [WebMapLayer] {
    var tables: [WebMapLayer] = []
    for node in root["tables"]?.listed ?? [] {
      do throws(JSONDecodingError) {
        for table in try WebMapLayer.layers(from: node, &report) {
          if !table.definitionExpression.isEmpty {
            report.note(table.path, "not applied yet: the definition expression of a table without a layer")
          }
          tables.append(table)
        }
      } catch {
        report.note(error.path, "the table is left out: \(error)")
      }
    }
    return tables
  }

  /// A place to come back to; nil, and a note, for one that shows nothing that can be shown.
  static func bookmark(_ node: JSONNode, _ report: inout DocumentReport) -> Bookmark? {
    do throws(JSONDecodingError) {
      // A viewpoint wins over an extent.
      var viewpoint = try node["viewpoint"].flatMap { node throws(JSONDecodingError) in
        try EsriViewpointCodec.viewpoint(node)
      }
      if viewpoint == nil, let extent = node["extent"] {
        viewpoint = Viewpoint(boundingGeometry: try EsriViewpointCodec.envelope(extent))
      }
      guard let viewpoint else { throw node.invalid("has neither a viewpoint nor an extent") }
      return Bookmark(name: try node.string("name") ?? "Untitled", viewpoint: viewpoint)
    } catch {
      report.note(error.path, "the bookmark is left out: \(error)")
      return nil
    }
  }

  private static func timeExtent(_ node: JSONNode) throws(JSONDecodingError) -> TimeExtent {
    let ends = try node.elements()
    guard ends.count == 2 else { throw node.invalid("expected [start, end] in milliseconds") }
    func instant(_ node: JSONNode) throws(JSONDecodingError) -> Instant? {
      if node.value.isNull { return nil }
      guard let instant = Instant(epochMilliseconds: Int64(try node.integer())) else {
        throw node.invalid("milliseconds out of range")
      }
      return instant
    }
    return TimeExtent(start: try instant(ends[0]), end: try instant(ends[1]))
  }

  /// A span of time as `[start, end]` in milliseconds.
  static func json(_ extent: TimeExtent) -> JSONValue {
    .array([extent.start, extent.end].map { $0.map(milliseconds) ?? .null })
  }

  /// The millisecond that a moment falls in.
  private static func milliseconds(_ instant: Instant) -> JSONValue {
    let (whole, rest) = instant.microseconds.quotientAndRemainder(dividingBy: 1000)
    return .number(Int(rest < 0 ? whole - 1 : whole))
  }

  /// The document as JSON: what the values here say, version 2.31.
  public var json: JSONValue {
    var members: [(String, JSONValue)] = [("operationalLayers", .array(layers.map(\.json)))]
    members.append(("baseMap", Self.json(basemap)))
    var state: [(String, JSONValue)] = []
    if let viewpoint { state.append(("viewpoint", EsriViewpointCodec.json(viewpoint))) }
    if let timeExtent { state.append(("timeExtent", Self.json(timeExtent))) }
    if !state.isEmpty { members.append(("initialState", EsriSymbolCodec.object(state))) }
    if minScale != 0 { members.append(("minScale", .number(minScale))) }
    if maxScale != 0 { members.append(("maxScale", .number(maxScale))) }
    if referenceScale != 0 { members.append(("referenceScale", .number(referenceScale))) }
    if let background { members.append(("background", ["color": EsriSymbolCodec.json(background)])) }
    members.append(("spatialReference", (spatialReference ?? .webMercator).json))
    members.append(("version", "2.31"))
    return EsriSymbolCodec.object(members)
  }
}

/// What the layers of a document know it by.
package final class DocumentMark: Sendable {}

extension JSONNode {
  /// The elements of a list, null ones left out; none for anything else.
  fileprivate var listed: [JSONNode] { (try? elements())?.filter { !$0.value.isNull } ?? [] }
}
