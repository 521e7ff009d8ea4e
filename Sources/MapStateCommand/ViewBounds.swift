import ArgumentParser
import MapState

/// The option `--bounds` of commands that draw: the extent that the view shows at least.
struct ViewBounds: ParsableArguments {
  @Option(
    name: .customLong("bounds"), parsing: .unconditional,
    help: ArgumentHelp(
      "Extent to show, in degrees unless a WKID is given.", valueName: "xmin,ymin,xmax,ymax[,wkid]"),
    transform: { try RequestedExtent.envelope(text: $0) })
  var envelope: Envelope?

  /// Refuses options that say twice where to look.
  func check(_ map: MapOptions) throws {
    if envelope != nil, map.viewpoint != nil || map.fit != nil {
      throw ValidationError("--viewpoint, --bounds and --fit each say where to look; give one of them.")
    }
  }
}
