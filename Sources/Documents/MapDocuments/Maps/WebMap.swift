package import MapFeatures
import MapFilter
package import MapGeometry
package import MapJSON
package import MapModel

/// A map document: the content of a web map JSON with defaults filled in, before anything is opened.
///
/// - Source: Esri web map specification 2.x. Unknown members are kept and reported in ``warnings``; those of display
///   filters are errors.
package struct WebMap: Sendable {
  /// The layers, starting at the bottom.
  package var layers: [WebMapLayer]
  /// The viewpoint at which a view starts; nil if unspecified.
  package var viewpoint: Viewpoint?
  /// The time with which a view starts; nil for any time.
  package var timeExtent: TimeExtent?
  /// The colour below everything else; nil if unspecified.
  package var background: Color?
  /// The scale denominator of the smallest scale of a view; 0 means no limit.
  package var minScale = 0.0
  /// The scale denominator of the largest scale of a view; 0 means no limit.
  package var maxScale = 0.0
  /// The scale denominator at which symbols have their nominal size; 0 keeps that size at every scale.
  package var referenceScale = 0.0
  /// The spatial reference that the map is drawn in; nil for Web Mercator.
  package var spatialReference: SpatialReference?
  /// The basemap, drawn below the layers and over the background; nil for none.
  package var basemap: Basemap?
  /// The layers of the basemap that must be opened, starting at the bottom.
  package private(set) var basemapLayers: [WebMapLayer] = []
  /// The layers of tiles that can be had, first at the bottom.
  package private(set) var tileLayers: [WebMapTileLayer] = []
  /// The layers of tiles of the basemap that can be had, first at the bottom.
  package private(set) var basemapTileLayers: [WebMapTileLayer] = []
  /// The tiles of streets over which the basemap draws its style; nil for none.
  package private(set) var streets: StreetTiles?
  /// The tables, which are not drawn.
  package var tables: [WebMapLayer] = []
  /// The named viewpoints of the map.
  package var bookmarks: [Bookmark] = []
  /// The whole JSON that was read; nil for a document made in code.
  package private(set) var source: JSONValue?
  /// The identity that the layers of the document refer to; nil for a document made in code.
  private(set) var mark: DocumentMark?
  /// The warnings about parts that are not drawn as written.
  package private(set) var warnings: [DocumentWarning] = []

  /// Creates a document with layers.
  package init(layers: [WebMapLayer], viewpoint: Viewpoint? = nil) {
    (self.layers, self.viewpoint) = (layers, viewpoint)
  }

  /// The maximum numbers of layers and classes in a document; parsing refuses a document with more.
  ///
  /// - Source: design decision. Of 106 published web maps none has more than 20 layers.
  package static let limits: JSONLimits = {
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
  /// The maximum number of layers in a document or in a group.
  package static let largestLayerCount = 10_000

  /// Returns whether JSON is a web map rather than data or a layer.
  ///
  /// A misspelt `operationalLayers` also counts, so that reading can report it.
  package static func isWebMap(_ json: JSONValue) -> Bool {
    if json["operationalLayers"] != nil { return true }
    return json.object?.members.contains { member in
      // `layers` alone does not count, because other documents have it.
      member.name.count > 13 && !member.value.isNull
        && NearestName.of(member.name, among: DocumentObject.map.memberNames) == "operationalLayers"
    } ?? false
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - pictureAt: Returns the image of a symbol at a path or address of the document; nil reads no images.
  ///   - hasTiles: Returns whether tiles at a path, template or address can be had; nil draws no tiles.
  ///   - mapServices: The answers of map services by their addresses.
  ///   - items: The outcome of asking for the items of its layers.
  /// - Throws: ``JSONDecodingError`` with the path of the first invalid value.
  package init(
    _ json: JSONValue, pictureAt: ((String) -> Result<SymbolPicture, SymbolPictureError>)? = nil,
    hasTiles: ((String) -> Bool)? = nil, mapServices: [String: MapServiceAnswer] = [:],
    items: ItemAnswers = ItemAnswers()
  ) throws(JSONDecodingError) {
    var report = DocumentReport(pictureAt: pictureAt)
    (report.hasTiles, report.mapServices, report.itemFaults) = (hasTiles, mapServices, items.faults)
    report.note(items.warnings)
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

  /// Replaces a layer by others in its place, the lowest first.
  package mutating func replaceLayer(at index: Int, by others: [WebMapLayer]) {
    let below = layers[..<index].count(where: \.isDrawable)
    for tile in tileLayers.indices where tileLayers[tile].below > below {
      tileLayers[tile].below += others.count - 1
    }
    layers.replaceSubrange(index...index, with: others)
  }

  private mutating func read(
    _ root: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    (minScale, maxScale) = (try Self.scale(root, "minScale"), try Self.scale(root, "maxScale"))
    if minScale > 0, maxScale > minScale {
      report.note(root.path["maxScale"], "contradicts minScale; every view is at maxScale", .approximated)
    }
    referenceScale = try Self.scale(root, "referenceScale")
    if let baseMap = root["baseMap"] {
      (basemap, basemapLayers, basemapTileLayers) = try WebMap.basemap(from: baseMap, &report)
      streets = try WebMap.streets(of: baseMap)
    }
    spatialReference = try EsriGeometryJSON.spatialReference(of: root)
    var entries = WebMapEntry()
    for node in try root.required("operationalLayers").elements() {
      _ = try node.object()
      entries.append(try WebMapLayer.entry(node, &report))
    }
    (layers, tileLayers) = (entries.layers, entries.tiles)
    tables = Self.tables(root, &report)
    for node in root["bookmarks"]?.listed ?? [] {
      if let bookmark = Self.bookmark(node, &report) { bookmarks.append(bookmark) }
    }
    if let background = root["background"] {
      self.background = try EsriMembers.color(background["color"])
    }
    if let state = root["initialState"] {
      viewpoint = try state["viewpoint"].flatMap { node throws(JSONDecodingError) in
        try EsriViewpointCodec.viewpoint(node)
      }
      if viewpoint == nil, let node = state["viewpoint"] {
        report.note(node.path["targetGeometry"], "missing: the default view is shown", .drawn)
      }
      timeExtent = try state["timeExtent"].map { node throws(JSONDecodingError) in try Self.timeExtent(node) }
    }
  }

  /// Reads a scale denominator of the map; 0 means no limit.
  private static func scale(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double {
    guard let member = node[name] else { return 0 }
    let scale = try member.double()
    guard scale >= 0 else {
      throw member.invalid("\(scale) is not a scale; it must be above 0, or 0 for no limit")
    }
    return scale
  }

  /// Reads the tables; one that cannot be read is reported, and the map is drawn without it.
  private static func tables(_ root: JSONNode, _ report: inout DocumentReport) -> [WebMapLayer] {
    var tables: [WebMapLayer] = []
    for node in root["tables"]?.listed ?? [] {
      do throws(JSONDecodingError) {
        tables += try WebMapLayer.layers(from: node, &report)
      } catch {
        report.note(error.path, "the table is left out: \(error)")
      }
    }
    return tables
  }

  /// Reads a bookmark; nil, with a warning, when its viewpoint is missing or invalid.
  static func bookmark(_ node: JSONNode, _ report: inout DocumentReport) -> Bookmark? {
    do throws(JSONDecodingError) {
      // A viewpoint takes precedence over an extent.
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

  /// Returns a time span as `[start, end]` in milliseconds.
  static func json(_ extent: TimeExtent) -> JSONValue {
    .array([extent.start, extent.end].map { $0.map(milliseconds) ?? .null })
  }

  /// Returns the millisecond that contains a timestamp.
  private static func milliseconds(_ instant: Instant) -> JSONValue {
    let (whole, rest) = instant.microseconds.quotientAndRemainder(dividingBy: 1000)
    return .number(Int(rest < 0 ? whole - 1 : whole))
  }

  /// The document as JSON with the current values, version 2.31.
  package var json: JSONValue {
    var members: [(String, JSONValue)] = [("operationalLayers", .array(layers.map(\.json)))]
    members.append(("baseMap", Self.json(basemap)))
    var state: [(String, JSONValue)] = []
    if let viewpoint { state.append(("viewpoint", EsriViewpointCodec.json(viewpoint))) }
    if let timeExtent { state.append(("timeExtent", Self.json(timeExtent))) }
    if !state.isEmpty { members.append(("initialState", EsriMembers.object(state))) }
    if minScale != 0 { members.append(("minScale", .number(minScale))) }
    if maxScale != 0 { members.append(("maxScale", .number(maxScale))) }
    if referenceScale != 0 { members.append(("referenceScale", .number(referenceScale))) }
    if let background { members.append(("background", ["color": EsriMembers.json(background)])) }
    members.append(("spatialReference", (spatialReference ?? .webMercator).json))
    members.append(("version", "2.31"))
    return EsriMembers.object(members)
  }
}

extension JSONNode {
  /// The elements of an array without nulls; empty for any other value.
  fileprivate var listed: [JSONNode] { (try? elements())?.filter { !$0.value.isNull } ?? [] }
}
