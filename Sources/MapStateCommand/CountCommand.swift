package import ArgumentParser
package import MapState

package struct CountCommand: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Count the features in the visible extent, layer by layer.",
    discussion: """
      Applies the definition expression; ignores the display filter. With --funnel, counts every stage from all \
      features to the drawn ones; its stage "extent" is the count. A plain data file has no view: without an option \
      that says where to look, all its rows count.
      """)

  @OptionGroup package var map: MapOptions
  @OptionGroup package var question: QuestionOptions
  @Option(
    help: ArgumentHelp(
      "Count in each envelope of a file, one a line; - is standard input.", valueName: "file"))
  var extents: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Exit with 1 unless the count is this, or between A and B.", valueName: "n|a..b"))
  var expect: ExpectedCount?
  @Flag(help: "Count every stage of the filter funnel.")
  var funnel = false
  @Option(help: "Form of the answer: text, json or csv.")
  var format: OutputFormat = .text

  package init() {}

  package func validate() throws {
    if funnel, extents != nil { throw ValidationError("--funnel is for one extent; --extents gives many.") }
    if extents != nil, question.everywhere || question.bounds != nil || question.inView {
      throw ValidationError(
        "--extents, --bounds, --in-view and --everywhere each say where to count; give one of them.")
    }
    if expect != nil, extents != nil {
      throw ValidationError("--expect is for one count; --extents gives many.")
    }
  }

  package func run() async throws {
    let isOne = expect != nil || extents != nil
    let asked = try await question.ask(
      map, FieldSelection(map, question), isOne ? .single : .all, needsView: funnel,
      asksManyExtents: extents != nil)
    if let extents {
      let lines = try await ExtentList.read(extents)
      let counts = try await asked.view.counts(of: asked.layer, asked.question, inEach: lines)
      await map.warnOfAnswers(in: asked.document, asked.view)
      return try StandardOutput.write(CountTable.text(counts: counts, lines, format: format))
    }
    let answer = try await answer(asked)
    await map.warnOfAnswers(in: asked.document, asked.view)
    try StandardOutput.write(CountTable.text(answer, format: format))
    if let expect, let count = answer.layers.first?.count, !expect.range.contains(count) {
      let wanted =
        expect.range.count == 1
        ? "\(expect.range.lowerBound)" : "\(expect.range.lowerBound)..\(expect.range.upperBound)"
      throw MapError(.expectation, "expected a count of \(wanted), found \(count)")
    }
  }

  /// The counts of the layers that are asked.
  package func answer(_ asked: AskedQuestion) async throws(MapError) -> CountAnswer {
    var options = CountOptions()
    (options.question, options.funnel, options.layers) = (asked.question, funnel, asked.layers)
    return try await asked.view.counts(options)
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
      do {
        envelopes.append(try RequestedExtent.envelope(text: trimmed))
      } catch {
        // The line itself is not shown: the path may be that of another file, which is not to be quoted.
        throw MapError(error.kind, "\(path): line \(index + 1): \(error)")
      }
    }
    return envelopes
  }
}
