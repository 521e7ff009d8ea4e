import MapDocuments
import MapJSON
import MapState
import MapSystem

extension SnapshotCase {
  /// Returns the result of a case that cannot be drawn, with the properties that differ from the record.
  func broken(_ error: MapStateError) async -> SnapshotResult {
    var changes: [SnapshotChange] = []
    if let record = (try? SnapshotReference(in: folder))?.details.record {
      changes = await definitionChanges(from: record, error)
      if changes.isEmpty, let change = Self.missingField(in: error, record) { changes = [change] }
      if changes.isEmpty, let change = ownChange(error) { changes = [change] }
    }
    return SnapshotResult(name: name, title: title, outcome: .error("\(error)"), changes: changes)
  }

  /// Returns the differences of the layers' definitions, or if they cannot be read either, of the member that is wrong.
  private func definitionChanges(from record: PictureRecord, _ error: MapStateError) async -> [SnapshotChange]
  {
    var known: [String: JSONValue] = [:]
    if let view = try? await page(of: nil, hasLayout: false).view.freeze() {
      for (index, layer) in view.layers.enumerated() {
        known[layer.name.isEmpty ? "\(index)" : layer.name] = layer.documentJSON.shortened
      }
    } else if let (layer, steps, value) = wrongMember(error) {
      guard let own = record.layers.first(where: { $0.name == layer && !$0.isLabels }) else { return [] }
      known[layer] = own.definition.setting(value, at: steps[...])
    }
    var other = record
    other.layers = record.layers.map { layer in
      guard !layer.isLabels, let definition = known[layer.name] else { return layer }
      var changed = layer
      changed.definition = definition
      return changed
    }
    return PropertyComparison(record, other, comparesFiles: false).shown.map { SnapshotChange($0) }
  }

  /// Returns the layer of the member that an error names, the member's path below the layer, and its value; nil if it
  /// names none in a layer.
  private func wrongMember(_ error: MapStateError) -> (layer: String, steps: [String], value: JSONValue)? {
    guard let path = error.path, let map = map else { return nil }
    var (value, layer, own) = (map, nil as JSONValue?, [String]())
    for step in Self.steps(of: path) {
      own.append(step)
      if let next = value[step] {
        value = next
      } else if let index = Int(step), index >= 0, let next = value.array?.dropFirst(index).first {
        value = next
        if ["operationalLayers", "layers"].contains(own.dropLast().last),
          next["title"] != nil || next["id"] != nil
        {
          (layer, own) = (next, [])
        }
      } else {
        return nil
      }
    }
    guard let layer, let name = layer["title"]?.string ?? layer["id"]?.string else { return nil }
    // A record has the definition of a feature collection's layer as one of a service.
    let at = own.firstIndex(of: "layerDefinition")
    return (name, at.map { Array(own[$0...]) } ?? own, value)
  }

  /// The case's map as it is written; nil for a file that is no web map.
  private var map: JSONValue? {
    if let own = json["map"] { return own }
    guard let document = json["document"]?.string,
      let bytes = try? FileAccess.read(FilePath.join(folder, document), limit: 64 << 20)
    else { return nil }
    return try? JSONValue(parsing: bytes)
  }

  /// Returns the names and indexes of a path such as `$.layers[0].title`.
  private static func steps(of path: String) -> [String] {
    path.split { ".[]$'".contains($0) }.map { String($0) }
  }

  /// Returns the change of a field that an error names, and that the data do not have any more.
  private static func missingField(in error: MapStateError, _ record: PictureRecord) -> SnapshotChange? {
    let text = error.description
    guard let layer = record.layers.first(where: { !$0.isLabels && text.contains("layer \"\($0.name)\"") }),
      let word = text.firstRange(of: "field \"") ?? text.firstRange(of: "field '")
    else { return nil }
    let field = text[word.upperBound...].prefix { $0 != "\"" && $0 != "'" }
    return SnapshotChange(
      PropertyChange(
        scope: .layer, layer: layer.name, className: nil, key: "fields", name: "field \"\(field)\"",
        before: "present", after: "missing"))
  }

  /// Returns the member of the case that an error names.
  private func ownChange(_ error: MapStateError) -> SnapshotChange? {
    guard let path = error.path, let member = Self.steps(of: path).first, let value = json[member],
      Self.keys.contains(member)
    else { return nil }
    let text = LayerProperties.text(value)
    var change = SnapshotChange(
      layer: nil, isLabels: false, className: nil,
      summary: "\(LayerProperties.words(member)): \"\(text)\" is not valid", featureCount: 0, features: [])
    (change.property, change.after, change.key) = (LayerProperties.words(member), text, member)
    return change
  }
}

extension JSONValue {
  /// Returns the value with another one at a path of members and indexes.
  fileprivate func setting(_ value: JSONValue, at steps: ArraySlice<String>) -> JSONValue {
    guard let step = steps.first else { return value }
    if var elements = array, let index = Int(step), elements.indices.contains(index) {
      elements[index] = elements[index].setting(value, at: steps.dropFirst())
      return .array(elements)
    }
    var members = object ?? JSONObject()
    members[step] = (members[step] ?? .object(JSONObject())).setting(value, at: steps.dropFirst())
    return .object(members)
  }
}
