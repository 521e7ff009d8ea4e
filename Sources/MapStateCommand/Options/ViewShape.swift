import ArgumentParser
import MapState

/// The options that set the size and the viewpoint of the view.
package struct ViewShape: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Size in view pixels (1/96 inch); default: 800x600.", valueName: "WxH"),
    transform: { try ViewSize.read($0) })
  var size: ViewSize?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Output pixels per view pixel, 1 to 4.", valueName: "ratio"))
  var pixelRatio = 1.0
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Centre in degrees, scale denominator and counterclockwise rotation in degrees.",
      valueName: "lat,lon,scale[,rotation]"),
    transform: { try ViewpointOption.read($0) })
  var viewpoint: ViewpointOption?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Zoom to the layer's features that match its definition expression.", valueName: "layer"))
  var fit: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Margin around the shown extent or features, in view pixels; default: 0.", valueName: "pixels"))
  var padding: NumberOption?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Spatial reference of the map, an EPSG or Esri WKID; default: the document's.",
      valueName: "wkid"))
  var reference: ReferenceOption?

  package init() {}

  var width: Double { size?.width ?? 800 }
  var height: Double { size?.height ?? 600 }

  package func validate() throws {
    if viewpoint != nil, fit != nil {
      throw ValidationError("--viewpoint and --fit cannot be combined: both set the view; give one of them.")
    }
    if let padding = padding?.value, padding < 0 {
      throw ValidationError("--padding is \(padding); it must be 0 or more.")
    }
    if padding != nil, viewpoint != nil {
      throw ValidationError(
        "--padding cannot be combined with --viewpoint: it applies to a fitted extent.")
    }
    do {
      _ = try MapView.pictureSize(width: width, height: height, pixelRatio: pixelRatio)
    } catch {
      throw ValidationError("\(error)")
    }
    if let viewpoint, case .center(let point, let scale) = viewpoint.viewpoint.target {
      if !ResolvedViewpoint.scaleLimits.contains(scale) {
        throw ValidationError("--viewpoint has scale \(scale); it must be 0.001 to 10,000,000,000.")
      }
      if abs(point.y) > 90 {
        throw ValidationError("--viewpoint has latitude \(point.y); it must be -90 to 90.")
      }
    }
  }
}
