import Foundation
import MapDocuments
import MapJSON
import MapModel
import MapTestSupport
import Testing

/// Documents that together contain every member of ``DocumentObject``, misspelt and with values of wrong
/// kinds.
///
/// Source: made for this project; the members are those of the Esri web map specification.
@Suite struct DocumentMemberTests {
  /// The documents, by subject.
  static let names = [
    "map", "layers", "services", "files", "features", "definition", "renderers", "symbols", "labels",
    "popups",
  ]

  @Test("The test documents contain every member of every object")
  func coverage() throws {
    var missing: [String] = []
    var held: Set<String> = []
    for name in Self.names {
      for place in try Self.places(name) { held.insert("\(place.object).\(place.name)") }
    }
    var count = 0
    for object in DocumentObject.allCases where !object.hasVariants {
      for name in object.memberNames {
        count += 1
        if !held.contains("\(object).\(name)") { missing.append("\(object).\(name)") }
      }
    }
    #expect(missing.isEmpty, "\(missing)")
    #expect(count == 1236, "the table has \(count) members")
  }

  @Test("No object lists a member twice or has no members")
  func table() {
    for object in DocumentObject.allCases {
      #expect(!object.memberNames.isEmpty)
      #expect(Set(object.memberNames).count == object.memberNames.count, "\(object)")
    }
  }

  @Test("An unchanged document gives exactly the listed warnings", arguments: names)
  func unchanged(_ name: String) throws {
    let expected = try String(decoding: Self.data(name, "warnings"), as: UTF8.self)
    let warnings = try WebMap(Self.document(name)).warnings.map { "\($0)\n" }.sorted()
    #expect(warnings.joined() == expected)
  }

