/// The words that CQL2 gives a meaning, by which its two encodings are read.
enum CQL2Words {
  static let spatial = Dictionary(uniqueKeysWithValues: SpatialPredicate.allCases.map { ($0.textName, $0) })
  static let temporal = Dictionary(uniqueKeysWithValues: TemporalPredicate.allCases.map { ($0.textName, $0) })
  static let arrays = Dictionary(uniqueKeysWithValues: ArrayPredicate.allCases.map { ($0.textName, $0) })
  static let spatialJSON = Dictionary(
    uniqueKeysWithValues: SpatialPredicate.allCases.map { ($0.jsonName, $0) })
  static let temporalJSON = Dictionary(
    uniqueKeysWithValues: TemporalPredicate.allCases.map { ($0.jsonName, $0) })
  static let arraysJSON = Dictionary(uniqueKeysWithValues: ArrayPredicate.allCases.map { ($0.jsonName, $0) })

  /// The words of geometries in well-known text.
  static let geometries: Set<String> = [
    "POINT", "MULTIPOINT", "LINESTRING", "MULTILINESTRING", "POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION",
    "BBOX",
  ]

  /// True for a word in capitals that is no field's name unless quoted.
  ///
  /// - Source: OGC 21-065 (CQL2), annex B. INTERVAL is not among them: it is one before a parenthesis alone.
  static func isReserved(_ word: String) -> Bool {
    spatial[word] != nil || temporal[word] != nil || arrays[word] != nil || geometries.contains(word)
      || ["CASEI", "ACCENTI", "DIV"].contains(word) || Keyword(word: word, of: .cql2) != nil
  }

  /// The name of a call in the tree: that of the catalogue for a function of ours, else as written.
  static func functionName(_ name: String) -> String { FunctionCatalog.function(named: name)?.name ?? name }

  /// The one end of a span that is open.
  static let openEnd = ".."

  static let dateForm = "DATE('yyyy-mm-dd')"
  static let timestampForm = "TIMESTAMP('yyyy-mm-ddThh:mm:ssZ')"
}

extension Instant {
  /// The moment of a time stamp of CQL2, `yyyy-mm-ddThh:mm:ss[.fraction]Z`; nil for all else.
  ///
  /// - Source: OGC 21-065 (CQL2), annex B, `timestampInstant`: RFC 3339 in UTC.
  init?(cql2 text: String) {
    let bytes = text.utf8.span
    guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T"), bytes[bytes.count - 1] == UInt8(ascii: "Z")
    else {
      return nil
    }
    self.init(rfc3339: bytes)
  }
}

extension AttributeValue {
  /// The day or moment that a text of CQL2 names; nil for all else.
  init?(cql2Moment text: String) {
    if let date = CalendarDate(iso8601: text) {
      self = .date(date)
    } else if let instant = Instant(cql2: text) {
      self = .instant(instant)
    } else {
      return nil
    }
  }
}
