import MapState
import MapSystem

/// The page at `/`: examples for web pages and QGIS, with the addresses of a map.
///
/// The examples are in `Page/examples.html`; `Scripts/checks/servers/web` runs them on a page of another origin.
struct StartPage {
  let maps: MapFolder
  let request: HTTPRequest
  let origins: AllowedOrigins

  /// Returns the page with the examples of a map, by default of the first one.
  ///
  /// - Throws: ``HTTPFault`` with 404 for an unknown map.
  func response(map: String?) throws(HTTPFault) -> HTTPResponse {
    let names = maps.names
    if let map, !names.contains(map) { throw maps.unknown(map) }
    let shown = map ?? names.first
    let list = names.map { name in
      let query = parameters([("map", name)])
      return
        "<li><a href=\"?\(MarkupText.escaped(query))\"\(name == shown ? " aria-current=\"page\"" : "")>\(MarkupText.escaped(name))</a></li>"
    }
    let token = request.linkToken == nil ? "" : "?" + parameters([])
    let page = Self.filled(
      PackageResources.start_html,
      [
        ("ORIGINS", originsText), ("TOKEN", token), ("MAPS", list.joined(separator: "\n")),
        ("EXAMPLES", shown.map(examples) ?? Self.noMaps),
      ])
    return LocalPage.response(Array(page.utf8))
  }

  private static let noMaps =
    "<p>There are no maps. A map is a web map with the ending <code>.json</code> in the folder of the server. Start the "
    + "server with the names of data files to serve them, too: <code>mapstate-serve cities.geojson roads.gpkg</code>.</p>"

  /// The sentence about the pages that may use the examples.
  private var originsText: String {
    if origins.areAll { return "Pages of every origin may use them." }
    guard !origins.names.isEmpty else {
      return
        "Pages of other origins may use them once the server is started with <code>--allow-origin</code>."
    }
    return
      "Pages of \(origins.names.map { "<code>\(MarkupText.escaped($0))</code>" }.joined(separator: ", ")) may use them."
  }

  private func examples(_ name: String) -> String {
    let path = "/maps/\(FilePath.percentEncoded(name))"
    func link(_ rest: String, _ query: [(String, String)] = []) -> String {
      MarkupText.escaped(
        request.link(path + rest, query.map { HTTPRequest.Parameter(name: $0.0, value: $0.1) }))
    }
    func local(_ rest: String, _ query: [(String, String)] = []) -> String {
      let query = parameters(query)
      // Without the address, so that the page works under each of its names.
      return MarkupText.escaped(path.dropFirst() + rest + (query.isEmpty ? "" : "?" + query))
    }
    // QGIS adds paths to these addresses, so they have no parameter.
    func plain(_ rest: String) -> String { MarkupText.escaped(request.address.root + path + rest) }
    let header =
      request.linkToken == nil
      ? "" : ", with the header <code>Authorization: Bearer TOKEN</code> for the last two"
    let size = [("size", "640x400")]
    return Self.filled(
      PackageResources.examples_html,
      [
        ("NAME", MarkupText.escaped(name)), ("HEADER", header),
        ("PREVIEW", local("/image", size)), ("PAGE", local("/preview")),
        ("IMAGE", link("/image", size)), ("TILEJSON", link("/tiles.json")),
        ("TILES", link("/tiles/{z}/{x}/{y}.png")), ("OGC", plain("/ogc")),
        ("WMTS", link("/WMTSCapabilities.xml")),
        ("ARCGIS", plain("/FeatureServer")), ("COUNT", link("/count", [("everywhere", "true")])),
        ("FEATURES", link("/features", [("everywhere", "true"), ("format", "csv"), ("download", "true")])),
        ("LEGEND", link("/legend", [("format", "png")])),
      ])
  }

  /// Returns parameters as a query, with the token if the request has it in its query.
  private func parameters(_ query: [(String, String)]) -> String {
    let address = request.link("", query.map { HTTPRequest.Parameter(name: $0.0, value: $0.1) })
    return String(address.drop { $0 != "?" }.dropFirst())
  }

  /// Replaces the names between percent signs.
  private static func filled(_ page: [UInt8], _ values: [(name: String, value: String)]) -> String {
    values.reduce(String(decoding: page, as: UTF8.self)) {
      $0.replacing("%\($1.name)%", with: $1.value)
    }
  }
}
