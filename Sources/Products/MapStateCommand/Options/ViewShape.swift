import ArgumentParser
import MapScript
import MapState

/// The options that set the size and the viewpoint of the view.
package struct ViewShape: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Size in view pixels (1/96 inch) or of paper, such as A4-landscape or 210x297mm; default: 800x600.",
      valueName: "WxH"),
    transform: { try ViewSize(text: $0) })
  var size: ViewSize?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Output pixels per view pixel, 1 to 4.", valueName: "ratio"))
  var pixelRatio = 1.0
  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp(
      "Medium of the image, which sets its resolution and the size of what is drawn.",
      valueName: "medium"))
  var medium: ImageMedium?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Centre in degrees, scale denominator and counterclockwise rotation in degrees.",
      valueName: "lat,lon,scale[,rotation]"),
    transform: { try ViewpointText(text: $0) })
  var viewpoint: ViewpointText?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Zoom to the layer's features that match its definition expression; all shows everything.",
      valueName: "layer"))
  var fit: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Margin around the shown extent or features, in view pixels; default: 0.", valueName: "pixels"))
  var padding: NumberOption?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Counterclockwise rotation in degrees; default: the document's.", valueName: "degrees"))
  var rotation: NumberOption?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Spatial reference of the map, a WKID, a code such as EPSG:25832, or WKT; default: the document's.",
      valueName: "wkid"),
    transform: { try SpatialReference(text: $0) })
  var reference: SpatialReference?

  package init() {}

  var viewSize: ViewSize { size ?? ViewRequest().size }

  package func validate() throws {
    if viewpoint != nil, fit != nil {
      throw ValidationError("--viewpoint and --fit cannot be combined: both set the view; give one of them.")
    }
    if let padding = padding?.value, padding < 0 {
      throw ValidationError("--padding is \(padding); it must be 0 or more.")
    }
    if rotation != nil, viewpoint?.rotation != nil {
      throw ValidationError("--rotation contradicts the rotation of --viewpoint; give one of them.")
    }
    if padding != nil, viewpoint != nil {
      throw ValidationError(
        "--padding cannot be combined with --viewpoint: it applies to a fitted extent.")
    }
    do {
      _ = try MapView.pictureSize(
        width: viewSize.width, height: viewSize.height, pixelRatio: pixelRatio)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
