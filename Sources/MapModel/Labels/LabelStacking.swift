/// How a label breaks into lines.
///
/// - Source: Esri web map specification, `stackLabel`, `stackRowLength`, `stackSeparators`.
public struct LabelStacking: Hashable, Sendable {
  /// A character at which a line may or must end.
  public struct Separator: Hashable, Sendable {
    /// The character.
    public var character: Character
    /// True ends the line wherever it stands.
    public var isForced: Bool
    /// False leaves it out where a line ends.
    public var isVisible: Bool

    /// A separator after which a line ends.
    public init(_ character: Character, isForced: Bool = false, isVisible: Bool = true) {
      (self.character, self.isForced, self.isVisible) = (character, isForced, isVisible)
    }
  }

  /// The most characters of a line, where a separator lets it end; nil is any number.
  public let rowLength: Int?
  /// Where lines may end; line feeds always end them.
  public var separators: [Separator]

  /// Lines end at blanks and commas once they are full.
  ///
  /// - Source: the specification's separators; ours: without a row length lines are as the expression gives them.
  public init(rowLength: Int? = nil, separators: [Separator] = Self.standardSeparators) {
    self.rowLength = rowLength.map { min(max($0, 1), Self.longestRow) }
    self.separators = separators
  }

  /// The longest row length; lines that long fit no picture.
  ///
  /// - Source: ours.
  private static let longestRow = 1000

  /// A blank, left out at a line's end, and a comma.
  public static let standardSeparators = [Separator(" ", isVisible: false), Separator(",")]

  /// The lines of a text that has no line feeds.
  ///
  /// O(characters).
  public func lines(of text: some StringProtocol) -> [String] {
    var lines: [String] = []
    /// The line under way, and how much of it is before the last place where it may end.
    var (line, count) = ("", 0)
    var fit: (text: String, rest: String, restCount: Int)?
    for character in text {
      let separator = separators.first { $0.character == character }
      if let separator, separator.isForced {
        lines.append(line + (separator.isVisible ? String(character) : ""))
        (line, count, fit) = ("", 0, nil)
        continue
      }
      // What a separator adds to a line that ends there: nothing when it is left out.
      let needed = count + (separator?.isVisible == false ? 0 : 1)
      if let rowLength, needed > rowLength, let end = fit {
        lines.append(end.text)
        (line, count, fit) = (end.rest, end.restCount, nil)
      }
      if let separator {
        // Without a row length nothing is kept, so that the cost stays in line with the text's.
        if rowLength != nil { fit = (separator.isVisible ? line + String(character) : line, "", 0) }
        // A line does not begin with a separator that is not seen at its end.
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
