import MapReaders

/// The types, formats and filters that a Web Feature Service offers.
///
/// - Source: OGC 09-025r2 (WFS 2.0), clause 8.3; OGC 04-094 (WFS 1.1), clause 13; OGC 06-121r3 (OWS Common).
struct WFSCapabilities: Sendable {
  /// A type of features.
  struct FeatureType: Sendable {
    /// The name, with a prefix if it has one.
    var name = ""
    var title = ""
    /// The names of the spatial references, first the default.
    var references: [String] = []
    var formats: [String] = []
    /// West, south, east and north in degrees; nil if they are not stated.
    var bounds: [Double]?
  }

  /// The greatest number of feature types, references and formats that are read.
  private static let most = 100_000

  /// The version that the service answers with.
  private(set) var version = ""
  private(set) var types: [FeatureType] = []
  /// The formats of features.
  private(set) var formats: [String] = []
  /// The constraints of the service by their names, such as `ImplementsResultPaging`.
  private(set) var constraints: [String: String] = [:]
  /// The names of the comparisons that filters may have, in lower case.
  private(set) var comparisons: Set<String> = []
  private(set) var url = ""

  /// Requests the capabilities of a service.
  ///
  /// - Throws: ``ServiceError`` for any other answer, and for a version that is not read.
  init(_ address: WFSAddress, _ client: ServiceClient) async throws(ServiceError) {
    let request = HTTPRequest(
      get: address.service,
      [
        ("service", "WFS"), ("request", "GetCapabilities"),
        ("acceptVersions", address.version ?? "2.0.0,1.1.0"),
      ])
    let response = try await client.response(to: request)
    try response.checkForData("capabilities were")
    url = response.url
    do {
      var scanner = try XMLScanner(decoding: response.body)
      guard try scanner.next() == .start, scanner.name == "WFS_Capabilities" else {
        throw ServiceError("answered with <\(scanner.name)>, not with the capabilities of a WFS", at: url)
      }
      version = try scanner.attribute("version") ?? ""
      try read(&scanner)
    } catch let error as ServiceError { throw error } catch {
      throw ServiceError(
        "answered with capabilities that cannot be read: \(FeatureReadError(error, in: response.body))",
        at: url)
    }
    guard version.hasPrefix("2.0.") || version.hasPrefix("1.1.") else {
      throw ServiceError(
        "answers as WFS \(version.isEmpty ? "of no version" : version); 2.0 and 1.1 are read", at: url)
    }
  }

  // MARK: Reading

  private mutating func read(_ scanner: inout XMLScanner) throws {
    var found = self
    try scanner.elements { scanner throws(ReadFault) in
      switch scanner.name {
      case "OperationsMetadata":
        try scanner.elements { scanner throws(ReadFault) in
          switch scanner.name {
          case "Operation":
            guard try scanner.attribute("name") == "GetFeature" else { return }
            try scanner.elements { scanner throws(ReadFault) in
              if scanner.name == "Parameter", try scanner.attribute("name") == "outputFormat" {
                found.formats += try Self.texts(&scanner, named: ["Value"])
              } else if scanner.name == "Constraint" {
                try found.readConstraint(&scanner)
              }
            }
          case "Constraint": try found.readConstraint(&scanner)
          default: break
          }
        }
      case "FeatureTypeList":
        try scanner.elements { scanner throws(ReadFault) in
          guard scanner.name == "FeatureType", found.types.count < Self.most else { return }
          found.types.append(try Self.type(&scanner))
        }
      case "Filter_Capabilities": try found.readFilters(&scanner)
      default: break
      }
    }
    self = found
  }

  private mutating func readConstraint(_ scanner: inout XMLScanner) throws(ReadFault) {
    guard let name = try scanner.attribute("name") else { return }
    let values = try Self.texts(&scanner, named: ["DefaultValue", "Value"])
    if constraints.count < 1000 { constraints[name] = values.last }
  }

