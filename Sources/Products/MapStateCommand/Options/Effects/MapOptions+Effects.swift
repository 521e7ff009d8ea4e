import MapScript
import MapState
import MapSystem

/// The warnings about options that have no effect on an answer or an image.
extension MapOptions {
  /// Warns of options of the view where a question searches no view.
  func warnOfUnusedView() {
    let given = [
      ("--size", shape.size != nil), ("--pixel-ratio", shape.pixelRatio != 1),
      ("--for", shape.medium != nil), ("--viewpoint", shape.viewpoint != nil), ("--fit", shape.fit != nil),
      ("--padding", shape.padding != nil), ("--rotation", shape.rotation != nil),
    ]
    for (name, isGiven) in given where isGiven {
      Warnings.add("\(name) has no effect: the question searches no view; --in-view searches one")
    }
  }

  /// Warns of `--hide` and `--show` where an answer counts hidden layers, too.
  func warnOfVisibility() {
    for (name, layers) in [("--hide", layers.hide), ("--show", layers.show)] where !layers.isEmpty {
      Warnings.add(
        "\(name) has no effect on this answer, which counts hidden layers, too; --only asks named layers alone"
      )
    }
  }

  /// Warns of a centre that the map has no position for.
  func warnOfPlace(_ document: MapDocument, _ request: ViewRequest) {
    let reference = request.reference ?? document.map.spatialReference
    if let warning = request.placeWarning(on: reference) { Warnings.add("--viewpoint: \(warning)") }
  }

  /// Warns of a number of pixels for a file of shapes.
  func warnOfResolution(of path: String, dotsPerInch: Double?) {
    let ending = FilePath.pathExtension(of: path)
    guard ["svg", "pdf"].contains(ending) else { return }
    for (name, isGiven) in [
      ("--pixel-ratio", shape.pixelRatio != 1), ("--dpi", dotsPerInch != nil),
      ("--for print", shape.medium == .print),
    ] where isGiven {
      Warnings.add(
        "\(name) has no effect on the shapes of a file with the ending .\(ending), only on images in it")
    }
  }

  /// Warns of padding and of the named layer where neither changes an image.
  ///
  /// - Parameter style: The style, whose values without a name are for the named layer.
  func warnOfDrawing(
    _ document: MapDocument, _ request: ViewRequest, _ style: StyleRequest = StyleRequest()
  ) {
    warnOfPadding(document, request)
    warnOfPlace(document, request)
    let hasClause = !(request.definitions + request.conditions + request.displayFilters).isEmpty
    // The default view shows the named layer.
    let hasPlace = request.place != nil || document.map.initialViewpoint != nil
    if let layer = layers.layer, !hasClause, hasPlace, style == StyleRequest() {
      Warnings.add(
        "--layer \"\(layer)\" has no effect on this image: it is for --definition, --where and --display-filter; "
          + "--only draws a layer alone")
    }
  }
}

extension RenderCommand {
  /// Warns of options for drawing that do not change the image.
  func warnOfDrawing(_ document: MapDocument, _ view: ViewState) {
    if drawing.missingTiles != .blank, document.map.tiledLayers.isEmpty,
      document.map.vectorTiledLayers.isEmpty
    {
      Warnings.add("--missing-tiles has no effect: the map has no layer of tiles")
    }
    if !drawing.fonts.font.isEmpty, !hasText(view) {
      Warnings.add("--font has no effect: the image has no text")
    }
    if output.svgText, view.drawsNames {
      Warnings.add("--svg-text: names of styles are written as outlines")
    }
    if !map.layers.idsOf.isEmpty, !output.svgIds {
      Warnings.add("--ids-of has no effect: it is for --svg-ids and for records of snapshots")
    }
    map.warnOfResolution(of: output.image, dotsPerInch: output.dpi?.value)
    if output.isVector, drawing.painter == .reference {
      Warnings.add("--painter has no effect: SVG and PDF files are not painted")
    }
  }

  private func hasText(_ view: ViewState) -> Bool { layout.request != LayoutRequest() || view.drawsText }
}
