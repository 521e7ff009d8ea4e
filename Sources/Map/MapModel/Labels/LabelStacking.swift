/// The rules for breaking a label into lines.
///
/// - Source: Esri web map specification, `stackLabel`, `stackRowLength`, `stackSeparators`.
public struct LabelStacking: Hashable, Sendable {
  /// A text after which a line may or must end, such as a space.
  public struct Separator: Hashable, Sendable {
    /// The text; an empty one ends no line.
    public var text: String
    /// Whether the line always ends after the text.
    public var isForced: Bool
    /// Whether the text is shown where a line ends.
    public var isVisible: Bool
    /// Whether the text that is shown begins the next line, and does not end its own.
    public var beginsLine = false

    /// Creates a separator.
    public init(_ text: String, isForced: Bool = false, isVisible: Bool = true) {
      (self.text, self.isForced, self.isVisible) = (text, isForced, isVisible)
    }
  }

  /// The place of a line break near the row length.
  public enum BreakPosition: String, Hashable, Sendable, CaseIterable {
    /// A line ends before the word that would make it longer than the row length.
    case before
    /// A line ends after the word that makes it longer than the row length.
    case after
  }

  /// The alignment of the lines of a label.
  public enum Alignment: String, Hashable, Sendable, CaseIterable {
    /// The lines are aligned at the left side, centred or aligned at the right side.
    case left, center, right
    /// The lines are aligned at the side of the symbol: left for a label to its right.
    case dynamic
    /// The lines have the horizontal alignment of the text symbol.
    case textSymbol
  }

  /// The maximum number of characters in a line that a separator can end; nil for no limit.
  public let rowLength: Int?
  /// The texts after which lines may end; line feeds always end a line.
  ///
  /// Where several match, the first one counts.
  public var separators: [Separator]
  /// The alignment of the lines.
  public var alignment = Alignment.textSymbol
  /// The place of line breaks.
  ///
  /// - Source: the names are those of the ArcGIS Maps SDK. Design decision: with the default `before`, only a line
  ///   whose first word is longer than the row length is longer; the default of the SDK is `after`.
  public var breakPosition = BreakPosition.before

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
    // Without a row length only forced separators end lines; most labels have none.
    if rowLength == nil,
      !separators.contains(where: { $0.isForced || (!$0.isVisible && text.hasPrefix($0.text)) })
    {
      return [String(text)]
    }
    let separators = separators.map { (item: $0, characters: Array($0.text)) }
    let characters = Array(text)
    var lines: [String] = []
    /// The current line with its length, and its state at the last possible break.
    var (line, count) = ("", 0)
    var fit: (text: String, rest: String, restCount: Int)?
    var next = 0
    while next < characters.count {
      let separator = separators.first { $0.item.matches(characters, at: next, $0.characters) }?.item
      /// A separator is taken as a whole, and other characters one by one.
      let piece = separator?.text ?? String(characters[next])
      let length = separator.map { $0.text.count } ?? 1
      next += length
      let endsLine = separator.map { $0.isVisible && !$0.beginsLine } ?? true
      let beginsLine = separator.map { $0.isVisible && $0.beginsLine } ?? false
      let isFull = breakPosition == .after && rowLength.map { count > $0 } ?? false
      if let separator, separator.isForced || isFull {
        lines.append(line + (endsLine ? piece : ""))
        (line, count, fit) = (beginsLine ? piece : "", beginsLine ? length : 0, nil)
        continue
      }
      // The line's length if it ended at this separator: a hidden separator adds nothing.
      let needed = count + (endsLine ? length : 0)
      if breakPosition == .before, let rowLength, needed > rowLength, let end = fit {
        lines.append(end.text)
        (line, count, fit) = (end.rest, end.restCount, nil)
      }
      if let separator {
        // Without a row length no break is remembered, which keeps the cost linear in the text.
        if rowLength != nil, breakPosition == .before {
          fit = (endsLine ? line + piece : line, beginsLine ? piece : "", beginsLine ? length : 0)
        }
        // A separator that is hidden at the end of a line does not begin the next line.
        if separator.isVisible || !line.isEmpty {
          line += piece
          count += length
        }
      } else {
        line += piece
        count += 1
        if fit != nil {
          fit?.rest += piece
          fit?.restCount += 1
        }
      }
    }
    lines.append(line)
    return lines
  }
}

extension LabelStacking.Separator {
  /// Returns whether the separator's characters are at an index.
  fileprivate func matches(_ text: [Character], at index: Int, _ own: [Character]) -> Bool {
    guard let first = own.first, text[index] == first, own.count <= text.count - index else { return false }
    return own.count == 1 || text[index..<index + own.count].elementsEqual(own)
  }
}
