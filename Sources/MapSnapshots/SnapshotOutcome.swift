/// What became of a case.
public enum SnapshotOutcome: Hashable, Sendable {
  /// Within its tolerance, and its numbers are right.
  case same
  /// Beyond its tolerance.
  case differs(pixels: Int, largest: Int)
  /// Another size.
  case sizeDiffers(expected: String, actual: String)
  /// The picture is as it was, but a number is not; a line each.
  case numbersDiffer([String])
  /// There is no reference, or not the whole of it.
  case noReference(String)
  /// The reference's files do not belong together.
  case staleReference(String)
  /// A reference without a case.
  case orphan
  /// Of one colour without being declared blank, or declared blank and not.
  case blank(String)
  /// Drawn twice, two pictures.
  case unstable(String)
  /// The tolerance or the masks would let an empty picture pass.
  case vacuous(String)
  /// Not drawn, with the case's reason.
  case skipped(String)
  /// Could not be drawn or compared.
  case error(String)

  /// One word for tables.
  public var word: String {
    switch self {
    case .same: "same"
    case .differs: "differs"
    case .sizeDiffers: "size-differs"
    case .numbersDiffer: "numbers-differ"
    case .noReference: "no-reference"
    case .staleReference: "stale-reference"
    case .orphan: "orphan"
    case .blank: "blank"
    case .unstable: "unstable"
    case .vacuous: "vacuous"
    case .skipped: "skipped"
    case .error: "error"
    }
  }

  /// What there is to say beyond the word.
  public var detail: String? {
    switch self {
    case .same: nil
    case .differs(let pixels, let largest):
      "\(pixels) pixel\(pixels == 1 ? " differs" : "s differ"), by up to \(largest)"
    case .sizeDiffers(let expected, let actual): "the reference is \(expected), the picture \(actual)"
    case .numbersDiffer(let lines): lines.joined(separator: "; ")
    case .orphan: "a reference without case.json"
    case .noReference(let text), .staleReference(let text), .blank(let text), .unstable(let text),
      .vacuous(let text), .skipped(let text), .error(let text):
      text
    }
  }

  /// True when the case was compared and nothing is wrong.
  public var isPass: Bool { self == .same }

  /// True when the case was not compared, because it says so.
  public var isSkip: Bool { if case .skipped = self { true } else { false } }

  /// True when the run fails by it.
  public var isFailure: Bool { !isPass && !isSkip }
}

/// A case's outcome with what a report shows of it.
public struct SnapshotResult: Sendable {
  /// The case's name.
  public let name: String
  /// What the picture shows, in a sentence.
  public let title: String?
  /// What became of it.
  public let outcome: SnapshotOutcome
  /// What changed, the most visible first; empty for a case that passed.
  public let changes: [SnapshotChange]
  /// The funnel of each layer before and after, where a stage differs.
  public let numbers: [String]
  /// Seconds that it took.
  public let seconds: Double
  /// The pictures of a case that failed; nil where there are none.
  public let pictures: SnapshotPictures?
  /// The warnings of the document and of drawing.
  public var warnings: [String] = []

  init(
    name: String, title: String? = nil, outcome: SnapshotOutcome, changes: [SnapshotChange] = [],
    numbers: [String] = [], seconds: Double = 0, pictures: SnapshotPictures? = nil
  ) {
    (self.name, self.title, self.outcome, self.changes) = (name, title, outcome, changes)
    (self.numbers, self.seconds, self.pictures) = (numbers, seconds, pictures)
  }

  /// The same with the seconds that it took.
  func taking(_ seconds: Double) -> SnapshotResult {
    var result = SnapshotResult(
      name: name, title: title, outcome: outcome, changes: changes, numbers: numbers, seconds: seconds,
      pictures: pictures)
    result.warnings = warnings
    return result
  }

  /// The outcome's word and detail, and the first change, in one line.
  public var headline: String {
    let first = changes.first.map { ": \($0.description)" } ?? ""
    return "\(outcome.word)\(outcome.detail.map { ": \($0)" } ?? "")\(first)"
  }
}

/// The pictures of a case as PNG.
public struct SnapshotPictures: Sendable {
  /// The reference; nil when there is none.
  public let expected: [UInt8]?
  /// What was drawn.
  public let actual: [UInt8]
  /// Where they differ; nil without a reference of the same size.
  public let difference: [UInt8]?
  /// The files that would become the reference, by name.
  let reference: [(name: String, bytes: [UInt8])]
}
