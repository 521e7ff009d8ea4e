import ArgumentParser
import MapScript
import MapState
import MapSystem

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run steps (open, zoom, count, render, …) from a file or a pipe.",
    usage: "mapstate run <script> [<options>]",
    discussion: """
      A step is a JSON object with "step", an optional "id" and the fields of the step. The answer to each step is one \
      line of JSON. Relative sources are looked up in the folder of the script, then in the current folder.

      Selection fields select features. They are layer, everywhere, inView, bounds, where, cql2, propertyCase, \
      geometry, relation and time.

      The steps and their fields:

      open: source, size, pixelRatio, skipUnavailable
      viewpoint: center and scale, or bounds, or fit and padding; optional: rotation
      pan, zoom, rotate: by (pan: view pixels; zoom: a factor; rotate: degrees)
      filter: layer; definition, display or mode
      visibility: layer, visible
      time: time (START/END; without it, all times)
      count: selection fields; funnel
      statistics: selection fields; statistics, groupBy, orderBy
      query: selection fields; outFields, orderBy, offset, maxFeatures, returnsGeometry, idsOnly, extentOnly, \
      countOnly, outWkid, maxOffset
      select: selection fields; mode
      identify: layer, at, tolerance, maximum
      render: output
      expect: layer, count, drawn, image
      close: no fields

      EXAMPLES:
        mapstate run Styles/san-francisco-incidents.run
        echo '{"step": "open", "source": "Styles/us-counties.json"}' | mapstate run -
      """)

  @Argument(
    help: "File of steps, as JSON lines or one JSON list, or - for standard input.", completion: .file())
  var script: String
  @OptionGroup(title: HelpGroup.services) var sources: SourceOptions
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions
  @OptionGroup(title: HelpGroup.limits) var threads: ThreadOptions

  func run() async throws {
    var session = MapSession(
      folder: script == "-" ? "." : FilePath.folder(of: script),
      catalog: try sources.catalog(), threads: threads.count)
    var failure: MapStateError?
    var number = 0
    func print(_ answer: MapSession.Answer) throws {
      number += 1
      try StandardOutput.write(answer.json.text() + "\n")
      let warnings = answer.json["warnings"] ?? answer.json["report"]?["warnings"]
      for warning in warnings?.array ?? [] { Warnings.add(warning.string ?? "") }
      if let error = answer.failure {
        StandardError.report(error, at: (script == "-" ? "" : "\(script): ") + "step \(number)")
        failure = failure ?? error
      }
    }
    if script == "-" {
      while let line = readLine() {
        guard line.contains(where: { !$0.isWhitespace }) else { continue }
        try print(await session.answer(toLine: line))
      }
    } else {
      for line in try StepList.read(script) { try print(await session.answer(toLine: line)) }
    }
    if let failure { throw ExitCode(failure.kind.exitCode) }
  }
}

/// Steps from a script file.
enum StepList {
  /// One step per element, from a file of JSON lines or of one JSON list.
  static func read(_ path: String) throws(MapStateError) -> [String] {
    let bytes: [UInt8]
    do { bytes = try FileAccess.read(path) } catch { throw MapStateError(error) }
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    if bytes.first(where: { !blank.contains($0) }) == UInt8(ascii: "[") {
      do {
        return try JSONValue(parsing: bytes).array?.map { $0.text() } ?? []
      } catch {
        throw MapStateError(.input, "\(path): \(error)")
      }
    }
    return bytes.split(separator: 0x0A).filter { $0.contains { !blank.contains($0) } }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