  @Test("A misspelt member is reported with its path and the intended name", arguments: names)
  func misspelt(_ name: String) throws {
    let document = try Self.document(name)
    var random = SeededGenerator(seed: 19)
    var cases = 0
    for place in try Self.places(name) {
      for misspelt in Self.misspellings(of: place.name, &random) {
        // The misspelling is another member, or a second member of this name.
        guard place.object.member(named: misspelt) == nil, !misspelt.isEmpty else { continue }
        cases += 1
        let changed = document.changing(place.steps) { object in
          object.renaming(place.name, to: misspelt)
        }
        let path = JSONPath(steps: place.steps)[misspelt]
        let said = Self.said(of: changed)
        #expect(
          said.contains { $0.contains("\(path): unknown member") && $0.contains("\"\(place.name)\"") },
          "\(path) for \(place.name): \(said)")
      }
    }
    #expect(cases == Self.misspeltCases[name])
  }

  @Test("A value of a wrong kind is reported with its path", arguments: names)
  func wrongKinds(_ name: String) throws {
    let document = try Self.document(name)
    var cases = 0
    for place in try Self.places(name) {
      guard let member = place.object.member(named: place.name) else { continue }
      for value in Self.wrongValues(for: member.shape) {
        cases += 1
        let changed = document.changing(place.steps) { object in
          var object = object
          object[place.name] = value
          return object
        }
        let path = "\(JSONPath(steps: place.steps)[place.name])"
        let said = Self.said(of: changed)
        #expect(
          said.contains { $0.contains("\(path): ") || $0.contains("\(path)[0]: ") },
          "\(path) = \(value.text()): \(said)")
      }
    }
    #expect(cases == Self.wrongCases[name])
  }

  @Test("A null member means the same as an absent one", arguments: names)
  func null(_ name: String) throws {
    let document = try Self.document(name)
    for place in try Self.places(name) {
      let (null, absent) = (
        document.changing(place.steps) { object in
          var object = object
          object[place.name] = .null
          return object
        },
        document.changing(place.steps) { object in
          var object = object
          object[place.name] = nil
          return object
        }
      )
      // `where` of a filter may be null; a null coordinate makes an empty point.
      guard place.object != .displayFilter, place.object != .geometry else { continue }
      #expect(Self.said(of: null) == Self.said(of: absent), "\(JSONPath(steps: place.steps)[place.name])")
    }
  }

  // MARK: Documents

  private static func data(_ name: String, _ ending: String) throws -> Data {
    let url = Bundle.module.url(forResource: "Cases/everything/\(name)", withExtension: ending)
    return try Data(contentsOf: #require(url))
  }

  private static func document(_ name: String) throws -> JSONValue {
    try JSONValue(parsing: [UInt8](data(name, "json")))
  }

  /// The warnings of a document, or its error, as text.
  private static func said(of document: JSONValue) -> [String] {
    do { return try WebMap(document).warnings.map(\.description) } catch { return ["\(error)"] }
  }

  /// A member of an object in a document.
  private struct Place {
    let object: DocumentObject
    let steps: [JSONPath.Step]
    let name: String
  }

  private static func places(_ name: String) throws -> [Place] {
    var places: [Place] = []
    add(try document(name), .members(.map), [], to: &places)
    return places
  }

  private static func add(
    _ value: JSONValue, _ shape: DocumentShape, _ steps: [JSONPath.Step], to places: inout [Place]
  ) {
    switch (shape, value) {
    case (.members(let object), .object(let members)):
      guard let variant = object.variant(of: members) else { return }
      for member in members.members {
        guard let known = variant.member(named: member.name) else { continue }
        places.append(Place(object: variant, steps: steps, name: member.name))
        add(member.value, known.shape, steps + [.member(member.name)], to: &places)
      }
    case (.list(let shape), .array(let elements)):
      for (index, element) in elements.enumerated() {
        add(element, shape, steps + [.index(index)], to: &places)
      }
    case (.either(let first, let second), _):
      add(value, first, steps, to: &places)
      add(value, second, steps, to: &places)
    default: break
    }
  }

  // MARK: Faults

  /// The name with a letter missing, doubled, swapped or replaced.
  private static func misspellings(of name: String, _ random: inout SeededGenerator) -> [String] {
    let letters = Array(name)
    func at(_ index: Int, _ replacement: [Character]) -> String {
      String(letters[..<index] + replacement + letters[(index + 1)...])
    }
    func place() -> Int { Int.random(in: letters.indices, using: &random) }
    let (dropped, doubled, replaced) = (place(), place(), place())
    var found = [
      at(dropped, []), at(doubled, [letters[doubled], letters[doubled]]), at(replaced, ["q"]),
    ]
    if letters.count > 1 {
      let index = Int.random(in: 0..<letters.count - 1, using: &random)
      var swapped = letters
      swapped.swapAt(index, index + 1)
      found.append(String(swapped))
    }
    return found.filter { $0 != name }
  }

  /// A value of each kind that a shape does not allow, and an element of a wrong kind.
  private static func wrongValues(for shape: DocumentShape) -> [JSONValue] {
    let values: [JSONValue] = [true, 5, "wrong", ["wrong": 1], [["wrong": 1]]]
    var wrong = values.filter { !shape.kinds.contains($0.kind) }
    if case .list(let element) = shape {
      wrong += values.filter { !element.kinds.contains($0.kind) }.map { [$0] }
    }
    return wrong
  }

  /// The numbers of cases: 6195 misspelt members and 6754 values of wrong kinds.
  private static let misspeltCases = [
    "map": 423, "layers": 932, "services": 627, "files": 192, "features": 392, "definition": 915,
    "renderers": 1653,
    "symbols": 463, "labels": 311, "popups": 295,
  ]
  private static let wrongCases = [
    "map": 472, "layers": 965, "services": 665, "files": 211, "features": 408, "definition": 962,
    "renderers": 1883,
    "symbols": 524, "labels": 340, "popups": 332,
  ]
}

extension JSONValue {
  /// The value with a change to the object at a path.
  fileprivate func changing(
    _ steps: [JSONPath.Step], _ change: (JSONObject) -> JSONObject
  ) -> JSONValue {
    switch (steps.first, self) {
    case (nil, .object(let object)): return .object(change(object))
    case (.member(let name)?, .object(var object)):
      object[name] = object[name]?.changing(Array(steps.dropFirst()), change)
      return .object(object)
    case (.index(let index)?, .array(var elements)):
      elements[index] = elements[index].changing(Array(steps.dropFirst()), change)
      return .array(elements)
    default: return self
    }
  }
}

extension JSONObject {
  /// The object with one member renamed in place.
  fileprivate func renaming(_ name: String, to other: String) -> JSONObject {
    var object = JSONObject()
    for member in members { object[member.name == name ? other : member.name] = member.value }
    return object
  }
}
