import ArgumentParser
import MapReaders
import MapScript
import MapState
import MapSystem

struct TilesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tiles", abstract: "Draw a map as PNG tiles in Web Mercator.",
    usage: "mapstate tiles <source> -o <path> --zoom <z> --bounds <area> [<options>]",
    discussion: """
      Writes a folder {z}/{x}/{y}.png with a TileJSON file and a preview page, an .mbtiles file or a .pmtiles archive, \
      by the ending of the path: a folder has none, or / at its end. \
      An interrupted run continues: it keeps the tiles that exist. Until an archive is complete, its tiles are in FILE.tiles. \
      --pixel-ratio 2 writes tiles of 512 pixels; in a folder, they are {y}@2x.png.

      EXAMPLES:
        mapstate tiles Styles/world-cities.json -o cities --zoom 0-1 \\
          --bounds -180,-85,180,85
        mapstate tiles Styles/world-cities.json -o europe.pmtiles --zoom 4 \\
          --bounds -10,35,30,60
      """)

  @OptionGroup(title: HelpGroup.output) var output: TilesOutput
  @OptionGroup(title: HelpGroup.drawing) var fonts: FontOptions
  @OptionGroup(title: HelpGroup.style) var style: StyleOptions
  @OptionGroup var map: MapOptions
  @OptionGroup(title: HelpGroup.filters) var conditions: ConditionOptions
  @OptionGroup(title: HelpGroup.layers) var unavailable: UnavailableLayers
  @OptionGroup(title: HelpGroup.limits) var threads: ThreadOptions

  func validate() throws {
    if output.aggregate != nil {
      throw ValidationError(
        "--aggregate contradicts tiles: the colours of each image start from its own greatest count. "
          + "Draw one image with render --aggregate, or give the document clusters.")
    }
    let shape = map.shape
    let given = [
      ("--viewpoint", shape.viewpoint != nil), ("--fit", shape.fit != nil), ("--size", shape.size != nil),
      ("--for", shape.medium != nil),
      ("--padding", shape.padding != nil), ("--rotation", shape.rotation != nil),
      ("--reference", shape.reference != nil),
    ]
    if let (name, _) = given.first(where: \.1) {
      throw ValidationError(
        "\(name) cannot be combined with tiles, which have their own views: "
          + "give only --zoom, --bounds and --pixel-ratio.")
    }
    guard [1, 2].contains(shape.pixelRatio) else {
      throw ValidationError("--pixel-ratio of tiles must be 1, or 2 for tiles @2x.")
    }
  }

  func run() async throws {
    guard output.bounds.spatialReference == .wgs84 else {
      throw MapStateError(.usage, "--bounds of tiles are in degrees; leave the WKID out")
    }
    var export = try TileExport(
      zooms: output.zoom.range,
      bounds: [output.bounds.xMin, output.bounds.yMin, output.bounds.xMax, output.bounds.yMax],
      pixelRatio: map.shape.pixelRatio == 2 ? 2 : 1)
    export.threads = threads.count
    var choice = map.choice(.visible)
    choice.skipsUnavailable = unavailable.areSkipped
    let fonts = try fonts.fonts()
    let style = style.request
    let request = map.request(bounds: nil, conditions: conditions.clauses)
    var document = try await map.open(
      FieldSelection(map, style, names: conditions.fieldNames), choice, fonts: fonts)
    document = try await map.styled(document, style, for: request, fonts: fonts)
    document.map.fonts = fonts
    let form = try TileExport.Form(path: output.path)
    let shown = map.request(bounds: output.bounds, conditions: conditions.clauses)
    try await self.fonts.warnOfUse(in: document, shown)
    map.warnOfDrawing(document, shown, style)
    let (path, all, opened) = (output.path, export, document)
    let warnings = try await Progress.counting("drawing tiles") { report async throws(MapStateError) in
      try await all.write(opened, request, to: path, as: form) {
        report(Progress.Part(done: $0.done, made: $0.drawn, count: $0.count))
      }
    }
    for warning in warnings { Warnings.add(warning) }
  }
}

/// The tiles to write.
struct TilesOutput: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Folder, .mbtiles file or .pmtiles archive to write.", valueName: "path"),
    completion: .file())
  var path: String
  @Option(
    help: ArgumentHelp("Zoom levels, such as 0-5 or 7.", valueName: "z"),
    transform: { try ZoomRange(text: $0) })
  var zoom: ZoomRange
  @Option(
    name: .customLong("bounds"), parsing: .unconditional,
    help: ArgumentHelp("Area of the tiles in degrees.", valueName: "west,south,east,north"),
    transform: { try RequestedExtent.envelope(text: $0) })
  var bounds: Envelope
  @Option(help: .hidden)
  var aggregate: String?

  func validate() throws {
    do { _ = try TileExport.Form(path: path) } catch { throw ValidationError("-o \(error).") }
  }
}
