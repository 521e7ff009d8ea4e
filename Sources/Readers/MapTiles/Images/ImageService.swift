package import MapGeometry
package import MapJSON
import MapModel
import MapSystem

/// A service that draws images for any extent and size, and the parameters of its requests.
///
/// - Source: OGC Web Map Service 1.1.1 (01-068r3) and 1.3.0 (06-042); ArcGIS REST API, export image and export map; web map
///   specification, `wmsLayer`, `imageServiceLayer` and `mapServiceLayer`.
package struct ImageService: Sendable {
  /// The protocol of a service.
  enum Kind: Hashable, Sendable {
    /// A Web Map Service, and its version.
    case wms(String)
    /// An image service of ArcGIS.
    case imageService
    /// A map service of ArcGIS.
    case mapService
  }

  /// The values of `layerType` of layers that are images of services.
  package static let types: Set<String> = ["WMS", "ArcGISImageServiceLayer", mapServices]
  private static let mapServices = "ArcGISMapServiceLayer"

  let kind: Kind
  /// The address of the requests, with the parameters that the document adds.
  package let address: String
  /// The greatest number of pixels along each side of an image.
  let largestSide: (width: Int, height: Int)
  /// The extent in degrees that the document states; nil for none.
  let extent: Envelope?
  /// The parameters that are the same in each request.
  private let fixed: [(name: String, value: String)]
  /// The numbers of the spatial references as the document writes them; empty if it states none.
  private let references: [Int]
  /// Whether the time of the view is sent.
  let filtersByTime: Bool
  /// The names of the parameters in the address, in lower case.
  private let given: Set<String>
  private let definition: Definition

  /// Returns the definition of a spatial reference in PROJJSON; nil for an unknown one.
  package typealias Definition = @Sendable (SpatialReference) -> String?

  /// The greatest side of an image where the document states none.
  ///
  /// - Source: the defaults of MapServer (`MAXSIZE`) and of ArcGIS map services.
  private static let usualSide = 4096
  /// The number of WGS 84 with the longitude first, `CRS:84`, in lists of spatial references.
  private static let longitudeFirst = 84

  /// Reads the members of a layer; nil for a layer of another type.
  ///
  /// - Parameters:
  ///   - address: the address of the service, which may be another one than that in the document.
  ///   - definition: returns definitions, which state the order of axes.
  /// - Throws: ``TileFileError`` for a layer that can have no image.
  package init?(
    _ layer: JSONValue, at address: String, definition: @escaping Definition
  ) throws(TileFileError) {
    self.definition = definition
    let type = (layer["layerType"] ?? layer["type"])?.string ?? ""
    guard Self.types.contains(type) else { return nil }
    let shown = String(address.prefix { $0 != "?" })
    var place = address
    switch type {
    case "WMS":
      let version = layer["version"]?.string ?? "1.3.0"
      guard version.hasPrefix("1.1") || version.hasPrefix("1.3") else {
        throw TileFileError(
          shown, "version \"\(version.prefix(20))\" of WMS is not read; 1.1.1 and 1.3.0 are")
      }
      kind = .wms(version.hasPrefix("1.3") ? "1.3.0" : version == "1.1.0" ? version : "1.1.1")
      fixed = try Self.wms(layer, shown)
      if address == layer["url"]?.string, let map = layer["mapUrl"]?.string, map.contains("://") {
        place = map
      }
    case Self.mapServices:
      kind = .mapService
      fixed = Self.map(layer)
      place = Self.adding("export", to: address)
    default:
      kind = .imageService
      fixed = Self.image(layer)
      place = Self.adding("exportImage", to: address)
    }
    (self.address, given) = Self.address(place, layer)
    func side(_ name: String) -> Int {
      let stated = layer[name]?.integer ?? 0
      return stated >= TileScheme.tileSizes.lowerBound ? min(stated, Self.usualSide) : Self.usualSide
    }
    largestSide = (side("maxWidth"), side("maxHeight"))
    references = (layer["spatialReferences"]?.array ?? []).compactMap(\.integer).filter { $0 > 0 }
    filtersByTime = layer["timeAnimation"]?.boolean ?? true
    extent = Self.extent(layer["extent"])
  }

  /// Returns an address with a further step, before its query.
  private static func adding(_ step: String, to address: String) -> String {
    var path = address.prefix { $0 != "?" && $0 != "#" }
    let query = address[path.endIndex...].prefix { $0 != "#" }
    while path.hasSuffix("/") { path = path.dropLast() }
    return "\(path)/\(step)\(query)"
  }

  /// Returns the extent `[[west, south], [east, north]]`; nil for another value.
  private static func extent(_ value: JSONValue?) -> Envelope? {
    let numbers = (value?.array ?? []).flatMap { ($0.array ?? []).compactMap(\.double) }
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[0] < numbers[2], numbers[1] < numbers[3]
    else { return nil }
    return Envelope(
      xMin: numbers[0], yMin: numbers[1], xMax: numbers[2], yMax: numbers[3], spatialReference: .wgs84)
  }

  // MARK: Parameters

  /// Returns an address with the parameters that the document adds, without those that each request has.
  private static func address(_ text: String, _ layer: JSONValue) -> (address: String, given: Set<String>) {
    let base = text.prefix { $0 != "?" && $0 != "#" }
    var items = text[base.endIndex...].prefix { $0 != "#" }.dropFirst().split(separator: "&").map { part in
      (name: String(part.prefix { $0 != "=" }), text: String(part))
    }
    for (name, value) in Self.custom(layer) {
      items.removeAll { $0.name.lowercased() == name.lowercased() }
      items.append((name, PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value)))
    }
    items.removeAll { Self.own.contains($0.name.lowercased()) }
    let query = items.map(\.text).joined(separator: "&")
    return (
      query.isEmpty ? String(base) : "\(base)?\(query)", Set(items.map { $0.name.lowercased() })
    )
  }

  /// The parameters that an address cannot change, because they decide about the place of the image.
  private static let own: Set<String> = [
    "service", "request", "version", "bbox", "width", "height", "crs", "srs", "size", "bboxsr", "imagesr",
    "f",
  ]

  /// Returns the parameters that a layer adds to each request, in order; those of the layer replace those of the service.
  package static func custom(_ layer: JSONValue) -> [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    for member in ["customParameters", "customLayerParameters"] {
      for (name, value) in (layer[member]?.object?.members ?? []).map({ ($0.name, $0.value) })
      where !value.isNull {
        found.removeAll { $0.name.lowercased() == name.lowercased() }
        found.append((name, value.string ?? value.text()))
      }
    }
    return found
  }

  private static func wms(
    _ layer: JSONValue, _ address: String
  ) throws(TileFileError) -> [(name: String, value: String)] {
    let listed = (layer["layers"]?.array ?? []).compactMap { $0["name"]?.string }
    let shown = layer["visibleLayers"]?.array?.compactMap { $0.string ?? $0.integer.map { "\($0)" } }
    let names = shown ?? listed
    guard !names.isEmpty else {
      throw TileFileError(
        address, "no layer of the service is named in \"\(shown == nil ? "layers" : "visibleLayers")\"")
    }
    let styles = (layer["styles"]?.array ?? []).map { $0.string ?? "" }
    let isPlain = styles.allSatisfy(\.isEmpty)
    let isOpaque =
      layer["transparentBackground"]?.boolean == false || layer["imageTransparency"]?.boolean == false
    return [
      ("LAYERS", names.joined(separator: ",")),
      (
        "STYLES",
        isPlain ? "" : names.indices.map { $0 < styles.count ? styles[$0] : "" }.joined(separator: ",")
      ),
      ("FORMAT", format(layer["format"]?.string ?? "png")), ("TRANSPARENT", isOpaque ? "FALSE" : "TRUE"),
    ]
  }

  /// Returns the media type of a format of the document that is decoded, or else PNG.
  private static func format(_ name: String) -> String {
    switch name.lowercased() {
    case "jpg", "jpeg", "image/jpg", "image/jpeg": "image/jpeg"
    case let type where type.hasPrefix("image/png") || type == "image/webp": name
    default: "image/png"
    }
  }

  /// Returns the parameters of an image service.
  private static func image(_ layer: JSONValue) -> [(name: String, value: String)] {
    let written = layer["format"]?.string?.lowercased() ?? ""
    let format = ["png", "png8", "png24", "png32", "jpg", "jpgpng"].contains(written) ? written : "jpgpng"
    var parameters = [(name: "format", value: format)]
    for name in ["pixelType", "interpolation"] {
      if let text = layer[name]?.string, !text.isEmpty, text.lowercased() != "unknown" {
        parameters.append((name, text))
      }
    }
    if let value = layer["noData"], !value.isNull {
      parameters.append(("noData", value.string ?? value.array.map(Self.list) ?? value.text()))
      if let text = layer["noDataInterpretation"]?.string {
        parameters.append(("noDataInterpretation", text))
      }
    }
    if format.hasPrefix("jpg"), let quality = layer["compressionQuality"]?.double {
      parameters.append(("compressionQuality", JSONValue.number(quality).text()))
    }
    if let bands = layer["bandIds"]?.array, !bands.isEmpty {
      parameters.append(("bandIds", Self.list(bands)))
    }
    var rule = layer["mosaicRule"]?.object ?? JSONObject()
    let filter = (layer["definitionExpression"] ?? layer["layerDefinition"]?["definitionExpression"])?.string
    if let filter, !filter.isEmpty {
      let own = rule["where"]?.string ?? ""
      rule["where"] = .string(own.isEmpty ? filter : "(\(own)) AND (\(filter))")
    }
    if !rule.members.isEmpty { parameters.append(("mosaicRule", JSONValue.object(rule).text())) }
    for name in ["renderingRule", "rasterFunction"] {
      guard let rule = layer[name]?.object, !rule.members.isEmpty else { continue }
      parameters.append(("renderingRule", JSONValue.object(rule).text()))
      break
    }
    return parameters
  }

  /// Returns the parameters of a map service.
  private static func map(_ layer: JSONValue) -> [(name: String, value: String)] {
    let written = (layer["imageFormat"] ?? layer["format"])?.string?.lowercased() ?? ""
    var parameters = [
      (name: "format", value: ["png", "png8", "png24", "jpg"].contains(written) ? written : "png32"),
      ("transparent", layer["imageTransparency"]?.boolean == false ? "false" : "true"),
    ]
    if let shown = layer["visibleLayers"]?.array {
      parameters.append(("layers", "show:" + Self.list(shown)))
    }
    return parameters
  }

  private static func list(_ values: [JSONValue]) -> String {
    values.map { $0.string ?? $0.text() }.joined(separator: ",")
  }

  // MARK: Requests

  /// Returns the spatial reference of the images for a map in another.
  ///
  /// Servers of ArcGIS draw in any. A WMS is asked in that of the map if the document lists it and its order of axes is
  /// known, or else in Web Mercator, in WGS 84, or in the first that is listed.
  func reference(for map: SpatialReference) -> SpatialReference {
    guard case .wms(let version) = kind else { return map }
    let listed = references.map { $0 == Self.longitudeFirst ? .wgs84 : SpatialReference(wkid: $0) }
    guard let first = listed.first else { return map.isBuiltIn ? map : .webMercator }
    // Up to 1.1.1, x comes first in every spatial reference.
    let wanted = (version < "1.3" || isNorthFirst(map) != nil ? [map] : []) + [.webMercator, .wgs84]
    return wanted.first(where: listed.contains) ?? first
  }

  /// Returns whether the northing or latitude is the first axis of a spatial reference; nil if that is not known.
  ///
  /// Axes that count to the south or west are not known either.
  private func isNorthFirst(_ reference: SpatialReference) -> Bool? {
    if reference.isBuiltIn { return reference == .wgs84 }
    guard let text = definition(reference), let json = try? JSONValue(parsing: text),
      let axes = json["coordinate_system"]?["axis"]?.array, axes.count >= 2
    else { return nil }
    let names = axes.prefix(2).map { ($0["name"]?.string ?? "").lowercased() }
    func isNorth(_ name: String) -> Bool { name.contains("northing") || name.contains("latitude") }
    func isEast(_ name: String) -> Bool { name.contains("easting") || name.contains("longitude") }
    if isNorth(names[0]), isEast(names[1]) { return true }
    return isEast(names[0]) && isNorth(names[1]) ? false : nil
  }

  /// Returns the parameters of the request for an image.
  func parameters(of part: ImagePart, in conditions: ImageConditions) -> [(name: String, value: String)] {
    let box = part.extent
    var parameters: [(name: String, value: String)]
    switch kind {
    case .wms(let version):
      let name = name(of: conditions.reference)
      // 06-042, 6.7.3: the order of axes is that of EPSG; in CRS84, the longitude comes first.
      let isTurned = version >= "1.3" && name.hasPrefix("EPSG") && isNorthFirst(conditions.reference) == true
      let sides =
        isTurned ? [box.yMin, box.xMin, box.yMax, box.xMax] : [box.xMin, box.yMin, box.xMax, box.yMax]
      parameters = [
        ("SERVICE", "WMS"), ("REQUEST", "GetMap"), ("VERSION", version),
        (version >= "1.3" ? "CRS" : "SRS", name), ("BBOX", Self.text(sides)), ("WIDTH", "\(part.width)"),
        ("HEIGHT", "\(part.height)"),
      ]
      if let time = time(conditions) { parameters.append(("TIME", time)) }
    case .imageService, .mapService:
      // Web Mercator had this number before 10.1, and still has it.
      let number = conditions.reference == .webMercator ? 102100 : conditions.reference.wkid
      parameters = [
        ("f", "image"), ("bbox", Self.text([box.xMin, box.yMin, box.xMax, box.yMax])),
        ("bboxSR", "\(number)"), ("imageSR", "\(number)"), ("size", "\(part.width),\(part.height)"),
      ]
      if kind == .mapService {
        let points = (96 * conditions.pixelRatio).rounded()
        parameters.append(("dpi", JSONValue.number(points).text()))
      }
      if let time = time(conditions) { parameters.append(("time", time)) }
    }
    let all = parameters + fixed
    return all.filter { Self.own.contains($0.name.lowercased()) || !given.contains($0.name.lowercased()) }
  }

  /// Returns the view's time as a parameter; nil for none.
  private func time(_ conditions: ImageConditions) -> String? {
    guard filtersByTime, let time = conditions.time else { return nil }
    guard case .wms = kind else {
      let (start, end) = (time.start.map { "\($0.milliseconds)" }, time.end.map { "\($0.milliseconds)" })
      return start == end ? start : "\(start ?? "null"),\(end ?? "null")"
    }
    guard let start = time.start, let end = time.end else { return nil }
    return start.text == end.text ? start.text : "\(start.text)/\(end.text)"
  }

  /// Whether the time of the view has no form in requests.
  func losesTime(_ conditions: ImageConditions) -> Bool {
    filtersByTime && conditions.time != nil && time(conditions) == nil
  }

  /// Returns the name of a spatial reference in the list of a WMS.
  private func name(of reference: SpatialReference) -> String {
    switch reference {
    case .wgs84 where !references.contains(4326) && references.contains(Self.longitudeFirst): return "CRS:84"
    case .webMercator where !references.contains(3857):
      // Older servers know Web Mercator only by another number.
      return "EPSG:\(references.first { SpatialReference(wkid: $0) == .webMercator } ?? 3857)"
    default: return "EPSG:\(reference.wkid)"
    }
  }

  private static func text(_ numbers: [Double]) -> String {
    numbers.map { JSONValue.number($0).text() }.joined(separator: ",")
  }
}

/// The conditions that are the same for all images of a view.
package struct ImageConditions: Sendable {
  /// A timestamp, as milliseconds since 1970 and as text by RFC 3339.
  package struct Time: Sendable {
    let milliseconds: Int64
    let text: String

    /// Creates a timestamp.
    package init(milliseconds: Int64, text: String) { (self.milliseconds, self.text) = (milliseconds, text) }
  }

  /// The spatial reference of the images.
  let reference: SpatialReference
  /// The number of output pixels per view pixel.
  let pixelRatio: Double
  /// The view's time; nil for any.
  let time: (start: Time?, end: Time?)?
}
