import ArgumentParser
import MapConversion
import MapScript
import MapState
import MapSystem

struct ConvertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Write a map as a MapLibre style, or a layer as an SLD.",
    usage: "mapstate convert <source> -o <file> [<options>]",
    discussion: """
      Writes the layers with features as a style whose sources are GeoJSON within it, and the view as its centre and \
      zoom. Symbols that are no circles, lines or plain areas become images beside the style, STYLE-sprite.png with \
      its index, and the letters of labels STYLE-FONT-RANGE.pbf. Each part of the document that the style says otherwise or not at all is \
      a warning with its path. Basemaps are not written.

      A file whose name ends in .sld gets the rules, symbols and labels of one layer as a Styled Layer Descriptor 1.1, \
      without its features.

      EXAMPLES:
        mapstate convert Styles/us-counties.json -o counties.style.json
        mapstate convert Styles/world-cities.json -o cities.style.json \\
          --report losses.json
        mapstate convert Styles/us-counties.json --layer Counties -o counties.sld
      """)

  @OptionGroup(title: HelpGroup.output) var output: ConvertOutput
  @OptionGroup var map: MapOptions
  @OptionGroup(title: HelpGroup.view) var bounds: ViewBounds
  @OptionGroup(title: HelpGroup.view) var zoom: ZoomOption
  @OptionGroup(title: HelpGroup.layers) var unavailable: UnavailableLayers

  func validate() throws {
    try bounds.check(map)
    try zoom.check(map, bounds: bounds.envelope != nil)
  }

  func run() async throws {
    var choice = map.choice(.all)
    (choice.skipsUnavailable, choice.skipsHiddenUnavailable) = (unavailable.areSkipped, true)
    choice.readsBasemap = false
    let document = try await map.open(.all, choice)
    guard document.style == nil else {
      throw MapStateError(.input, "\(map.source): is a style already; convert takes a map or a data file")
    }
    let request = map.request(bounds: bounds.envelope, zoom: zoom.value)
    if output.isStyledLayer {
      map.warnOfPadding(document, request)
    } else {
      map.warnOfDrawing(document, request)
    }
    let view = try await document.view(request).freeze()
    guard !output.isStyledLayer else { return try await writeStyledLayer(document, view) }
    let style = try await Progress.showing("converting") { () async throws(MapStateError) in
      try await ConvertedStyle(document, view: view, addresses: output.addresses)
    }
    for loss in style.losses { Warnings.add(loss) }
    warnOfOptions(style)
    await map.warnOfAnswers(in: document, view)
    var files = [(style.bytes, output.file)]
    files += try otherFiles(of: style)
    if let report = output.report {
      let json = style.report(document.losses.map(\.json), warnings: Warnings.json, files: files.map(\.1))
      files.append((Array((Warnings.noting(json).text(style: .pretty) + "\n").utf8), report))
    }
    do { try FileAccess.write(files, keeping: document.inputs) } catch { throw MapStateError(error) }
  }
}

extension ConvertCommand {
  /// Returns the files beside the style: its images and glyphs.
  ///
  /// - Throws: `MapStateError` of kind usage for images beside standard output.
  private func otherFiles(of style: ConvertedStyle) throws(MapStateError) -> [([UInt8], String)] {
    var files: [([UInt8], String)] = []
    for item in SpriteSheet.ratios where !style.sprite.isEmpty {
      guard output.file != "-" else {
        throw MapStateError(.usage, "-o -: the style has images, which are files beside it; name a file")
      }
      let (index, image) = try style.sprite.files(ratio: item.ratio)
      let path = output.path("sprite\(item.ending)")
      files.append((Array((index.text(style: .pretty) + "\n").utf8), "\(path).json"))
      files.append((try image.pngData(), "\(path).png"))
    }
    guard output.writesGlyphs else { return files }
    return files + style.glyphs.files.map { ($0.bytes, output.path("\($0.stack)-\($0.range).pbf")) }
  }

  /// Writes the style of one layer as a Styled Layer Descriptor.
  private func writeStyledLayer(_ document: MapDocument, _ view: ViewState) async throws {
    let index = try document.layerIndex(named: map.layers.layer ?? map.layers.only.first)
    let style = try LayerAsStyle(view.layers[index])
    for loss in style.losses { Warnings.add(loss) }
    for (name, isSet) in [("--glyphs", output.glyphs != nil), ("--address", output.address != nil)]
    where isSet {
      Warnings.add("\(name) has no effect: a Styled Layer Descriptor has no glyphs and no addresses")
    }
    await map.warnOfAnswers(in: document, view)
    var files = [(style.bytes, output.file)]
    if let report = output.report {
      let json = style.report(warnings: Warnings.json, file: output.file)
      files.append((Array((Warnings.noting(json).text(style: .pretty) + "\n").utf8), report))
    }
    do { try FileAccess.write(files, keeping: document.inputs) } catch { throw MapStateError(error) }
  }

  /// Warns of options that change nothing in the style.
  private func warnOfOptions(_ style: ConvertedStyle) {
    if map.shape.pixelRatio != 1 {
      Warnings.add("--pixel-ratio has no effect: a style is for all pixel ratios")
    }
    if output.glyphs != nil, !style.hasLabels {
      Warnings.add("--glyphs has no effect: the style has no labels")
    }
    if output.address != nil, style.sprite.isEmpty, !style.hasLabels || output.glyphs != nil {
      Warnings.add("--address has no effect: the style names no file")
    }
  }
}

/// The files of a conversion, and the addresses in them.
struct ConvertOutput: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Style to write (JSON or .sld); - is standard output, for a style without images.", valueName: "file"),
    completion: .file())
  var file: String
  @Option(
    help: ArgumentHelp("Write the losses and warnings to a JSON file.", valueName: "file"),
    completion: .file())
  var report: String?
  @Option(
    help: ArgumentHelp(
      "Address of the folder where the files will be, to which addresses in the style are absolute.",
      valueName: "url"))
  var address: String?
  @Option(
    help: ArgumentHelp(
      "Address of other glyphs, with {fontstack} and {range}; default: Noto Sans, written beside the style.",
      valueName: "url"))
  var glyphs: String?

  func validate() throws {
    for name in ["{fontstack}", "{range}"] where glyphs?.contains(name) == false {
      throw ValidationError("--glyphs needs \(name) in its address.")
    }
    if let address, !address.contains("://") {
      throw ValidationError("--address needs a whole address, such as https://example.org/map.")
    }
  }

  /// Whether the file gets a Styled Layer Descriptor.
  var isStyledLayer: Bool { file.lowercased().hasSuffix(".sld") }

  /// Whether glyphs are written beside the style.
  var writesGlyphs: Bool { glyphs == nil && file != "-" }

  /// Returns the path of a file beside the style.
  func path(_ ending: String) -> String { FilePath.join(FilePath.folder(of: file), name(ending)) }

  private func name(_ ending: String) -> String { "\(FilePath.stem(of: file))-\(ending)" }

  /// The addresses in the style.
  var addresses: ConvertedStyle.Addresses {
    let folder = address.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
    return ConvertedStyle.Addresses(
      sprite: folder + name("sprite"), glyphs: glyphs ?? folder + name("{fontstack}-{range}.pbf"),
      hasGlyphs: file != "-" || glyphs != nil)
  }
}
