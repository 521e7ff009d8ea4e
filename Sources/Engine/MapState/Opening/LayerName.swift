public import MapFilter

/// The names that commands and steps use for the layers of a document: title, else id, else index from the bottom.
package struct LayerNames {
  /// The title and id of each layer, first at the bottom.
  package let layers: [(title: String, id: String)]

  package init(layers: [(title: String, id: String)]) { self.layers = layers }

  /// The layers with their indexes, for messages.
  package var list: String {
    guard !layers.isEmpty else { return "none" }
    return layers.enumerated().map { "[\($0)] \($1.title.isEmpty ? $1.id : $1.title)" }.joined(
      separator: ", ")
  }

  /// Returns the index of the layer with a name.
  ///
  /// - Throws: ``MapStateError`` of kind input that lists the layers, if no layer or several layers have the name.
  package func index(of name: String) throws(MapStateError) -> Int {
    for matches in [
      layers.indices.filter { layers[$0].title == name }, layers.indices.filter { layers[$0].id == name },
    ] {
      if matches.count == 1 { return matches[0] }
      if matches.count > 1 {
        throw MapStateError(.input, "layer name \"\(name)\" is ambiguous; available: \(list)")
      }
    }
    if let index = Int(name), layers.indices.contains(index) { return index }
    let nearest = NearestName.of(name, among: layers.flatMap { [$0.title, $0.id] })
    throw MapStateError(
      .input,
      "no layer named \"\(name)\"; \(nearest.map { "did you mean \"\($0)\"? " } ?? "")available: \(list)",
      suggestion: nearest)
  }

  /// Whether a layer has a name.
  package func isKnown(_ name: String) -> Bool {
    layers.contains { $0.title == name || $0.id == name } || Int(name).map(layers.indices.contains) ?? false
  }

  /// Returns the index of the only layer.
  ///
  /// - Throws: ``MapStateError``: of kind usage that lists the layers if there are several, of kind input if there is
  ///   none.
  package func onlyIndex() throws(MapStateError) -> Int {
    guard !layers.isEmpty else { throw MapStateError(.input, "the document has no readable layer") }
    guard layers.count == 1 else {
      throw MapStateError(.usage, "name one layer with --layer; available: \(list)")
    }
    return 0
  }

  /// Splits `NAME: SQL` at the longest known name; a text without a known name is only SQL.
  ///
  /// - Throws: ``MapStateError`` for a name that several layers have.
  package func split(_ clause: LayerClause) throws(MapStateError) -> (layer: Int?, filter: ParsedFilter) {
    var found: (Int?, ParsedFilter) = (nil, clause.readings[0])
    for filter in clause.readings.dropFirst() {
      let name = String(clause.text.dropLast(filter.text.count + 2))
      if isKnown(name) { found = (try index(of: name), filter) }
    }
    return found
  }
}

/// A filter that may be written as `NAME: SQL`, before the names of the layers are known.
public struct LayerClause: Hashable, Sendable {
  /// The possible filters: the text itself, and the text after each `: ` in it.
  public let readings: [ParsedFilter]

  /// Parses all possible filters in a text.
  public init(_ text: String) {
    var readings = [ParsedFilter(text)]
    var rest = text[...]
    while let colon = rest.firstRange(of: ": ") {
      rest = rest[colon.upperBound...]
      readings.append(ParsedFilter(String(rest)))
    }
    self.readings = readings
  }

  /// The text as written.
  public var text: String { readings[0].text }
}

extension LayerClause: ExpressibleByStringLiteral {
  /// Creates a clause from a literal.
  public init(stringLiteral text: String) { self.init(text) }
}
