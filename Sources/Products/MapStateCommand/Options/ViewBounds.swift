import ArgumentParser
import MapScript
import MapState

/// The option `--bounds` of commands that draw.
struct ViewBounds: ParsableArguments {
  @Option(
    name: .customLong("bounds"), parsing: .unconditional,
    help: ArgumentHelp(
      "Area that must be visible, in degrees unless a WKID is given; the view may show more.",
      valueName: "xmin,ymin,xmax,ymax[,wkid]"),
    transform: { try RequestedExtent.envelope(text: $0) })
  var envelope: Envelope?

  /// Refuses two options that set the view.
  func check(_ map: MapOptions) throws {
    if envelope != nil, map.shape.viewpoint != nil || map.shape.fit != nil {
      throw ValidationError(
        "--bounds cannot be combined with --viewpoint or --fit: each sets the view; give one of them.")
    }
  }
}

/// The option `--zoom` of commands with one view.
package struct ZoomOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Zoom in the place of the scale: at 0, the world is 512 view pixels wide; --viewpoint then needs no scale.",
      valueName: "z"))
  var zoom: NumberOption?

  package init() {}

  /// The zoom; nil for none.
  package var value: Double? { zoom?.value }

  /// Refuses other options that set the scale.
  ///
  /// - Parameter bounds: whether an area to show is given.
  func check(_ map: MapOptions, bounds: Bool = false) throws {
    guard zoom != nil else { return }
    if map.shape.viewpoint?.hasScale == true {
      throw ValidationError("--zoom contradicts the scale of --viewpoint; give one of them.")
    }
    if bounds || map.shape.fit != nil {
      throw ValidationError(
        "--zoom cannot be combined with \(bounds ? "--bounds" : "--fit"): each sets the scale; give one of them."
      )
    }
  }

  package func validate() throws { try Self.check(zoom) }

  /// Refuses a zoom outside the limits.
  static func check(_ zoom: NumberOption?) throws {
    if let zoom = zoom?.value, !ViewRequest.zooms.contains(zoom) {
      throw ValidationError("--zoom is \(zoom); it must be 0 to 30.")
    }
  }
}
