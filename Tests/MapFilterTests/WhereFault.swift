import MapFilter
import Testing

/// A where clause that is refused: where, and in which words.
struct WhereFault: CustomTestStringConvertible {
  let text: String, offset: Int, message: String

  init(_ text: String, _ offset: Int, _ message: String) {
    (self.text, self.offset, self.message) = (text, offset, message)
  }

  var testDescription: String { text }

  func check() throws {
    let error = try #require(throws: FilterSyntaxError.self) { try SQLWhereParser.parse(text) }
    #expect(error.offset == offset)
    #expect(error.description == message)
  }
}
