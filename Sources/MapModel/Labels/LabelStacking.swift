/// The rules for breaking a label into lines.
///
/// - Source: Esri web map specification, `stackLabel`, `stackRowLength`, `stackSeparators`.
public struct LabelStacking: Hashable, Sendable {
  /// A character after which a line may or must end.
  public struct Separator: Hashable, Sendable {
    /// The character.
    public var character: Character
    /// Whether the line always ends after the character.
    public var isForced: Bool
    /// Whether the character is shown at the end of a line.
    public var isVisible: Bool

    /// Creates a separator.
    public init(_ character: Character, isForced: Bool = false, isVisible: Bool = true) {
      (self.character, self.isForced, self.isVisible) = (character, isForced, isVisible)
    }
  }

  /// The maximum number of characters in a line that a separator can end; nil for no limit.
  public let rowLength: Int?
  /// The characters after which lines may end; line feeds always end a line.
  public var separators: [Separator]

  /// Creates rules; by default a full line ends at a space or comma.
  ///
  /// - Source: the specification's separators. Design decision: without a row length, lines are as the expression
  ///   gives them.
  public init(rowLength: Int? = nil, separators: [Separator] = Self.standardSeparators) {
    self.rowLength = rowLength.map { min(max($0, 1), Self.longestRow) }
    self.separators = separators
  }

  /// The largest row length; longer lines fit no image.
  ///
  /// - Source: design decision.
  private static let longestRow = 1000

  /// A space, which is hidden at the end of a line, and a comma.
  public static let standardSeparators = [Separator(" ", isVisible: false), Separator(",")]

  /// Returns the lines of a text without line feeds.
  ///
  /// - Cost: O(characters).
  public func lines(of text: some StringProtocol) -> [String] {
    var lines: [String] = []
    /// The current line with its length, and its state at the last possible break.
    var (line, count) = ("", 0)
    var fit: (text: String, rest: String, restCount: Int)?
    for character in text {
      let separator = separators.first { $0.character == character }
      if let separator, separator.isForced {
        lines.append(line + (separator.isVisible ? String(character) : ""))
        (line, count, fit) = ("", 0, nil)
        continue
      }
      // The line's length if it ended at this separator: a hidden separator adds nothing.
      let needed = count + (separator?.isVisible == false ? 0 : 1)
      if let rowLength, needed > rowLength, let end = fit {
        lines.append(end.text)
        (line, count, fit) = (end.rest, end.restCount, nil)
      }
      if let separator {
        // Without a row length no break is remembered, which keeps the cost linear in the text.
        if rowLength != nil { fit = (separator.isVisible ? line + String(character) : line, "", 0) }
        // A separator that is hidden at the end of a line does not begin the next line.
        if separator.isVisible || !line.isEmpty {
          line.append(character)
          count += 1
        }
      } else {
        line.append(character)
        count += 1
        if fit != nil {
          fit?.rest.append(character)
          fit?.restCount += 1
        }
      }
    }
    lines.append(line)
    return lines
  }
}
