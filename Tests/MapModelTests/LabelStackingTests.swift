import MapModel
import MapTestSupport
import Testing

/// Line breaks of labels.
@Suite struct LabelStackingTests {
  @Test(
    "Label lines end at separators when they are full",
    arguments: [
      ("Rio de Janeiro", 10, ["Rio de", "Janeiro"]), ("Rio de Janeiro", 6, ["Rio de", "Janeiro"]),
      ("Rio de Janeiro", 1, ["Rio", "de", "Janeiro"]), ("Rio de Janeiro", 14, ["Rio de Janeiro"]),
      ("Llanfairpwllgwyngyll", 5, ["Llanfairpwllgwyngyll"]),
      ("Washington,D.C.", 12, ["Washington,", "D.C."]),
      ("a  b", 2, ["a", "b"]), ("", 5, [""]), ("Åå Öö", 2, ["Åå", "Öö"]),
    ])
  func lines(_ text: String, _ length: Int, _ expected: [String]) {
    // Blanks at the ends of lines are trimmed when labels are made.
    let lines = LabelStacking(rowLength: length).lines(of: text).map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    #expect(lines.filter { !$0.isEmpty } == expected.filter { !$0.isEmpty }, "\(lines)")
  }

  @Test("A line may end after the word that makes it too long, and a separator may begin the next line")
  func breakPositions() {
    var after = LabelStacking(rowLength: 6)
    after.breakPosition = .after
    #expect(after.lines(of: "Rio de Janeiro") == ["Rio de Janeiro"])
    #expect(after.lines(of: "San Pedro de Macorís") == ["San Pedro", "de Macorís"])
    #expect(after.lines(of: "a b c d e f g") == ["a b c d", "e f g"])
    for position in LabelStacking.BreakPosition.allCases {
      var hyphens = LabelStacking(rowLength: 6, separators: [.init("-")])
      hyphens.breakPosition = position
      let isBefore = position == .before
      let lines = isBefore ? ["Baden-", "Württemberg-", "Süd"] : ["Baden-Württemberg-", "Süd"]
      #expect(hyphens.lines(of: "Baden-Württemberg-Süd") == lines)
      hyphens.separators[0].beginsLine = true
      #expect(
        hyphens.lines(of: "Baden-Württemberg")
          == (isBefore ? ["Baden", "-Württemberg"] : ["Baden-Württemberg"]))
      hyphens.separators[0].isForced = true
      #expect(hyphens.lines(of: "a-b") == ["a", "-b"])
    }
  }

  @Test("A text without a row length is one line, and a forced separator ends a line")
  func forced() {
    #expect(LabelStacking().lines(of: "a b, c") == ["a b, c"])
    let forced = LabelStacking(separators: [
      .init("/", isForced: true, isVisible: false), .init("-", isForced: true),
    ])
    #expect(forced.lines(of: "a/b-c d") == ["a", "b-", "c d"])
  }

  @Test("A separator of several characters ends lines as a whole")
  func longSeparators() {
    let forced = LabelStacking(separators: [
      .init("<br>", isForced: true, isVisible: false), .init(" - ", isForced: true),
    ])
    #expect(forced.lines(of: "a<br>b - c<b") == ["a", "b - ", "c<b"])
    let full = LabelStacking(rowLength: 9, separators: [.init(" / ", isVisible: false)])
    #expect(full.lines(of: "Biel / Bienne") == ["Biel", "Bienne"])
    #expect(full.lines(of: "Biel/Bienne") == ["Biel/Bienne"])
    #expect(LabelStacking(rowLength: 3, separators: [.init("")]).lines(of: "abcdef") == ["abcdef"])
  }

  @Test("Stacking removes no character except blanks and invisible separators")
  func nothingLost() {
    var random = SeededGenerator(seed: 31)
    let letters: [Character] = ["a", "b", " ", ",", "é", "x"]
    for _ in 0..<2000 {
      let text = String(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }
      )
      let length = Int.random(in: 1...12, using: &random)
      let lines = LabelStacking(rowLength: length).lines(of: text)
      #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " }, "\(text) \(length)")
      // A line is longer than the limit only if its first part has no separator.
      for line in lines where line.count > length + 1 {
        #expect(
          !line.prefix(length).drop { $0 == " " || $0 == "," }.contains(" "), "\(text) \(length): \(lines)")
      }
    }
  }

  @Test("Texts of 100,000 characters are stacked")
  func long() {
    for text in [String(repeating: "a ", count: 50_000), String(repeating: " ", count: 100_000)] {
      for stacking in [LabelStacking(), LabelStacking(rowLength: 1), LabelStacking(rowLength: .max)] {
        #expect(!stacking.lines(of: text).isEmpty)
      }
    }
  }
}
