package import MapReaders
package import MapState
import MapSystem

extension TextEncoding: RequestText {
  package init(text: String) throws(MapStateError) {
    guard let encoding = TextEncoding(text) else {
      let nearest = TextEncoding.nearest(to: text).map { "did you mean \"\($0)\"? " } ?? ""
      throw MapStateError(
        .input,
        "unknown encoding \"\(text)\"; \(nearest)available: \(TextEncoding.list.joined(separator: ", "))",
        suggestion: TextEncoding.nearest(to: text))
    }
    self = encoding
  }
}

extension CSVDelimiter: RequestText {
  package init(text: String) throws(MapStateError) {
    guard let delimiter = CSVDelimiter(text) else {
      throw MapStateError(
        .input, "\"\(text)\" cannot delimit fields; write one character such as ; or |, or tab")
    }
    self = delimiter
  }
}

extension DecimalSign: RequestText {
  package init(text: String) throws(MapStateError) {
    guard let sign = DecimalSign(rawValue: text) else {
      throw MapStateError(.input, "\"\(text)\" is no decimal sign; write . or ,")
    }
    self = sign
  }
}
