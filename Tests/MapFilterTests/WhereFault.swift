import MapFilter
import Testing

/// A refused where clause with the offset and message of its error.
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
