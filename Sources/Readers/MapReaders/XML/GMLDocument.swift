import MapJSON

/// The parts of a GML document that GDAL reads otherwise than they are written, found before GDAL opens it.
///
/// GDAL reads coordinates that are not numbers as 0, keeps one geometry of a feature, and forgets spatial references that
/// differ. A feature is an element in one whose name ends in `member` or `members`, as in GDAL's driver.
///
/// - Source: OGC 07-036 (GML 3.2.1), clauses 9.10 and 10.1; OGC 02-069 (GML 2.1.2) for `coordinates` and `coord`.
package struct GMLDocument: Sendable {
  /// The features of a type.
  package struct Layer: Sendable {
    /// The names of the spatial references of its geometries, in order of appearance.
    package fileprivate(set) var references: [String] = []
    /// The number of features with several geometries.
    package fileprivate(set) var severalGeometries = 0
    fileprivate var skipped = SkippedRows()

    /// The warning about features that were left out; none without any.
    package var skipWarnings: [String] { skipped.warnings }
  }

  /// The features by the name of their type.
  package private(set) var layers: [String: Layer] = [:]
  private let text: [UInt8]
  private let skipsBadRows: Bool
  /// The ranges of features that cannot be read.
  private var badFeatures: [Range<Int>] = []
  /// The ranges of attributes with the name of a spatial reference.
  private var attributes: [(name: String, range: Range<Int>)] = []
  /// The spatial reference of the whole collection.
  private var collectionReference: String?

  /// Reads the features of a document.
  ///
  /// - Throws: ``FeatureReadError`` for XML that is not well-formed, and for coordinates that are not numbers, unless such
  ///   features are left out.
  package init(_ bytes: [UInt8], skipsBadRows: Bool) throws(FeatureReadError) {
    text = try XMLEncoding.utf8(bytes, given: nil).bytes
    self.skipsBadRows = skipsBadRows
    var scanner = XMLScanner(text)
    var parents: [String] = []
    do {
      while let part = try scanner.next() {
        switch part {
        case .start where Self.holdsFeatures(parents.last ?? ""): try feature(&scanner)
        case .start:
          if parents.last == "boundedBy", let name = try reference(scanner) { collectionReference = name }
          parents.append(scanner.name)
        case .end: parents.removeLast()
        case .text: break
        }
      }
    } catch {
      throw FeatureReadError(error, in: text)
    }
  }

  /// The names of all spatial references.
  package var references: Set<String> { Set(attributes.map(\.name)) }

  /// Returns the document without features that cannot be read, and without some spatial references; nil if it is to be
  /// read as it is.
  package func bytes(withoutReferences names: Set<String>) -> [UInt8]? {
    var removed = badFeatures + attributes.filter { names.contains($0.name) }.map(\.range)
    guard !removed.isEmpty else { return nil }
    // The text is UTF-8 now, which the declaration may not state.
    if text.starts(with: "<?xml".utf8), let end = text.firstIndex(of: UInt8(ascii: ">")) {
      removed.append(0..<end + 1)
    }
    var (kept, place) = ([UInt8](), 0)
    kept.reserveCapacity(text.count)
    for range in removed.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound >= place {
      kept += text[place..<range.lowerBound]
      place = range.upperBound
    }
    return kept + text[place...]
  }

  // MARK: Features

  private static func holdsFeatures(_ element: String) -> Bool {
    let name = element.lowercased()
    return name.hasSuffix("member") || name.hasSuffix("members")
  }

  /// Reads the feature whose start was read, up to its end.
  private mutating func feature(_ scanner: inout XMLScanner) throws(ReadFault) {
    let (name, start, depth) = (scanner.name, scanner.place, scanner.depth)
    var layer = layers[name] ?? Layer()
    var (references, geometries): ([String], Int) = ([], 0)
    do throws(ReadFault) {
      while let part = try scanner.next(), part != .end || scanner.depth >= depth {
        guard part == .start else { continue }
        if scanner.name == "boundedBy" {
          _ = try reference(scanner)
          try scanner.skipElement()
        } else if Self.geometries.contains(scanner.name) {
          geometries += 1
          try geometry(&scanner, &references)
        }
      }
    } catch {
      // A document that is not well-formed ends with the same error here.
      guard skipsBadRows else { throw error }
      try scanner.skip(toDepth: depth - 1)
      layer.skipped.note(FeatureReadError(error, in: text))
      badFeatures.append(start..<scanner.offset)
      layers[name] = layer
      return
    }
    if geometries > 1 { layer.severalGeometries += 1 }
    for reference in references where !layer.references.contains(reference) {
      layer.references.append(reference)
    }
    layers[name] = layer
  }

  /// Returns the spatial reference that the last start tag names.
  private mutating func reference(_ scanner: XMLScanner) throws(ReadFault) -> String? {
    guard let attribute = scanner.attributes.first(where: { $0.name == "srsName" }),
      let name = try scanner.attribute("srsName")
    else { return nil }
    attributes.append((name, attribute.fullName.lowerBound..<attribute.value.upperBound + 1))
    return name
  }

  // MARK: Geometries

  /// The elements that are geometries where they are not part of another one.
  private static let geometries: Set<String> = [
    "Point", "LineString", "LinearRing", "Ring", "Curve", "OrientableCurve", "CompositeCurve", "Polygon",
    "PolygonPatch",
    "Surface", "OrientableSurface", "CompositeSurface", "PolyhedralSurface", "Tin", "TriangulatedSurface",
    "Solid",
    "CompositeSolid", "Box", "Envelope", "MultiPoint", "MultiLineString", "MultiCurve", "MultiPolygon",
    "MultiSurface",
    "MultiSolid", "MultiGeometry", "GeometryCollection", "GeometricComplex", "TopoCurve", "TopoSurface",
  ]

  /// Reads the geometry whose start was read, up to its end.
  private mutating func geometry(
    _ scanner: inout XMLScanner, _ references: inout [String]
  ) throws(ReadFault) {
    let depth = scanner.depth
    // One without a name has that of the collection.
    if let name = try reference(scanner) ?? collectionReference { references.append(name) }
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      if let name = try reference(scanner) { references.append(name) }
      switch scanner.name {
      case "pos", "lowerCorner", "upperCorner": try numbers(&scanner, atLeast: 2)
      case "posList": try numbers(&scanner)
      case "X", "Y", "Z", "radius", "startAngle", "endAngle": try numbers(&scanner, atLeast: 1)
      case "coordinates":
        let decimal = try scanner.attribute("decimal")?.utf8.first ?? UInt8(ascii: ".")
        let separators = [try scanner.attribute("cs") ?? ",", try scanner.attribute("ts") ?? " "]
        try numbers(&scanner, decimal: decimal, separators: separators.flatMap { $0.utf8 })
      default: break
      }
    }
  }

  /// Checks that the text of the element whose start was read is of numbers, up to its end.
  private func numbers(
    _ scanner: inout XMLScanner, atLeast least: Int = 0, decimal: UInt8 = UInt8(ascii: "."),
    separators: [UInt8] = []
  ) throws(ReadFault) {
    let (name, place) = (scanner.name, scanner.place)
    let parts = try scanner.elementText().split { XMLScanner.isSpace($0) || separators.contains($0) }
    for part in parts {
      // A point is no sign of a number that has another decimal sign.
      let number = part.map { $0 == decimal ? 0x2E : $0 == 0x2E ? decimal : $0 }
      guard let literal = DecimalLiteral(loose: number, at: 0), literal.end == number.count,
        literal.double(in: number).isFinite
      else {
        let found = String(decoding: part.prefix(40), as: UTF8.self)
        throw ReadFault("<\(name)>: a number, not \"\(found)\"", at: place)
      }
    }
    guard parts.count >= least else {
      throw ReadFault("<\(name)>: \(least == 1 ? "a number" : "at least \(least) numbers")", at: place)
    }
  }
}
