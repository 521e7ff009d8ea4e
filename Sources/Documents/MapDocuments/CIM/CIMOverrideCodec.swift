import MapExpressions
import MapJSON
import MapModel

/// The parts of a symbol by the names that overrides use.
struct CIMPrimitiveNames {
  /// A part of a symbol, or a shape of a marker.
  struct Place {
    let part: Int
    var shape: Int?
  }

  private var places: [String: Place] = [:]
  private var part = 0

  /// Notes the name of a symbol layer that becomes a part.
  mutating func begin(_ layer: JSONNode, at part: Int) {
    self.part = part
    add(layer, Place(part: part, shape: nil))
  }

  /// Notes the name of an object within the current layer that becomes a shape of its marker.
  mutating func add(_ node: JSONNode, shape: Int) { add(node, Place(part: part, shape: shape)) }

  /// Notes the names of the layers of a symbol that all belong to one shape.
  mutating func add(_ symbol: JSONNode, layersOf shape: Int) {
    for layer in (try? symbol.elements("symbolLayers")) ?? [] { add(layer, shape: shape) }
  }

  private mutating func add(_ node: JSONNode, _ place: Place) {
    guard let name = node["primitiveName"]?.value.string, !name.isEmpty else { return }
    places[name] = places[name] ?? place
  }

  /// Returns the place of a name; nil for a name that no drawn part has.
  subscript(name: String) -> Place? { places[name] }
}

/// A codec for primitive overrides, which set properties of CIM symbols by feature.
///
/// - Source: Esri CIM specification, `CIMPrimitiveOverride`.
enum CIMOverrideCodec {
  private static let properties: [String: SymbolOverride.Property] = [
    "color": .color, "size": .size, "width": .width, "rotation": .angle, "offsetx": .offsetX,
    "offsety": .offsetY, "textstring": .text, "height": .size,
  ]

  /// Returns a symbol with its overrides; one that cannot be applied is reported.
  static func symbol(
    _ form: SymbolForm, _ node: JSONNode, _ names: CIMPrimitiveNames, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SymbolForm {
    var overrides: [SymbolOverride] = []
    for item in try node.elements() {
      CIMMembers.reportUnread(
        item,
        known: ["type", "primitiveName", "propertyName", "expression", "valueExpressionInfo"], &report)
      let (name, property) = (try item.string("primitiveName") ?? "", try item.string("propertyName") ?? "")
      guard let place = names[name] else {
        report.note(item.path["primitiveName"], "not applied: no drawn part is named \"\(name.prefix(200))\"")
        continue
      }
      guard let known = properties[property.lowercased()] else {
        report.note(
          item.path["propertyName"], "not applied: \"\(property.prefix(200))\" cannot be set by feature")
        continue
      }
      guard let input = try input(item, &report) else { continue }
      overrides.append(SymbolOverride(part: place.part, shape: place.shape, property: known, input: input))
    }
    guard !overrides.isEmpty else { return form }
    var composite: CompositeSymbol
    if case .composite(let own) = form {
      composite = own
    } else {
      composite = CompositeSymbol()
      composite.parts = [form]
    }
    composite.overrides = overrides
    return .composite(composite)
  }

  // MARK: The form of composite symbols

  /// Reads the overrides of a composite symbol, by the index of the part.
  ///
  /// - Source: design decision; web maps have no such symbol.
  static func overrides(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [SymbolOverride] {
    var overrides: [SymbolOverride] = []
    for item in try node.elements() {
      let name = try item.required("property").string()
      guard let property = SymbolOverride.Property(rawValue: name) else {
        throw item.invalid("a symbol has no property \"\(name.prefix(200))\"")
      }
      guard let input = try input(item, &report) else { continue }
      overrides.append(
        SymbolOverride(
          part: try item.required("part").integer(), shape: try item["shape"]?.integer(), property: property,
          input: input))
    }
    return overrides
  }

  /// Returns the overrides of a composite symbol.
  static func json(_ overrides: [SymbolOverride]) -> JSONValue {
    .array(
      overrides.map { override in
        var members: [(String, JSONValue)] = [
          ("part", .number(override.part)), ("property", .string(override.property.rawValue)),
        ]
        if let shape = override.shape { members.append(("shape", .number(shape))) }
        switch override.input {
        case .expression(let expression):
          members.append(("valueExpressionInfo", ["expression": .string(expression.text)]))
        case .field(let name, _): members.append(("expression", .string("[\(name)]")))
        case .scale: members.append(("valueExpressionInfo", ["expression": "$view.scale"]))
        }
        return EsriMembers.object(members)
      })
  }

  // MARK: Inputs

  private static func input(
    _ item: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> VariableInput? {
    if let info = item["valueExpressionInfo"], let text = try info.string("expression") {
      do throws(ArcadeError) {
        return .expression(try ArcadeExpression(parsing: text))
      } catch {
        report.note(info.path["expression"], "not applied: \(error)")
        return nil
      }
    }
    // The older form names a field in brackets.
    if let text = try item.string("expression"), text.hasPrefix("["), text.hasSuffix("]") {
      return .field(String(text.dropFirst().dropLast()))
    }
    report.note(item.path, "not applied: there is no expression that is evaluated")
    return nil
  }
}
