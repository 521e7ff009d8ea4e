package import ArgumentParser
import MapReaders
import MapScript
package import MapState
import MapSystem

package struct CountCommand: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Count features, by default those in the visible extent.",
    usage: "mapstate count <source> [<options>]",
    discussion: """
      Counts the features of each layer. Applies the definition expression; ignores the display filter. A plain data \
      file has no viewpoint, so all its features are counted unless an option sets an extent.

      --by-class counts the features of each class of the renderer: a line with the class, a tab and the number. The \
      last line is "(no class)", features without a symbol. The sum is the count, but a feature counts in each rule \
      that it matches. With --funnel, each class also has its drawn number. --color-by chooses the classes of a data \
      file, and --style those of a file with a style.

      --funnel counts in stages: total, definition, extent, time, scale, display, invisible, drawn and edge. Each \
      stage up to display applies its own condition and all earlier ones. Of the features of display, those of the \
      stage "invisible" change no pixel of the image, and those of "drawn" change some. edge counts features outside \
      the view whose symbols reach into the view. A layer with labels also has the stage "labelled", its features with a \
      label. Without --funnel, count prints only the number of the stage "extent".

      --funnel --filters all prints the funnel in three modes, in one view: without the document's filters, with the \
      definition expression alone, and with the display filter alone.

      \(RelationHelp.text)

      EXAMPLES:
        mapstate count Styles/world-cities.json
        mapstate count Styles/data/world-cities.csv --where "POP > 5000000"
        mapstate count Styles/san-francisco-incidents.json --layer Incidents --funnel
        mapstate count Styles/san-francisco-incidents.json --funnel --filters all
        mapstate count Styles/us-counties.json --layer Counties --by-class
      """)

  @OptionGroup(title: HelpGroup.question) package var question: QuestionOptions
  @OptionGroup(title: HelpGroup.question) var list: ExtentListOption
  @OptionGroup(title: HelpGroup.view) package var zoom: ZoomOption
  @OptionGroup(title: HelpGroup.output) var output: CountOutput
  @OptionGroup(title: HelpGroup.style) package var style: ColorOptions
  @OptionGroup package var map: MapOptions

  package init() {}

  package func validate() throws {
    try zoom.check(map)
    if output.funnel || output.byClass, list.extents != nil {
      throw ValidationError(
        "\(output.funnel ? "--funnel" : "--by-class") cannot be combined with --extents: it counts in one extent."
      )
    }
    if style.request != StyleRequest(), !output.byClass, !(style.request.readsFiles && output.funnel) {
      let option =
        style.request.readsFiles
        ? "--style"
        : style.request.hasColorBy ? "--color-by" : style.request.hatch != nil ? "--hatch" : "--ramp"
      throw ValidationError("\(option) needs --by-class in a count.")
    }
    if list.extents != nil, question.everywhere || question.bounds != nil || question.inView {
      throw ValidationError(
        "--extents cannot be combined with --bounds, --in-view or --everywhere: each sets the extent; "
          + "give one of them.")
    }
    if map.filters.filters == .all, output.expect != nil || output.byClass {
      throw ValidationError(
        "--filters all cannot be combined with \(output.byClass ? "--by-class" : "--expect"): give one mode.")
    }
    if output.expect != nil, list.extents != nil {
      throw ValidationError("--expect cannot be combined with --extents: it compares one count.")
    }
  }

  package func run() async throws {
    let isOne = output.expect != nil || list.extents != nil
    let asked = try await question.ask(
      map, FieldSelection(map, style.request, question), isOne ? .single : .all,
      needsView: output.funnel, asksManyExtents: list.extents != nil,
      asksRows: !output.funnel && !output.byClass, countsValues: !output.funnel && !output.byClass,
      style: style.request, zoom: zoom.value)
    if let extents = list.extents {
      let lines = try await ExtentList.read(extents)
      for (index, line) in lines.enumerated() {
        if let note = RequestedExtent.widthNote(line) {
          Warnings.note("--extents, extent \(index + 1): \(note)")
        }
      }
      let counts = try await asked.view.counts(of: asked.layer, asked.question, inEach: lines)
      await map.warnOfAnswers(in: asked.document, asked.view)
      return try StandardOutput.write(CountTable.text(counts: counts, lines, format: output.format))
    }
    guard map.filters.filters != .all else { return try await compareFilters(asked) }
    let answer = try await answer(asked)
    await map.warnOfAnswers(in: asked.document, asked.view)
    for warning in answer.warnings { Warnings.add(warning) }
    for note in answer.notes { Warnings.note(note) }
    asked.noteTexts(
      count: answer.layers.reduce(0) { $0 + $1.count }, byClass: output.byClass || output.funnel)
    try StandardOutput.write(CountTable.text(answer, format: output.format))
    if let count = answer.layers.first?.count, let failure = output.expect?.failure("a count of", count) {
      throw MapStateError(.expectation, failure)
    }
  }

  /// Prints the funnel in each mode of the filters, in one view.
  private func compareFilters(_ asked: AskedQuestion) async throws(MapStateError) {
    var answers: [(mode: FilterMode, answer: CountAnswer)] = []
    for mode in FilterChoice.compared {
      var request = map.request(bounds: nil)
      let viewpoint = asked.view.viewpoint
      request.place = .center(viewpoint.center, scale: viewpoint.scale)
      (request.rotation, request.filterMode, request.time) = (viewpoint.rotation, mode, nil)
      let view = try await asked.document.view(request).freeze()
      let inMode = AskedQuestion(
        document: asked.document, view: view, question: asked.question, layers: asked.layers)
      answers.append((mode, try await answer(inMode)))
    }
    await map.warnOfAnswers(in: asked.document, asked.view)
    try StandardOutput.write(CountTable.text(answers, format: output.format))
  }

  /// Counts the features of the selected layers.
  package func answer(_ asked: AskedQuestion) async throws(MapStateError) -> CountAnswer {
    var options = CountOptions()
    (options.question, options.funnel, options.layers) = (asked.question, output.funnel, asked.layers)
    options.byClass = output.byClass
    return asked.document.joined(try await asked.view.counts(options), layers: asked.layers)
  }
}

/// The option for many counts.
struct ExtentListOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Count in each extent of a file, one per line; - reads standard input.", valueName: "file"),
    completion: .file())
  var extents: String?
}

/// The options for the answer of `count`.
struct CountOutput: ParsableArguments {
  @Option(help: "Format of the answer.")
  var format: OutputFormat = .text
  @Flag(help: "Count the features at each stage of filtering.")
  var funnel = false
  @Flag(help: "Count the features of each class of the renderer.")
  var byClass = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Exit with 1 if the count is not N, or not between A and B.", valueName: "n|a..b"),
    transform: { try Expectation(text: $0) })
  var expect: Expectation?
}

/// Envelopes from a file, one per line.
enum ExtentList {
  static func read(_ path: String) async throws(MapStateError) -> [Envelope] {
    let bytes: [UInt8]
    do { bytes = try FileAccess.read(path) } catch { throw MapStateError(error) }
    var envelopes: [Envelope] = []
    // Windows tools begin a file with a byte order mark.
    let text = String(
      decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...], as: UTF8.self)
    // Not by "\n", since a carriage return and a line feed are one character.
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let trimmed = String(line.filter { !$0.isWhitespace })
      if trimmed.isEmpty { continue }
      do {
        envelopes.append(try RequestedExtent.envelope(text: trimmed))
      } catch {
        // Never quotes the line: the path may name a file with private content.
        throw MapStateError(error.kind, "\(path): line \(index + 1): \(error)")
      }
    }
    return envelopes
  }
}