  private mutating func readFilters(_ scanner: inout XMLScanner) throws(ReadFault) {
    var found: Set<String> = []
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start, scanner.name == "ComparisonOperator" else { continue }
      if let name = try scanner.attribute("name"), found.count < 100 { found.insert(name.lowercased()) }
    }
    comparisons = found
  }

  private static func type(_ scanner: inout XMLScanner) throws(ReadFault) -> FeatureType {
    var type = FeatureType()
    try scanner.elements { scanner throws(ReadFault) in
      switch scanner.name {
      case "Name": type.name = try text(&scanner)
      case "Title": type.title = try text(&scanner)
      case "DefaultCRS", "DefaultSRS": type.references.insert(try text(&scanner), at: 0)
      case "OtherCRS", "OtherSRS":
        if type.references.count < most { type.references.append(try text(&scanner)) }
      case "OutputFormats": type.formats += try texts(&scanner, named: ["Format"])
      case "WGS84BoundingBox":
        let corners = try texts(&scanner, named: ["LowerCorner", "UpperCorner"])
        let numbers = corners.flatMap { $0.split(separator: " ").compactMap { Double($0) } }
        // A box across the antimeridian becomes the whole width of the world, because an extent is one box.
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[1] <= numbers[3] else { return }
        let isSplit = numbers[0] > numbers[2]
        type.bounds = isSplit ? [-180, numbers[1], 180, numbers[3]] : numbers
      default: break
      }
    }
    return type
  }

  /// Returns the texts of the elements with some names inside the element that was opened last.
  private static func texts(
    _ scanner: inout XMLScanner, named names: Set<String>
  ) throws(ReadFault) -> [String] {
    var texts: [String] = []
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start, names.contains(scanner.name) else { continue }
      let text = try text(&scanner)
      if texts.count < most { texts.append(text) }
    }
    return texts
  }

  private static func text(_ scanner: inout XMLScanner) throws(ReadFault) -> String {
    let text = String(decoding: try scanner.elementText(), as: UTF8.self)
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  // MARK: Choosing

  /// Whether answers may be divided into pages.
  var canPage: Bool {
    version.hasPrefix("2.") && constraints["ImplementsResultPaging"]?.uppercased() != "FALSE"
  }

  /// Returns a type of features by its name, with or without its prefix; the only one without a name.
  ///
  /// - Throws: ``ServiceError`` that lists the types.
  func type(named name: String?) throws(ServiceError) -> FeatureType {
    if let name {
      if let type = types.first(where: { $0.name == name }) { return type }
      let same = types.filter { Self.local($0.name) == Self.local(name) }
      if same.count == 1, !name.contains(":") || !same[0].name.contains(":") { return same[0] }
    } else if types.count == 1 {
      return types[0]
    }
    let names = types.prefix(20).map(\.name).joined(separator: ", ")
    let rest = types.count > 20 ? " and \(types.count - 20) more" : ""
    let list = types.isEmpty ? "" : "; available: \(names)\(rest)"
    guard let name else {
      throw ServiceError(
        types.isEmpty
          ? "offers no type of features"
          : "offers \(types.count) types of features: add the name of one after #, as in #\(types[0].name)\(list)",
        at: url)
    }
    throw ServiceError("has no type of features \"\(name)\"\(list)", at: url)
  }

  /// Returns a name without its prefix.
  static func local(_ name: String) -> String { name.split(separator: ":").last.map(String.init) ?? name }

  /// Returns the formats in which a type is requested, the best first: GeoJSON, and GML 3.2, 3.1 or the default.
  ///
  /// - Returns: nil for the format that the service sends by default.
  func formats(of type: FeatureType, wanted: String?) -> [(name: String?, isJSON: Bool)] {
    if let wanted { return [(wanted, Self.isJSON(wanted))] }
    let all = type.formats + formats
    let json = ["geo+json", "geojson", "application/json", "json"].lazy.compactMap { word in
      all.first { Self.isJSON($0) && $0.lowercased().contains(word) }
    }.first
    return (json.map { [($0, true)] } ?? []) + [(nil, false)]
  }

  private static func isJSON(_ format: String) -> Bool {
    let format = format.lowercased()
    return format.contains("json") && !format.contains("javascript") && !format.contains("jsonp")
      && !format.contains("ld+json") && !format.contains("topojson")
  }
}

extension HTTPResponse {
  /// Checks that the answer has status 200 and content other than an exception or a web page.
  ///
  /// - Parameter what: the requested data, with its verb, for the error.
  /// - Throws: ``ServiceError`` with the status and the service's explanation.
  func checkForData(_ what: String) throws(ServiceError) {
    let reason = explanation
    guard status == 200 else {
      throw ServiceError("answered \(status)" + (reason.map { ": \($0)" } ?? ""), at: url)
    }
    if let text = OWSException.text(of: body) {
      throw ServiceError("answered with status 200 but an error: \(text)", at: url)
    }
    guard body.contains(where: { $0 > 0x20 }) else { throw ServiceError("answered without content", at: url) }
    let head = String(decoding: body.drop { $0 <= 0x20 }.prefix(15), as: UTF8.self).lowercased()
    if header["content-type"]?.lowercased().contains("html") == true || head.hasPrefix("<!doctype html")
      || head.hasPrefix("<html")
    {
      throw ServiceError("answered with a web page, but \(what) requested", at: url)
    }
  }
}
