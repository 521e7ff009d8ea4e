import MapJSON
import MapModel
import MapScript
import MapState
import MapSystem

extension FeatureServer {
  static let export: [RequestParameter] = [
    RequestParameter(
      "f", .choice(["image", "json", "pjson"]), "The image, or JSON with its address; default: image."),
    RequestParameter("bbox", .text, "XMIN,YMIN,XMAX,YMAX."),
    RequestParameter("bboxSR", .text, "WKID of bbox; default: that of the map."),
    RequestParameter("imageSR", .text, "WKID of the image; default: that of the map."),
    RequestParameter("size", .text, "WIDTH,HEIGHT in pixels; default: 400,400."),
    RequestParameter("dpi", .integer, "Output pixels per inch; default: 96."),
    RequestParameter(
      "format", .choice(["png", "png24", "png32", "jpg", "svg", "pdf"]), "Format of the image."),
    RequestParameter("transparent", .boolean, "Draw no background."),
    RequestParameter("layers", .text, "show:N,N or hide:N,N."),
  ]

  func draw(_ state: ViewState) async throws -> HTTPResponse {
    // Clients write the formats as the description of the service lists them, or in lower case.
    let query = request.query.filter { !$0.value.isEmpty }.map { item in
      item.name == "format" ? HTTPRequest.Parameter(name: item.name, value: item.value.lowercased()) : item
    }
    let asked = try RequestParameter.decode(query, Self.export)
    var parameters = JSONObject()
    let size = (asked["size"]?.string ?? "400,400").split(separator: ",").map(String.init)
    guard size.count == 2 else { throw HTTPFault(400, "size: expected WIDTH,HEIGHT") }
    let ratio = Double(asked["dpi"]?.integer ?? 96) / 96
    guard ratio > 0, let width = Double(size[0]), let height = Double(size[1]) else {
      throw HTTPFault(400, "size and dpi must be above 0")
    }
    parameters["pixelRatio"] = .number(ratio)
    let boxWkid = try Self.wkid(asked["bboxSR"], "bboxSR") ?? state.spatialReference.wkid
    if let text = asked["bbox"]?.string {
      let box = try BoxParameter.numbers(text, "bbox").map { "\($0)" }.joined(separator: ",")
      parameters["bounds"] = .string("\(box),\(boxWkid)")
    }
    if let imageWkid = try Self.wkid(asked["imageSR"], "imageSR") {
      parameters["reference"] = .number(imageWkid == 102100 ? 3857 : imageWkid)
    }
    if let text = asked["layers"]?.string {
      let parts = text.split(separator: ":").map(String.init)
      guard parts.count == 2, ["show", "hide"].contains(parts[0]) else {
        throw HTTPFault(400, "layers: expected show:N,N or hide:N,N")
      }
      let names = try parts[1].split(separator: ",").map { text throws(HTTPFault) in
        guard let index = Int(text), state.layers.indices.contains(index) else {
          throw HTTPFault(400, "layers: no layer \(text)")
        }
        return JSONValue.string(name(index))
      }
      parameters[parts[0] == "show" ? "only" : "hide"] = .array(names)
    }
    let drawn = MapRequest(map: map, parameters: parameters, limits: limits)
    var view = try drawn.view()
    view.size = ViewSize(width: width / ratio, height: height / ratio)
    view = try drawn.checked(view)
    if asked["transparent"]?.boolean == true { view.background = .some(nil) }
    if ["json", "pjson"].contains(asked["f"]?.string) { return try await description(of: view) }
    let format = asked["format"]?.string ?? "png"
    let file = format.hasPrefix("png") ? "png" : format
    let type = MapRequest.imageFormats.first { $0.0 == file }?.1 ?? "image/png"
    return try await drawn.image(view, LayoutRequest(), file, type: type)
  }

  /// Describes an image, with its address.
  private func description(of view: ViewRequest) async throws -> HTTPResponse {
    let state = try await map.page(view, LayoutRequest()).page.map
    let path = "/" + request.path.map { FilePath.percentEncoded($0) }.joined(separator: "/")
    let query = request.query.filter { $0.name != "f" } + [HTTPRequest.Parameter(name: "f", value: "image")]
    return HTTPResponse(json: [
      "href": .string(request.link(path, query)),
      "width": .number((view.size.width * view.pixelRatio).rounded()),
      "height": .number((view.size.height * view.pixelRatio).rounded()),
      "extent": extent(state.extent, state.spatialReference.wkid), "scale": .number(state.viewpoint.scale),
    ])
  }
}
