package import MapJSON
import MapDocuments
import MapModel
package import MapState
import MapSystem

/// A property of a document that differs from an earlier one.
package struct PropertyDifference: Hashable, Sendable {
  /// The titles of group and layer, and the label of the class, from the outside in.
  package let place: [String]
  /// The property, such as `symbol.outline.width`.
  package let property: String
  /// The values as text; `none` for a missing one.
  package let before: String
  package let after: String
  /// The path in the later document, or in the earlier one for a removed value.
  package let path: JSONPath

  /// The difference in one line: `layer › class › property: before → after`.
  package var text: String {
    MessageText.line((place + [property]).joined(separator: " › ") + ": \(before) → \(after)")
  }

  package var json: JSONValue {
    [
      "place": .array(place.map { .string($0) }), "property": .string(property), "before": .string(before),
      "after": .string(after), "path": .string("\(path)"),
    ]
  }
}

/// The differences of two documents in meaning: the order of members, blanks and the way numbers are written do not
/// count, and neither does a member that states the default.
package struct DocumentDifference: Sendable {
  /// The differences, in the order of the later document.
  package private(set) var properties: [PropertyDifference] = []
  /// The pairs of layers that belong together, by their indexes in both documents.
  package private(set) var layers: [(before: Int, after: Int)] = []
  private let defaults: DefaultMembers

  /// Compares two documents.
  ///
  /// - Cost: proportional to the size of the documents; lists without names are compared element by element.
  package init(_ before: MapDocument, _ after: MapDocument) {
    defaults = DefaultMembers(before, after)
    let (old, new) = (
      before.webMap.source ?? before.style ?? .null, after.webMap.source ?? after.style ?? .null
    )
    if !old.means(new) { compare(old, new, Place(), before: .root, after: .root) }
    matchLayers(before, after)
  }

  /// The position of a value in both documents.
  private struct Place {
    var names: [String] = []
    var property: [String] = []
  }

  // MARK: Values

  private mutating func compare(
    _ old: JSONValue, _ new: JSONValue, _ place: Place, before: JSONPath, after: JSONPath
  ) {
    switch (old, new) {
    case (.object(let a), .object(let b)):
      let names = b.members.map(\.name) + a.members.map(\.name).filter { b[$0] == nil }
      for name in names {
        let (first, second) = (a[name] ?? .null, b[name] ?? .null)
        guard !first.means(second) else { continue }
        // Rows are compared as tables.
        if name == "featureSet" { continue }
        var inner = place
        if !Self.isFrame(name) { inner.property.append(name) }
        if first.isNull || second.isNull,
          defaults.contains(first.isNull ? after[name] : before[name], isNew: first.isNull)
        {
          continue
        }
        compare(first, second, inner, before: before[name], after: after[name])
      }
    case (.array(let a), .array(let b)) where (a + b).contains { $0.object != nil }:
      compare(a, b, place, before: before, after: after)
    default:
      let isRemoved = new.isNull
      properties.append(
        PropertyDifference(
          place: place.names,
          property: place.property.isEmpty ? Self.lastName(after) : place.property.joined(separator: "."),
          before: Self.text(old), after: Self.text(new), path: isRemoved ? before : after))
    }
  }

  /// Compares two lists of objects, whose elements are matched by name.
  private mutating func compare(
    _ olds: [JSONValue], _ news: [JSONValue], _ place: Place, before: JSONPath, after: JSONPath
  ) {
    let kind = Self.lastName(after)
    let matches = Self.matches(olds, news)
    func inside(_ element: JSONValue, _ index: Int) -> Place {
      var inner = place
      if let name = Self.name(of: element, in: kind, index) {
        inner.names.append(name)
        inner.property = []
      } else {
        inner.property.append("\(index + 1)")
      }
      return inner
    }
    func add(_ element: JSONValue, _ index: Int, isNew: Bool) {
      let inner = inside(element, index)
      properties.append(
        PropertyDifference(
          place: inner.names,
          property: inner.property.isEmpty
            ? Self.word(for: kind, element) : inner.property.joined(separator: "."),
          before: isNew ? "none" : "present", after: isNew ? "added" : "removed",
          path: isNew ? after[index] : before[index]))
    }
    let byNew = Dictionary(matches.map { ($0.after, $0.before) }, uniquingKeysWith: { first, _ in first })
    for (index, new) in news.enumerated() {
      guard let old = byNew[index] else {
        add(new, index, isNew: true)
        continue
      }
      if !olds[old].means(new) {
        compare(olds[old], new, inside(new, index), before: before[old], after: after[index])
      }
    }
    let matched = Set(matches.map(\.before))
    for (index, old) in olds.enumerated() where !matched.contains(index) { add(old, index, isNew: false) }
    let order = matches.sorted { $0.after < $1.after }.map(\.before)
    guard order != order.sorted() else { return }
    // Both lists have the later names, so that a new title is no new order.
    let partners = Dictionary(matches.map { ($0.before, $0.after) }, uniquingKeysWith: { first, _ in first })
    func list(_ indexes: [Int]) -> String {
      Self.cut(
        indexes.map { Self.name(of: news[$0], in: kind, $0) ?? "\($0 + 1)" }.joined(separator: ", "))
    }
    properties.append(
      PropertyDifference(
        place: place.names, property: "order of \(Self.plural(kind))",
        before: list(order.sorted().compactMap { partners[$0] }), after: list(matches.map(\.after).sorted()),
        path: after))
  }

  /// Matches the elements of two lists: equal ones, then those with the same name, then those without a name in order.
  ///
  /// - Cost: one lookup per element and name.
  static func matches(_ olds: [JSONValue], _ news: [JSONValue]) -> [(before: Int, after: Int)] {
    var (openOlds, openNews) = (Array(olds.indices), Array(news.indices))
    var found: [(before: Int, after: Int)] = []
    func match(_ key: (JSONValue) -> String?) {
      var places: [String: [Int]] = [:]
      for index in openNews.reversed() {
        if let key = key(news[index]) { places[key, default: []].append(index) }
      }
      var used: Set<Int> = []
      openOlds = openOlds.filter { old in
        guard let key = key(olds[old]), let new = places[key]?.popLast() else { return true }
        found.append((old, new))
        used.insert(new)
        return false
      }
      openNews.removeAll { used.contains($0) }
    }
    match { $0.normal.text() }
    let names = ["id", "itemId", "value", "values", "name", "title", "field", "fieldName"]
    for name in names + ["label", "where", "type"] {
      match { element in element[name].map { $0.normal.text() } }
    }
    // Elements with different names are different elements.
    func isNamed(_ element: JSONValue) -> Bool { names.contains { element[$0] != nil } }
    let unnamed = zip(openOlds.filter { !isNamed(olds[$0]) }, openNews.filter { !isNamed(news[$0]) })
    for (old, new) in unnamed { found.append((old, new)) }
    return found
  }

  // MARK: Names

  /// Returns the name of the last member of a path; "document" for the root.
  private static func lastName(_ path: JSONPath) -> String {
    for case .member(let name) in path.steps.reversed() { return name }
    return "document"
  }

  /// Whether a member only groups others, so that it is left out of names.
  private static func isFrame(_ name: String) -> Bool {
    [
      "operationalLayers", "layerDefinition", "drawingInfo", "renderer", "featureCollection", "layers",
      "uniqueValueInfos", "uniqueValueGroups", "classes", "classBreakInfos", "labelingInfo",
      "displayFilterInfo",
      "filters", "baseMapLayers", "initialState", "passes", "rules",
    ].contains(name)
  }

  /// Returns the name of an element of a list of layers, classes or filters; nil in other lists.
  private static func name(of element: JSONValue, in list: String, _ index: Int) -> String? {
    func first(_ names: String...) -> String? {
      names.lazy.compactMap { element[$0].map { $0.string ?? $0.text() } }.first { !$0.isEmpty }
    }
    switch list {
    case "operationalLayers", "layers", "baseMapLayers", "tables", "bookmarks":
      return first("title", "name", "id") ?? element["layerDefinition"]?["name"]?.string ?? "\(index)"
    case "uniqueValueInfos", "classes": return first("label", "value", "values") ?? "\(index)"
    case "uniqueValueGroups": return first("heading")
    case "classBreakInfos":
      return first("label") ?? "up to \(element["classMaxValue"]?.text() ?? "?")"
    case "passes": return first("name").map { "pass \"\($0)\"" }
    case "rules":
      return first("label", "name").map { "rule \"\($0)\"" } ?? first("where", "filter") ?? "rule \(index)"
    case "labelingInfo": return first("name").map { "labels \"\($0)\"" } ?? "labels \(index)"
    case "filters":
      return first("title", "name", "id").map { "display filter \"\($0)\"" } ?? "display filter \(index)"
    default: return nil
    }
  }

  private static func word(for list: String, _ element: JSONValue) -> String {
    switch list {
    case "operationalLayers", "layers", "baseMapLayers":
      element["layerType"]?.string == "GroupLayer" ? "group" : "layer"
    case "uniqueValueInfos", "classes", "classBreakInfos": "class"
    case "rules": "rule"
    case "passes": "pass"
    case "labelingInfo": "label class"
    case "filters": "filter"
    default: list.isEmpty ? "element" : list
    }
  }

  private static func plural(_ list: String) -> String {
    switch list {
    case "operationalLayers", "layers", "baseMapLayers": "layers"
    case "uniqueValueInfos", "classes", "classBreakInfos": "classes"
    case "labelingInfo": "label classes"
    default: list
    }
  }

  /// Returns a value as text: colours as `#rrggbbaa`, long values cut.
  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: return "none"
    case .string(let text): return text.isEmpty ? "\"\"" : cut(text)
    case .array(let elements) where (3...4).contains(elements.count):
      let bytes = elements.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }
      guard bytes.count == elements.count else { return cut(value.text()) }
      return "#" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    default: return cut(value.text())
    }
  }

  private static func cut(_ text: String) -> String { text.count > 120 ? text.prefix(119) + "…" : text }

  // MARK: Layers

  private mutating func matchLayers(_ before: MapDocument, _ after: MapDocument) {
    func key(_ item: OpenedLayer) -> JSONValue {
      ["id": .string(item.layer.id), "title": .string(item.layer.title)]
    }
    layers = Self.matches(before.layers.map(key), after.layers.map(key)).sorted { $0.after < $1.after }
  }
}

