package import MapJSON
package import MapState

/// A field of a request: the name that options, steps and snapshot cases share, and its decoder.
package struct RequestField<Request: Sendable>: Sendable {
  /// The name in JSON, such as `displayFilter`; the option is `--display-filter`.
  package let name: String
  private let decode: @Sendable (JSONNode, inout Request) throws -> Void

  init(_ name: String, _ decode: @escaping @Sendable (JSONNode, inout Request) throws -> Void) {
    (self.name, self.decode) = (name, decode)
  }

  /// Creates a field whose value is a property.
  init<Value>(
    _ name: String, _ property: any WritableKeyPath<Request, Value> & Sendable,
    _ value: @escaping @Sendable (JSONNode) throws -> Value
  ) {
    self.init(name) { node, request in request[keyPath: property] = try value(node) }
  }

  /// The name of the option.
  package var option: String {
    "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
  }

  /// Decodes a value into a request.
  ///
  /// - Throws: `MapStateError` with the JSON path.
  func read(_ node: JSONNode, into request: inout Request) throws(MapStateError) {
    try node.decoding { try decode($0, &request) }
  }
}

/// A request that is decoded by a table of fields.
package protocol TabularRequest: Sendable {
  /// The table.
  static var fields: [RequestField<Self>] { get }
}

extension TabularRequest {
  /// The names in JSON.
  package static var names: [String] { fields.map(\.name) }

  /// Decodes the members of an object whose names are in the table, or only some of these.
  ///
  /// - Throws: `MapStateError` with the JSON path; other members are ignored, see ``JSONNode/refuseUnknown(_:)``.
  package mutating func read(_ node: JSONNode, _ names: [String]? = nil) throws(MapStateError) {
    for field in Self.fields where names?.contains(field.name) ?? true {
      if let member = node[field.name] { try field.read(member, into: &self) }
    }
  }
}

extension MapStateError {
  /// Returns the result of a body; its errors become errors of this type.
  static func reading<Value>(_ body: () throws -> Value) throws(MapStateError) -> Value {
    do { return try body() } catch { throw MapStateError(error) }
  }
}

extension JSONNode {
  /// Returns the result of a decoder; its errors name the JSON path.
  func decoding<Value>(_ decode: (JSONNode) throws -> Value) throws(MapStateError) -> Value {
    do {
      return try decode(self)
    } catch let error as MapStateError where error.path == nil {
      throw MapStateError(
        error.kind, "\(path): \(error)", detail: error.detail, path: path.description,
        suggestion: error.suggestion)
    } catch {
      throw MapStateError(error)
    }
  }

  /// Throws for a member with another name, so that misspelt names are not ignored.
  package func refuseUnknown(_ known: [String]) throws(JSONDecodingError) {
    for member in try object().members where !known.contains(member.name) {
      // Answers write the spatial reference beside an extent, and geometries write it inside.
      let isReference = ["wkid", "latestWkid"].contains(member.name) && known.contains("spatialReference")
      let nearest = isReference ? "spatialReference" : NearestName.of(member.name, among: known)
      throw JSONDecodingError(
        .invalid(
          "unknown key \"\(member.name)\"; \(nearest.map { "did you mean \"\($0)\"? " } ?? "")"
            + "available: \(known.isEmpty ? "none" : known.sorted().joined(separator: ", "))"),
        at: path[member.name], suggestion: nearest)
    }
  }

  /// Reads an array of strings, or a single string.
  package func strings() throws(JSONDecodingError) -> [String] {
    guard value.string == nil else { return [try string()] }
    return try elements().map { node throws(JSONDecodingError) in try node.string() }
  }

  /// Reads an array of names, or names between commas.
  func names() throws(JSONDecodingError) -> [String] {
    guard let text = value.string else { return try strings() }
    return QuotedNames.split(text, at: ",").map(QuotedNames.unquoted)
  }

  /// Reads one of the names of a type.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ type: Choice.Type
  ) throws(JSONDecodingError) -> Choice {
    let (name, known) = (try string(), Choice.allCases.map(\.rawValue))
    guard let choice = Choice(rawValue: name) else {
      throw JSONDecodingError(
        .invalid("\"\(name)\" is not one of \(known.joined(separator: ", "))"), at: path,
        suggestion: NearestName.of(name, among: known))
    }
    return choice
  }
}

/// A value of a request with a text form, which options and JSON share.
package protocol RequestText {
  /// Reads the text form.
  init(text: String) throws(MapStateError)
}

extension RequestText {
  /// Reads the text form from a string.
  init(_ node: JSONNode) throws { try self.init(text: node.string()) }
}

/// Decimal numbers between commas.
package enum DecimalNumbers {
  /// Returns the numbers; nil unless they are finite and as many as allowed.
  package static func read(_ text: String, counts: ClosedRange<Int>) -> [Double]? {
    var values: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let digits = part.drop { $0 == " " }
      // Double("0x1p3") and Double("nan") parse, but neither is a decimal number.
      guard let value = Double(String(digits)), value.isFinite, !digits.lowercased().contains("x") else {
        return nil
      }
      values.append(value)
    }
    return counts.contains(values.count) ? values : nil
  }
}
