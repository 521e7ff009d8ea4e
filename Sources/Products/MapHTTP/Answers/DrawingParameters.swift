import MapJSON
import MapModel
import MapScript
import MapState

/// The parameters of drawing and of styles, as the options of `render` have them.
extension MapRequest {
  /// Returns the style of a request.
  func styling(for request: ViewRequest) throws -> MapStyling {
    let style = try reading { try StyleRequest(node) }
    guard !style.readsFiles else { throw HTTPFault(400, "style: a request names no file") }
    guard !style.symbolDefinitions.contains(where: Self.namesFile) else {
      throw HTTPFault(400, "symbol: a request names no file and no host; give the image as imageData")
    }
    if style.anyLabel != nil, request.cells != nil {
      throw HTTPFault(400, "label contradicts aggregate, which draws no features to label")
    }
    return MapStyling(request: style, changes: try classChanges())
  }

  /// Whether a symbol has the address of an image, which is not the image itself.
  private static func namesFile(_ symbol: JSONValue) -> Bool {
    if let elements = symbol.array { return elements.contains(where: namesFile) }
    return (symbol.object?.members ?? []).contains { member in
      member.name == "url" && !(member.value.string?.hasPrefix("data:") ?? false) || namesFile(member.value)
    }
  }

  /// Returns the view of an image, whose pixel ratio may be given in pixels per inch.
  func imageView() throws -> ViewRequest {
    var request = try view()
    if let dpi = parameters["dpi"]?.double {
      guard (96...384).contains(dpi) else { throw HTTPFault(400, "dpi is \(dpi); it must be 96 to 384") }
      guard parameters["pixelRatio"] == nil else {
        throw HTTPFault(400, "dpi contradicts pixelRatio; give one of them")
      }
    }
    request.applyMedium(dotsPerInch: parameters["dpi"]?.double)
    return try checked(request)
  }

  /// Returns the output pixels per inch that an image states; nil for none.
  func dotsPerInch() throws -> Double? {
    var request = try view()
    return request.applyMedium(dotsPerInch: parameters["dpi"]?.double)
  }

  /// Sets the background, the basemap, the graticule and the cells of a view.
  func setDrawing(of request: inout ViewRequest) throws {
    let drawing = try DrawingRequest(node)
    (request.background, request.cells) = (drawing.background, drawing.cells)
    (request.showsBasemapNames, request.showsGraticule) = (drawing.basemapNames, drawing.graticule)
    // The parameter takes no files.
    if case .style(let style) = drawing.basemap {
      request.basemap = .some(style)
    } else if drawing.noBasemap {
      request.basemap = .some(nil)
    }
  }

  /// Returns the options of an SVG image.
  ///
  /// - Throws: ``HTTPFault`` for another format.
  func svgOptions(_ format: String) throws(HTTPFault) -> SVGOptions {
    var options = SVGOptions()
    (options.writesText, options.writesIDs) = (boolean("svgText"), boolean("svgIds"))
    for name in ["svgText", "svgIds"] where boolean(name) && format != "svg" {
      throw HTTPFault(400, "\(name) needs format=svg")
    }
    if options.writesIDs, parameters["aggregate"] != nil {
      throw HTTPFault(400, "svgIds contradicts aggregate, whose cells are not features")
    }
    return options
  }
}