/// The members that state a default: members of layers that mean the same without them.
private struct DefaultMembers {
  /// A document and the paths of its layers that mean the same in the other one.
  private struct Side {
    let document: JSONValue
    let layers: [JSONPath]
  }

  private let before: Side
  private let after: Side
  /// The paths that a document's warnings name, because their values are not drawn as written.
  private let reported: [JSONPath]

  init(_ old: MapDocument, _ new: MapDocument) {
    let pairs = zip(old.webMap.layers, new.webMap.layers)
    let same =
      old.webMap.layers.count == new.webMap.layers.count
      ? pairs.filter { $0.definition == $1.definition && $0.url == $1.url } : []
    func entry(_ path: JSONPath) -> JSONPath {
      JSONPath(steps: Array(path.steps.prefix { $0 != .member("featureCollection") }))
    }
    before = Side(document: old.webMap.source ?? .null, layers: same.map { entry($0.0.path) })
    after = Side(document: new.webMap.source ?? .null, layers: same.map { entry($0.1.path) })
    reported = (old.warnings + new.warnings).compactMap(\.path)
  }

  /// Whether a member that only one document has states the default.
  ///
  /// All members on its path are read, so that equal layers mean equal values.
  func contains(_ path: JSONPath, isNew: Bool) -> Bool {
    let side = isNew ? after : before
    guard side.layers.contains(where: { path.steps.starts(with: $0.steps) && path != $0 }),
      !reported.contains(where: { $0.steps.starts(with: path.steps) }),
      let members = DocumentObject.map.members(on: path, in: side.document)
    else { return false }
    return members.allSatisfy(\.treatment.isRead)
  }
}

extension JSONValue {
  /// The value with numbers in their shortest form, and without null members.
  fileprivate var normal: JSONValue {
    switch self {
    case .number(let number): return .number(number.double)
    case .array(let elements): return .array(elements.map(\.normal))
    case .object(let object):
      var normal = JSONObject()
      for member in object.members.sorted(by: { $0.name < $1.name }) where !member.value.isNull {
        normal[member.name] = member.value.normal
      }
      return .object(normal)
    default: return self
    }
  }

  /// Whether two values mean the same.
  fileprivate func means(_ other: JSONValue) -> Bool { self == other || normal == other.normal }
}
