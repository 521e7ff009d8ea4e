import MapFeatures
import MapModel
import MapState

/// A renderer of the classes of two fields that are crossed.
struct CrossedClasses {
  /// The renderer, without colours.
  let renderer: RendererForm
  /// The colours of its classes.
  let colors: [Color]

  /// The colours of three by three classes: the first field from left to right, and the second from top to bottom.
  ///
  /// Readers with any colour blindness tell all pairs apart (CIEDE2000 of 11 or more), and the lightest one from white (5).
  ///
  /// - Source: design decision, after Trumbo, "A Theory for Coloring Bivariate Statistical Maps", The American
  ///   Statistician 35(4), 1981: the hues of both fields are those of one colour blindness axis, and mix to black.
  private static let standard: [[UInt32]] = [
    [0xe6e6e6, 0xf5df90, 0xf3b300], [0xa6cbe0, 0xb3b3b3, 0xb36600], [0x509dc2, 0x376387, 0x000000],
  ]

  /// Derives the classes of two fields with numbers.
  ///
  /// - Throws: `MapStateError` for a field without numbers, or with fewer different ones than classes.
  init(_ field: String, _ other: String, _ request: StyleRequest, _ data: StyledRows) throws(MapStateError) {
    let count = request.classes ?? 3
    let schema = data.table.schema
    func axis(_ name: String, of option: String) throws(MapStateError) -> ClassRelationship.Axis {
      let index = try schema.known(name, of: option)
      let name = schema.fields[index].name
      guard let numbers = data.numbers(ofColumn: index) else {
        let type = data.table.columns[index].type.rawValue
        throw MapStateError(.input, "\(option): field \"\(name)\" holds \(type) values, not numbers")
      }
      let known = numbers.compactMap { $0 }.filter(\.isFinite)
      let bounds = (request.method ?? .quantile).upperBounds(of: known, count: count)
      guard let least = known.min(), bounds.count == count else {
        throw MapStateError(
          .input, "\(option): the numbers of \"\(name)\" allow only \(bounds.count) of \(count) classes")
      }
      return ClassRelationship.Axis(
        fieldName: name, label: FieldTitle.text(of: [name], in: schema.fields), minimum: least,
        upperBounds: bounds)
    }
    let (first, second) = (try axis(field, of: "--color-by"), try axis(other, of: "--cross-by"))
    guard let relationship = ClassRelationship(first: first, second: second) else {
      throw MapStateError(.usage, "--classes \(count) is impossible with --cross-by; give 2 or 3")
    }
    let letters = relationship.letters
    let words = ["L": "low", "M": "medium", "H": "high"]
    var classes: [UniqueValueRenderer.UniqueValue] = []
    for upper in letters {
      for lower in letters {
        let text =
          "\(words[lower] ?? lower) \(Self.inSentence(first.label)), "
          + "\(words[upper] ?? upper) \(Self.inSentence(second.label))"
        classes.append(
          UniqueValueRenderer.UniqueValue(
            values: [lower + upper], label: text.prefix(1).uppercased() + text.dropFirst(),
            symbol: CompositeSymbol().form))
      }
    }
    var renderer = UniqueValueRenderer(fieldNames: [], uniqueValues: classes, defaultLabel: "No data")
    do { try renderer.classify(by: relationship) } catch {
      throw MapStateError(.input, "--cross-by: \(error)")
    }
    renderer.legendOptions.title = request.heading ?? ""
    self.renderer = .uniqueValue(renderer)
    let ends = count == 2 ? [0, 2] : [0, 1, 2]
    colors =
      request.colors
      ?? ends.flatMap { row in
        ends.map { column in
          let code = Self.standard[row][column]
          return Color(red: UInt8(code >> 16 & 255), green: UInt8(code >> 8 & 255), blue: UInt8(code & 255))
        }
      }
    guard colors.count >= count * count else {
      throw MapStateError(
        .usage, "--colors has \(colors.count) colours for \(count * count) classes of two fields")
    }
  }

  /// Returns a title with a small first letter, unless it is an abbreviation.
  private static func inSentence(_ title: String) -> String {
    title.dropFirst().first?.isUppercase ?? false ? title : title.prefix(1).lowercased() + title.dropFirst()
  }
}
