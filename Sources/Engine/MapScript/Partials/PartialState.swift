import MapFeatures
public import MapState
import MapSystem

/// The answer to a question for a part of the rows, to be joined with those of all other parts.
///
/// - Source: design decision. The bytes are: `MapStPrt`; the version of the format, the number of bytes that follow and
///   those bytes; the SHA-256 digest of all bytes before it.
public struct PartialState: Sendable {
  /// The answers.
  struct Answers: Sendable {
    var count: CountAnswer?
    /// The counts in each of several extents.
    var counts: [Int]?
    var statistics: PartialStatistics?
    var image: PartialImage?
    /// Whether no row is known to be missing.
    var isExact = true
  }

  /// The position of the rows among all parts, from 0, in the order of drawing.
  public let ordinal: Int
  /// The source of the rows as given.
  public let source: String
  /// The digest of the question.
  let digest: [UInt8]
  /// The question as JSON.
  let question: String
  /// The number of rows of each layer.
  let rows: [PartialRows]
  let answers: Answers

  /// The greatest ordinal.
  public static let greatestOrdinal = 999_999
  private static let magic = Array("MapStPrt".utf8)
  /// The version of the format.
  static let version = 3

  init(
    ordinal: Int, source: String, digest: [UInt8], question: String, rows: [PartialRows], answers: Answers
  ) {
    (self.ordinal, self.source, self.digest) = (ordinal, source, digest)
    (self.question, self.rows, self.answers) = (question, rows, answers)
  }

  // MARK: Bytes

  /// The state as bytes.
  public var bytes: [UInt8] {
    var content = StateWriter()
    content.append("\(Release.version)")
    content.append(digest)
    content.append(question)
    content.append(ordinal)
    writeAnswers(to: &content)
    content.append(source)
    var writer = StateWriter()
    writer.append(raw: Self.magic)
    writer.append(Self.version)
    writer.append(content.bytes)
    return writer.bytes + SHA256.digest(writer.bytes)
  }

  private func writeAnswers(to writer: inout StateWriter) {
    writer.append(rows) { $0.write(to: &$1) }
    writer.append(answers.isExact)
    writer.append(answers.count) { $0.write(to: &$1) }
    writer.append(answers.counts) { counts, writer in writer.append(counts) { $1.append($0) } }
    writer.append(answers.statistics) { $0.write(to: &$1) }
    writer.append(answers.image) { $0.write(to: &$1) }
  }

  /// The digest of the answers, without the source and the ordinal.
  var answerDigest: [UInt8] {
    var writer = StateWriter()
    writeAnswers(to: &writer)
    return SHA256.digest(writer.bytes)
  }

  /// Reads a state.
  ///
  /// - Throws: `MapStateError` for bytes that are no state, are damaged, or were written by another version.
  public init(_ bytes: [UInt8]) throws(MapStateError) {
    guard bytes.starts(with: Self.magic) else {
      throw MapStateError(.input, "is not a partial answer of mapstate")
    }
    do {
      var reader = StateReader(bytes[Self.magic.count...])
      let version = try reader.integer()
      guard version == Self.version else {
        throw MapStateError(
          .input, "has version \(version) of the format, and this mapstate reads version \(Self.version)")
      }
      let content = try reader.byteList()
      let digest = try reader.raw(32)
      guard reader.isAtEnd, Array(digest) == SHA256.digest(bytes.dropLast(32)) else {
        throw StateBytesError.value("other bytes than were written: it is damaged")
      }
      try self.init(content: content[...])
    } catch {
      throw MapStateError(error)
    }
  }

  /// Reads the content between the length and the digest.
  package init(content: ArraySlice<UInt8>) throws(MapStateError) {
    var reader = StateReader(content)
    do {
      let release = try reader.text()
      guard release == "\(Release.version)" else {
        throw MapStateError(
          .input, "was written by mapstate \(release), and this is mapstate \(Release.version)")
      }
      (digest, question, ordinal) = (try reader.byteList(), try reader.text(), try reader.integer())
      guard digest.count == 32, (0...Self.greatestOrdinal).contains(ordinal) else {
        throw StateBytesError.value("an ordinal of \(ordinal)")
      }
      rows = try reader.list { reader throws(StateBytesError) in try PartialRows(from: &reader) }
      var answers = Answers()
      answers.isExact = try reader.boolean()
      answers.count = try reader.optional { reader throws(StateBytesError) in try CountAnswer(from: &reader) }
      answers.counts = try reader.optional { reader throws(StateBytesError) in
        try reader.list { reader throws(StateBytesError) in try reader.count() }
      }
      answers.statistics = try reader.optional { reader throws(StateBytesError) in
        try PartialStatistics(from: &reader)
      }
      answers.image = try reader.optional { reader throws(StateBytesError) in try PartialImage(from: &reader)
      }
      self.answers = answers
      source = try reader.text()
      guard reader.isAtEnd else { throw StateBytesError.value("more bytes than it should") }
    } catch {
      throw MapStateError(error)
    }
  }

  /// Reads a state from a file.
  ///
  /// - Throws: `MapStateError` that names the file.
  public init(contentsOf path: String) throws(MapStateError) {
    let bytes: [UInt8]
    do { bytes = try FileAccess.read(path) } catch { throw MapStateError(error) }
    do { try self.init(bytes) } catch { throw MapStateError(error.kind, "\(path): \(error)") }
  }
}
