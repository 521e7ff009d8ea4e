import MapJSON
import MapModel
import MapScript
import MapState
import MapSystem

/// The answers about series of images.
extension MapRequest {
  /// Returns the list of the images of a series, or one of them.
  ///
  /// - Parameter number: the number of the image in the list; nil for the list.
  func series(_ request: HTTPRequest, number: Int?) async throws -> HTTPResponse {
    let subject = try seriesSubject()
    let (view, layout) = (try imageView(), try layout())
    let (series, page) = try await map.series(view, layout, styling(for: view), subject, number: number)
    let format = text("format") ?? "png"
    if let page {
      let type = Self.imageFormats.first { $0.0 == format }?.1 ?? "image/png"
      return try await image(page, map.document, layout, format, type: type)
    }
    let path = "/" + request.path.map { FilePath.percentEncoded($0) }.joined(separator: "/")
    let images: [JSONValue] = series.items.enumerated().map { index, item in
      var object: JSONObject = [:]
      if let id = item.objectID { object["id"] = .number(JSONNumber(id)) }
      if let time = item.time { object["time"] = .string("\(time)") }
      for member in item.groupMembers { object[member.name] = member.value }
      object["href"] = .string(request.link("\(path)/\(index)", request.query))
      return .object(object)
    }
    return HTTPResponse(json: [
      "images": .array(images),
      "warnings": .array(series.warnings.map { .string(ParameterSpelling.text($0)) }),
    ])
  }

  private func seriesSubject() throws -> SeriesSubject {
    let (layer, step) = (text("by"), text("byTime"))
    guard (layer == nil) != (step == nil) else { throw HTTPFault(400, "a series needs either by or byTime") }
    if let layer { return .features(layer: layer, field: text("byField"), mutesOthers: boolean("mute")) }
    guard text("byField") == nil else { throw HTTPFault(400, "byField needs by, the layer with the field") }
    guard !boolean("mute") else {
      throw HTTPFault(400, "mute needs by, the layer of the features that are not muted")
    }
    return .time(try reading { try TimeStep(text: step ?? "") })
  }
}
