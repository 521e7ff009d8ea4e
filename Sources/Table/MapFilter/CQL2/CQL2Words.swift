/// The keywords of CQL2, used to read both encodings.
enum CQL2Words {
  static let spatial = Dictionary(uniqueKeysWithValues: SpatialPredicate.allCases.map { ($0.textName, $0) })
  static let temporal = Dictionary(uniqueKeysWithValues: TemporalPredicate.allCases.map { ($0.textName, $0) })
  static let arrays = Dictionary(uniqueKeysWithValues: ArrayPredicate.allCases.map { ($0.textName, $0) })
  static let spatialJSON = Dictionary(
    uniqueKeysWithValues: SpatialPredicate.allCases.map { ($0.jsonName, $0) })
  static let temporalJSON = Dictionary(
    uniqueKeysWithValues: TemporalPredicate.allCases.map { ($0.jsonName, $0) })
  static let arraysJSON = Dictionary(uniqueKeysWithValues: ArrayPredicate.allCases.map { ($0.jsonName, $0) })

  /// The keywords of geometries in well-known text, and BBOX.
  static let geometries: Set<String> = [
    "POINT", "MULTIPOINT", "LINESTRING", "MULTILINESTRING", "POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION",
    "BBOX",
  ]

  /// Returns whether a word in capitals is a field name only when quoted.
  ///
  /// - Source: OGC 21-065 (CQL2), annex B. INTERVAL is not reserved: it is a keyword only before a parenthesis.
  static func isReserved(_ word: String) -> Bool {
    spatial[word] != nil || temporal[word] != nil || arrays[word] != nil || geometries.contains(word)
      || ["CASEI", "ACCENTI", "DIV"].contains(word) || Keyword(word: word, of: .cql2) != nil
  }

  /// Returns the name of a call in the tree: the catalogue's spelling for a known function, else the name as written.
  static func functionName(_ name: String) -> String { FunctionCatalog.function(named: name)?.name ?? name }

  /// The text of an open end of a time interval.
  static let openEnd = ".."

  static let dateForm = "DATE('yyyy-mm-dd')"
  static let timestampForm = "TIMESTAMP('yyyy-mm-ddThh:mm:ssZ')"
}

extension Instant {
  /// Reads a CQL2 timestamp, `yyyy-mm-ddThh:mm:ss[.fraction]Z`; nil for other text.
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
  /// Reads a CQL2 text as a date or an instant; nil for other text.
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
