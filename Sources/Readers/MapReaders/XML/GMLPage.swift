import MapJSON

/// The features of an answer of a Web Feature Service in GML, rewritten as GeoJSON.
///
/// The elements of a feature become its properties, with values of the declared kinds. A nested element becomes its text.
///
/// - Source: OGC 09-025r2 (WFS 2.0), clause 7.7.4; OGC 04-094 (WFS 1.1), clause 9.3; GML 3.2.1, 3.1.1 and 2.1.2.
package struct GMLPage: Sendable {
  /// The kind of the values of a property.
  package enum Value: Sendable {
    case text, number, boolean, date
  }

  /// The knowledge of features before they are read.
  package struct Form: Sendable {
    /// The kinds of the properties; others have the kind that their text suggests.
    package var values: [String: Value]
    /// The name of the geometry that is read; nil for the first one.
    package var geometryName: String?
    /// Whether positions have north first, by the name of a spatial reference, which may be missing; nil for another
    /// spatial reference than the requested one.
    package var isNorthFirst: @Sendable (String?) -> Bool?

    /// Creates a form.
    package init(
      values: [String: Value], geometryName: String?, isNorthFirst: @escaping @Sendable (String?) -> Bool?
    ) {
      (self.values, self.geometryName, self.isNorthFirst) = (values, geometryName, isNorthFirst)
    }
  }

  /// The features as GeoJSON, with commas between them.
  package private(set) var bytes: [UInt8] = []
  /// The range and the id of each feature; the id is nil if it is missing.
  package private(set) var features: [(range: Range<Int>, id: String?)] = []
  /// The number of matching features on all pages; nil if the service does not state it.
  package private(set) var numberMatched: Int?
  /// The number of features on this page; nil if the service does not state it.
  package private(set) var numberReturned: Int?
  /// The only number that WFS 1.1 states: of features on this page, or of matching ones if it was asked for alone.
  package private(set) var numberOfFeatures: Int?
  /// The service's explanation of an error inside the answer; nil without one.
  package private(set) var exception: String?
  private let form: Form
  private var context: GMLShape.Context

  /// Reads an answer.
  ///
  /// - Throws: ``FeatureReadError`` for XML that is not well-formed or no collection of features, and for a geometry that
  ///   cannot be read.
  package init(_ document: [UInt8], _ form: Form) throws(FeatureReadError) {
    self.form = form
    context = GMLShape.Context(isNorthFirst: form.isNorthFirst)
    var scanner = try XMLScanner(decoding: document)
    do {
      guard try scanner.next() == .start else { return }
      guard scanner.name == "FeatureCollection" else {
        throw ReadFault("a FeatureCollection, not <\(scanner.name)>", at: scanner.place)
      }
      numberMatched = try Self.count(scanner.attribute("numberMatched"))
      numberReturned = try Self.count(scanner.attribute("numberReturned"))
      numberOfFeatures = try Self.count(scanner.attribute("numberOfFeatures"))
      try readCollection(&scanner)
      while try scanner.next() != nil {}
    } catch {
      throw FeatureReadError(error, in: scanner.bytes)
    }
  }

  private static func count(_ text: String?) -> Int? {
    text.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  // MARK: Features

  private mutating func readCollection(_ scanner: inout XMLScanner) throws(ReadFault) {
    var page = self
    try scanner.elements { scanner throws(ReadFault) in
      switch scanner.name {
      case "boundedBy":
        try scanner.elements { scanner throws(ReadFault) in
          if let name = try scanner.attribute("srsName"), !name.isEmpty { page.context.reference = name }
        }
      case "member", "featureMember", "featureMembers":
        try scanner.elements { scanner throws(ReadFault) in
          // The answer to a query may be a collection of its own.
          if scanner.name == "FeatureCollection" {
            try page.readCollection(&scanner)
          } else {
            try page.readFeature(&scanner)
          }
        }
      case "truncatedResponse": page.exception = try OWSException.text(&scanner)
      default: break
      }
    }
    self = page
  }

  private mutating func readFeature(_ scanner: inout XMLScanner) throws(ReadFault) {
    let id = try scanner.attribute("id", or: "fid")
    let (outer, form) = (context, form)
    var (values, shape): ([(name: String, text: String?)], GMLShape?) = ([], nil)
    try scanner.elements { scanner throws(ReadFault) in
      guard scanner.name != "boundedBy" else { return }
      let name = scanner.name
      let isNil = try scanner.attribute("nil") == "true"
      let isWanted = form.geometryName.map { $0 == name } ?? (shape == nil)
      let (text, found) = try Self.property(&scanner, isWanted ? outer : nil)
      if let found {
        shape = found.shape ?? shape
      } else if let same = values.firstIndex(where: { $0.name == name }) {
        // An element that occurs several times.
        values[same].text = [values[same].text, text].compactMap { $0 }.joined(separator: ", ")
      } else {
        values.append((name, isNil ? nil : text))
      }
    }
    var writer = JSONWriter()
    writer.append(raw: #"{"type":"Feature""#)
    if let id {
      writer.append(raw: #","id":"#)
      writer.append(string: id)
    }
    writer.append(raw: #","properties":{"#)
    for (index, value) in values.enumerated() {
      if index > 0 { writer.append(raw: ",") }
      writer.append(string: value.name)
      writer.append(raw: ":")
      append(value.text, form.values[value.name], to: &writer)
    }
    writer.append(raw: #"},"geometry":"#)
    if let shape { shape.append(to: &writer) } else { writer.append(raw: "null") }
    writer.append(raw: "}")
    if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
    features.append((bytes.count..<bytes.count + writer.bytes.count, id))
    bytes += writer.bytes
  }

  /// Reads the property that was opened last: its text, or that it is a geometry, which is read with a context.
  private static func property(
    _ scanner: inout XMLScanner, _ context: GMLShape.Context?
  ) throws(ReadFault) -> (text: String, geometry: (shape: GMLShape?, Void)?) {
    let depth = scanner.depth
    var (text, geometry): ([UInt8], (shape: GMLShape?, Void)?) = ([], nil)
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      switch part {
      case .text: text += try scanner.pieceText()
      case .start where scanner.depth == depth + 1 && GMLShape.names.contains(scanner.name):
        if let context {
          geometry = (try GMLShape(&scanner, context), ())
        } else {
          try scanner.skipElement()
          geometry = (nil, ())
        }
      default: break
      }
    }
    return (String(decoding: text, as: UTF8.self), geometry)
  }

  private func append(_ text: String?, _ value: Value?, to writer: inout JSONWriter) {
    guard let text else { return writer.append(raw: "null") }
    if value == .text { return writer.append(string: text) }
    let bytes = Array(text.utf8)
    let trimmed = Array(
      bytes.drop { XMLScanner.isSpace($0) }.reversed().drop { XMLScanner.isSpace($0) }.reversed())
    let word = String(decoding: trimmed, as: UTF8.self)
    switch value {
    // XML has no null of numbers: an empty element stands for it.
    case _? where word.isEmpty: writer.append(raw: "null")
    case .boolean? where ["true", "1"].contains(word): writer.append(raw: "true")
    case .boolean? where ["false", "0"].contains(word): writer.append(raw: "false")
    case .number?, nil:
      if let literal = DecimalLiteral(json: trimmed, at: 0), literal.end == trimmed.count {
        writer.append(raw: word)
      } else if value != nil, let literal = DecimalLiteral(loose: trimmed, at: 0),
        literal.end == trimmed.count
      {
        writer.append(number: literal.double(in: trimmed))
      } else {
        writer.append(string: text)
      }
    // A date may have a time zone, which a calendar date has not.
    case .date?: writer.append(string: word.utf8.count > 10 ? String(word.prefix(10)) : word)
    default: writer.append(string: text)
    }
  }
}
