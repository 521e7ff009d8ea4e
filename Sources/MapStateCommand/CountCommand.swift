import ArgumentParser
import MapState

struct CountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Count the features in the visible extent, layer by layer.",
    discussion: """
      The definition expression holds, the display filter does not. With --funnel every stage from all \
      features to the drawn ones. A plain data file has no view: without a view option all its rows count. \
      --time limits the count; in a funnel it is the stage "time".
      """)

  @OptionGroup var map: MapOptions
  @OptionGroup var question: QuestionOptions
  @Option(
    help: ArgumentHelp(
      "Count in each envelope of a file, one a line; - is standard input.", valueName: "file"))
  var extents: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Exit with 1 unless the count is this, or between A and B.", valueName: "n|a..b"))
  var expect: ExpectedCount?
  @Flag(help: "All stages of the filter funnel.")
  var funnel = false
  @Option(help: "Form of the answer: text, json or csv.")
  var format: OutputFormat = .text

  func validate() throws {
    if funnel, !question.isEmpty || extents != nil {
      throw ValidationError(
        "--funnel is about the view as it is: "
          + "not with --everywhere, --where, --cql2, --extent, --extents or --geometry."
      )
    }
    if extents != nil, question.everywhere || question.extent != nil || question.geometry != nil {
      throw ValidationError(
        "--everywhere, --extent, --extents and --geometry each say where to count; give one of them.")
    }
    if expect != nil, extents != nil {
      throw ValidationError("--expect is for one count; --extents gives many.")
    }
  }

  func run() async throws {
    let document = try await map.open(FieldSelection(map, question))
    let view = try await map.view(of: document)
    var options = CountOptions()
    options.question = try question.question(map: map, document: document, aboutView: funnel)
    options.funnel = funnel
    options.layers = try map.layerIndex(in: document).map { [$0] }
    let state = view.freeze()
    if let extents {
      let lines = try await ExtentList.read(extents)
      let layer = try map.oneLayerIndex(in: document)
      let counts = try await state.counts(of: state.layers[layer], options.question, inEach: lines)
      await map.warnOfAnswers(in: document, state)
      return try StandardOutput.write(CountTable.text(counts: counts, format: format))
    }
    if expect != nil, options.layers == nil { _ = try document.layer(named: nil) }
    let answer = try await state.counts(options)
    await map.warnOfAnswers(in: document, state)
    try StandardOutput.write(CountTable.text(answer, format: format))
    if let expect, let count = answer.layers.first?.count, !expect.range.contains(count) {
      let wanted =
        expect.range.count == 1
        ? "\(expect.range.lowerBound)" : "\(expect.range.lowerBound)..\(expect.range.upperBound)"
      throw MapError(.expectation, "expected a count of \(wanted), found \(count)")
    }
  }
}

/// Envelopes from a file, one a line.
enum ExtentList {
  static func read(_ path: String) async throws(MapError) -> [Envelope] {
    let bytes: [UInt8]
    do { bytes = try FileAccess.read(path) } catch { throw MapError(error) }
    var envelopes: [Envelope] = []
    // Windows tools begin a file with a byte order mark.
    let text = String(
      decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...], as: UTF8.self)
    // Not by "\n": after a carriage return it is part of another character.
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let trimmed = String(line.filter { !$0.isWhitespace })
      if trimmed.isEmpty { continue }
      guard let option = EnvelopeOption(argument: trimmed) else {
        throw MapError(
          .input,
          "\(path): line \(index + 1): expected xmin,ymin,xmax,ymax[,wkid], found \"\(line.prefix(80))\"")
      }
      envelopes.append(option.envelope)
    }
    return envelopes
  }
}
