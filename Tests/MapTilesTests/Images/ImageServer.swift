import MapFeatures
import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapServices
import MapState
import Synchronization

/// An in-memory service of images whose colours tell the longitude and latitude of each pixel.
///
/// It reads extents as WMS and ArcGIS servers do, so that a wrong order of axes moves the image.
final class ImageServer: HTTPTransport {
  /// The place with the colour (128, 128), and the degrees for which a channel grows by 100.
  private let middle: (longitude: Double, latitude: Double)
  private let span: Double
  /// Returns another answer to a request; nil for an image.
  private let fault: @Sendable ([String: String]) -> HTTPResponse?
  private let log = Mutex<[HTTPRequest]>([])

  init(
    longitude: Double = 25, latitude: Double = 60, span: Double = 10,
    fault: @escaping @Sendable ([String: String]) -> HTTPResponse? = { _ in nil }
  ) {
    (middle, self.span, self.fault) = ((longitude, latitude), span, fault)
  }

  /// The requests so far, in the order of their addresses.
  var requests: [HTTPRequest] { log.withLock { $0 }.sorted { $0.url < $1.url } }
  /// The parameters of the only request; none after another number of requests.
  var parameters: [String: String] { requests.count == 1 ? Self.parameters(of: requests[0]) : [:] }

  /// Access to the server with `--online`.
  var access: ServiceAccess {
    var access = ServiceAccess(transport: self)
    access.fetchesTiles = true
    return access
  }

  func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    log.withLock { $0.append(request) }
    let parameters = Self.parameters(of: request)
    if let answer = fault(parameters) { return answer }
    guard let bytes = try? image(parameters) else {
      return HTTPResponse(status: 400, header: [:], body: [], url: request.url)
    }
    return HTTPResponse(status: 200, header: ["content-type": "image/png"], body: bytes, url: request.url)
  }

  /// The colour of a place, as red and green.
  func color(longitude: Double, latitude: Double) -> (red: Double, green: Double) {
    func channel(_ difference: Double) -> Double { min(max(128 + difference / span * 100, 0), 255) }
    return (
      channel((longitude - middle.longitude).remainder(dividingBy: 360)), channel(latitude - middle.latitude)
    )
  }

  private func image(_ parameters: [String: String]) throws -> [UInt8]? {
    let lower = Dictionary(
      parameters.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    var sides = (lower["bbox"] ?? "").split(separator: ",").compactMap { Double($0) }
    let size = (lower["size"] ?? "\(lower["width"] ?? ""),\(lower["height"] ?? "")").split(separator: ",")
      .compactMap { Int($0) }
    guard sides.count == 4, size.count == 2 else { return nil }
    let name = lower["crs"] ?? lower["srs"] ?? "EPSG:\(lower["bboxsr"] ?? "")"
    // By EPSG, the latitude or northing comes first in these.
    if ["EPSG:4326", "EPSG:4258", "EPSG:2393"].contains(name), lower["version"] == "1.3.0" {
      sides = [sides[1], sides[0], sides[3], sides[2]]
    }
    let number = name == "CRS:84" ? 4326 : Int(name.split(separator: ":").last ?? "") ?? 0
    let reference = SpatialReference(wkid: number)
    var pixels: [UInt8] = []
    for row in 0..<size[1] {
      let y = sides[3] + (sides[1] - sides[3]) * (Double(row) + 0.5) / Double(size[1])
      var xs = (0..<size[0]).map { sides[0] + (sides[2] - sides[0]) * (Double($0) + 0.5) / Double(size[0]) }
      var ys = [Double](repeating: y, count: size[0])
      try SpatialOperations.installed.project(x: &xs, y: &ys, from: reference, to: .wgs84)
      for (longitude, latitude) in zip(xs, ys) {
        let color = color(longitude: longitude, latitude: latitude)
        pixels += [UInt8(color.red.rounded()), UInt8(color.green.rounded()), 77, 255]
      }
    }
    return try Bitmap(width: size[0], height: size[1], pixels: pixels).pngData()
  }

  /// Returns the parameters of a request by name.
  static func parameters(of request: HTTPRequest) -> [String: String] {
    let text =
      request.method == .get
      ? String(request.url.split(separator: "?", maxSplits: 1).last ?? "")
      : String(decoding: request.body, as: UTF8.self)
    var found: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { found[String(parts[0])] = decoded(parts[1]) }
    }
    return found
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), let code = UInt8(String(rest.prefix(2)) ?? "", radix: 16) else {
        bytes.append(byte)
        continue
      }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension ImageServer {
  /// Opens a document with some operational layers.
  func open(
    _ layers: String..., members: String = "", access: ServiceAccess? = nil,
    standIns: StandInCatalog = StandInCatalog()
  ) async throws -> MapDocument {
    let json = "{\"operationalLayers\":[\(layers.joined(separator: ","))]\(members)}"
    return try await MapDocument.open(
      json: JSONValue(parsing: json), name: "map", folder: ".",
      catalog: SourceCatalog(standIns: standIns, services: access ?? self.access))
  }

  /// Draws a document around a place, of 200 by 150 pixels unless another size is given.
  static func draw(
    _ document: MapDocument, longitude: Double = 25, latitude: Double = 60, scale: Double = 5_000_000,
    rotation: Double = 0, width: Double = 200, height: Double = 150, pixelRatio: Double = 1
  ) async throws -> (image: RenderedMap, state: ViewState) {
    let view = try MapView(
      map: document.map, width: width, height: height, pixelRatio: pixelRatio,
      viewpoint: Viewpoint(latitude: latitude, longitude: longitude, scale: scale, rotation: rotation))
    let state = view.freeze()
    return (try await state.render(), state)
  }

  /// Returns the greatest difference between the colours of an image and those of the places of its pixels.
  func difference(_ drawn: (image: RenderedMap, state: ViewState)) throws -> Double {
    let (bitmap, state) = (drawn.image.bitmap, drawn.state)
    let unit = state.viewpoint.resolution / state.pixelRatio
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(state.viewpoint.rotation)
    var greatest = 0.0
    for row in 0..<bitmap.height {
      let up = (Double(bitmap.height) / 2 - Double(row) - 0.5) * unit
      let rights = (0..<bitmap.width).map { (Double($0) + 0.5 - Double(bitmap.width) / 2) * unit }
      var xs = rights.map { state.viewpoint.center.x + $0 * cosine + up * sine }
      var ys = rights.map { state.viewpoint.center.y + up * cosine - $0 * sine }
      try SpatialOperations.installed.project(x: &xs, y: &ys, from: state.spatialReference, to: .wgs84)
      for column in 0..<bitmap.width {
        let expected = color(longitude: xs[column], latitude: ys[column])
        let found = bitmap[column, row]
        greatest = max(
          greatest, abs(Double(found.red) - expected.red), abs(Double(found.green) - expected.green),
          abs(Double(found.blue) - 77))
      }
    }
    return greatest
  }
}
