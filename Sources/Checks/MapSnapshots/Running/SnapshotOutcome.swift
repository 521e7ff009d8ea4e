import MapImages

/// The outcome of a case.
public enum SnapshotOutcome: Hashable, Sendable {
  /// An image within its tolerance, with all numbers as expected.
  case same
  /// An unchanged image and record with a filter that selects the same rows by other means, described in a line.
  case equivalent(String)
  /// An image outside its tolerance.
  case differs(pixels: Int, largest: Int)
  /// An image with another size.
  case sizeDiffers(expected: String, actual: String)
  /// An image that another version of MapState draws differently, with equal styles, features and counts.
  case engineDiffers(from: String, to: String, pixels: Int, largest: Int)
  /// An image within its tolerance whose styles, texts or positions differ from the record, with the first change.
  case styleDiffers(String)
  /// An image within its tolerance with warnings that the record does not have.
  case newWarning([String])
  /// An unchanged image with other numbers, one line each.
  case numbersDiffer([String])
  /// A missing reference, or one with missing files.
  case noReference(String)
  /// A reference whose files do not match each other.
  case staleReference(String)
  /// Reference files without a case.
  case orphan
  /// An image without features that is not declared blank, or the reverse.
  case blank(String)
  /// Two different drawings of the same case.
  case unstable(String)
  /// A tolerance or masks that would let an empty image pass.
  case vacuous(String)
  /// A skipped case, with its reason.
  case skipped(String)
  /// A case that was not drawn, because its files are those of a revision.
  case unchanged(String)
  /// A case that could not be drawn or compared.
  case error(String)

  /// The outcome in one word, for tables.
  public var word: String {
    switch self {
    case .same: "same"
    case .equivalent: "equivalent"
    case .differs: "differs"
    case .sizeDiffers: "size-differs"
    case .engineDiffers: "engine-differs"
    case .styleDiffers: "style-differs"
    case .newWarning: "new-warning"
    case .numbersDiffer: "numbers-differ"
    case .noReference: "no-reference"
    case .staleReference: "stale-reference"
    case .orphan: "orphan"
    case .blank: "blank"
    case .unstable: "unstable"
    case .vacuous: "vacuous"
    case .skipped: "skipped"
    case .unchanged: "unchanged"
    case .error: "error"
    }
  }

  /// The details beyond the word.
  public var detail: String? {
    switch self {
    case .same: nil
    case .differs(let pixels, let largest): Self.text(pixels, largest)
    case .engineDiffers(let from, let to, let pixels, let largest):
      "drawn differently by version \(from) → \(to), with the same styles and data: \(Self.text(pixels, largest))"
    case .sizeDiffers(let expected, let actual): "the reference image is \(expected), the new image \(actual)"
    case .numbersDiffer(let lines), .newWarning(let lines): lines.joined(separator: "; ")
    case .orphan: "a reference without case.json"
    case .noReference(let text), .staleReference(let text), .blank(let text), .unstable(let text),
      .vacuous(let text), .equivalent(let text), .skipped(let text), .unchanged(let text),
      .styleDiffers(let text), .error(let text):
      text
    }
  }

  private static func text(_ pixels: Int, _ largest: Int) -> String {
    "\(pixels) pixel\(pixels == 1 ? " differs" : "s differ"), by up to \(largest)"
  }

  /// Whether another version of MapState draws the same styles and data differently.
  public var isEngineChange: Bool { if case .engineDiffers = self { true } else { false } }

  /// Whether the case was compared and is correct.
  public var isPass: Bool {
    switch self {
    case .same, .equivalent: true
    default: false
    }
  }

  /// Whether the case was skipped, or not drawn because its files have not changed.
  public var isSkip: Bool {
    switch self {
    case .skipped, .unchanged: true
    default: false
    }
  }

  /// Whether the run fails because of this case.
  public var isFailure: Bool { !isPass && !isSkip }
}

/// The outcome of a case with its changes and images for a report.
public struct SnapshotResult: Sendable {
  /// The name of the case.
  public let name: String
  /// A sentence that describes the image.
  public let title: String?
  /// The outcome.
  public let outcome: SnapshotOutcome
  /// The changes, the most visible first; empty for a case that passed.
  public let changes: [SnapshotChange]
  /// The funnel stages of each layer that differ, before and after.
  public let numbers: [String]
  /// The duration in seconds.
  public let seconds: Double
  /// The images of a failed case; nil if there are none.
  public let pictures: SnapshotPictures?
  /// The warnings of the document and of drawing.
  public var warnings: [String] = []
  /// Possible causes of a failure outside of the files of the case, such as the current time.
  public internal(set) var notes: [String] = []

  init(
    name: String, title: String? = nil, outcome: SnapshotOutcome, changes: [SnapshotChange] = [],
    numbers: [String] = [], seconds: Double = 0, pictures: SnapshotPictures? = nil
  ) {
    (self.name, self.title, self.outcome, self.changes) = (name, title, outcome, changes)
    (self.numbers, self.seconds, self.pictures) = (numbers, seconds, pictures)
  }

  /// Returns the result with its duration.
  func taking(_ seconds: Double) -> SnapshotResult {
    var result = SnapshotResult(
      name: name, title: title, outcome: outcome, changes: changes, numbers: numbers, seconds: seconds,
      pictures: pictures)
    (result.warnings, result.notes) = (warnings, notes)
    return result
  }

  /// The changes, the numbers that differ and the possible causes, a line each.
  var lines: [String] { changes.map(\.description) + numbers + notes }

  /// The name, the outcome, at most ten changes, the numbers that differ and the possible causes, in lines.
  public var text: String {
    let first = "\(name): \(outcome.word)\(outcome.detail.map { ": \($0)" } ?? "")"
    return ([first] + (changes.prefix(10).map(\.description) + numbers + notes).map { "  \($0)" })
      .joined(separator: "\n")
  }

  /// The word and details of the outcome and the first change, in one line.
  public var headline: String {
    let first = changes.first.map { ": \($0.description)" } ?? ""
    return "\(outcome.word)\(outcome.detail.map { ": \($0)" } ?? "")\(first)"
  }
}

/// The images of a case as PNG.
public struct SnapshotPictures: Sendable {
  /// The reference image; nil if there is none.
  public let expected: [UInt8]?
  /// The new image.
  public let actual: [UInt8]
  /// The difference image; nil without a reference image of the same size.
  public let difference: [UInt8]?
  /// The areas with differing pixels, largest first, as x, y, width and height in output pixels.
  var spots: [PixelRectangle] = []
  /// The number of pixels that differ within the tolerance.
  var slightPixels = 0
  /// The files that would become the new reference files, by name.
  let reference: [(name: String, bytes: [UInt8])]
}
