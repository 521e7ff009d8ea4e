import ArgumentParser
import MapScript
import MapState
import MapSystem

struct SeriesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "series", abstract: "Draw one image for each feature of a layer.",
    usage: "mapstate series <source> --by <layer> -o <template> [<options>]",
    discussion: """
      Reads the data once. Each image shows one feature that matches the definition expression of its layer, with a \
      margin of 6 %. Fields in braces are replaced by values of the feature, in the path and in the titles. A file with \
      the ending .pdf and without fields gets one page for each feature.

      EXAMPLES:
        mapstate series Styles/us-counties.json --by States -o '{NAME}.png' --legend
      """)

  @OptionGroup(title: HelpGroup.output) var output: SeriesOutput
  @OptionGroup(title: HelpGroup.layout) var layout: LayoutOptions
  @OptionGroup var map: MapOptions
  @OptionGroup(title: HelpGroup.layers) var unavailable: UnavailableLayers
  @OptionGroup(title: HelpGroup.limits) var threads: ThreadOptions

  func run() async throws {
    var choice = map.choice(.visible)
    choice.names.append(output.by)
    choice.skipsUnavailable = unavailable.areSkipped
    let template = try NameTemplate(output.images)
    let titles = [try NameTemplate(layout.title ?? ""), try NameTemplate(layout.subtitle ?? "")]
    let fields = template.fields + titles.flatMap(\.fields)
    let document = try await map.open(FieldSelection(map, names: fields), choice)
    for warning in layout.request.warnings { Warnings.add(warning) }
    let series = try await MapSeries(
      document, by: output.by, path: output.images, map.request(bounds: nil), layout.request.layout())
    for warning in series.warnings { Warnings.add(warning) }
    if series.items.isEmpty { Warnings.add("layer \"\(output.by)\" has no feature to draw") }
    var pages: [MapPage] = []
    var reports: [JSONValue] = []
    let suffix = FilePath.pathExtension(of: output.images)
    let isOneFile = suffix == "pdf" && template.fields.isEmpty
    for item in series.items {
      let page = try await series.page(item)
      guard !isOneFile else {
        for warning in page.warnings { Warnings.add("feature \(item.objectID): \(warning)") }
        pages.append(page)
        continue
      }
      let rendered = try await page.render(threads: threads.count)
      for warning in rendered.report.allWarnings { Warnings.add("\(item.path): \(warning)") }
      do {
        let image =
          switch suffix {
          case "svg": try await page.svgData()
          case "pdf": try await page.pdfData()
          default: try rendered.bitmap.pngData()
          }
        let folder = FilePath.folder(of: item.path)
        if !FileAccess.exists(folder) { try FileAccess.makeFolder(folder) }
        try FileAccess.write([(image, item.path)], keeping: document.inputs)
      } catch {
        throw MapStateError(error)
      }
      if output.report != nil {
        reports.append([
          "file": .string(item.path), "id": .number(Int(item.objectID)), "report": rendered.report.json,
        ])
      }
    }
    do {
      if isOneFile, !pages.isEmpty {
        try FileAccess.write(
          [(try await MapPage.pdfData(of: pages), output.images)], keeping: document.inputs)
      }
      if let report = output.report {
        let json: JSONValue = ["images": .array(reports)]
        try FileAccess.write(
          [(Array((json.text(style: .pretty) + "\n").utf8), report)], keeping: document.inputs)
      }
    } catch {
      throw MapStateError(error)
    }
  }
}

/// The files that `series` writes.
struct SeriesOutput: ParsableArguments {
  @Option(
    help: ArgumentHelp("Layer with a feature for each image, by title, id or index.", valueName: "layer"))
  var by: String
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "PNG, SVG or PDF file of each image, with fields in braces.", valueName: "template"))
  var images: String
  @Option(
    help: ArgumentHelp("Write the report of each image as JSON.", valueName: "file"), completion: .file())
  var report: String?

  func validate() throws {
    do {
      try PictureFile.check(images, others: ["svg", "pdf"])
      guard images != "-" else { throw MapStateError(.usage, "a series needs files") }
      _ = try NameTemplate(images)
    } catch {
      throw ValidationError("-o \(error).")
    }
  }
}
