internal import MapJSON

/// A reader of a style's layers.
struct StyleLayerReader {
  private let sources: [String: StyleSource]
  var problems: StyleProblems

  init(sources: [StyleSource], problems: StyleProblems) {
    self.sources = Dictionary(sources.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.problems = problems
  }

  /// Reads the layers; those without a valid type are left out.
  mutating func layers(_ elements: [JSONValue]) -> [StyleLayer] {
    let path = JSONPath.root["layers"]
    var parents: [String: JSONObject] = [:]
    for element in elements.prefix(StyleDocument.layerLimit) {
      if case .object(let object) = element, let id = object["id"]?.string, parents[id] == nil {
        parents[id] = object
      }
    }
    var (layers, ids): ([StyleLayer], Set<String>) = ([], [])
    for (index, element) in elements.prefix(StyleDocument.layerLimit).enumerated() {
      let place = path[index]
      guard case .object(let object) = element else {
        problems.add(.invalid, "must be an object", at: place)
        continue
      }
      if let id = object["id"]?.string, !ids.insert(id).inserted {
        problems.add(.invalid, "the id '\(id)' is that of an earlier layer", at: place["id"])
      }
      if let layer = layer(object, parents, at: place) { layers.append(layer) }
    }
    if elements.count > StyleDocument.layerLimit {
      problems.add(
        .invalid, "only the first \(StyleDocument.layerLimit) of \(elements.count) layers are read", at: path)
    }
    return layers
  }

  private mutating func layer(
    _ object: JSONObject, _ parents: [String: JSONObject], at path: JSONPath
  ) -> StyleLayer? {
    let own = completed(object, parents, at: path)
    guard let word = own["type"]?.string else {
      problems.add(.invalid, "is missing", at: path["type"])
      return nil
    }
    guard let type = StyleLayerType(rawValue: word) else {
      problems.addUnknown(
        word, "type '\(word)' of layer", at: path["type"], among: StyleLayerType.allCases.map(\.rawValue))
      return nil
    }
    let members = object["ref"] == nil ? StyleMember.layer : StyleMember.layer.filter { $0.name != "type" }
    problems.check(
      object, members + (object["ref"] == nil ? [] : [StyleMember("type", .string)]), "a layer", at: path)
    checkSource(own, type, at: path)
    return StyleLayer(
      path: path, id: own["id"]?.string ?? "", type: type, source: own["source"]?.string,
      sourceLayer: own["source-layer"]?.string, minzoom: own["minzoom"]?.double ?? -.infinity,
      maxzoom: own["maxzoom"]?.double ?? .infinity, visibility: visibility(own, at: path),
      filter: filter(own["filter"] ?? .null, at: path["filter"]), metadata: own["metadata"],
      values: values(own, type, at: path))
  }

  /// Returns a layer with the members of the layer to which its `ref` points.
  private mutating func completed(
    _ object: JSONObject, _ parents: [String: JSONObject], at path: JSONPath
  ) -> JSONObject {
    guard let reference = object["ref"]?.string else { return object }
    guard let parent = parents[reference] else {
      problems.addUnknown(reference, "layer '\(reference)'", at: path["ref"], among: parents.keys.sorted())
      return object
    }
    guard parent["ref"] == nil else {
      problems.add(.invalid, "must not point to a layer with a 'ref'", at: path["ref"])
      return object
    }
    var result = object
    for name in Self.sharedMembers {
      if object[name] != nil {
        problems.add(.invalid, "has no effect beside 'ref'", at: path[name])
      }
      result[name] = parent[name]
    }
    return result
  }

  /// The members that a layer with `ref` has from the layer to which it points.
  static let sharedMembers = ["type", "source", "source-layer", "minzoom", "maxzoom", "filter", "layout"]

  private mutating func checkSource(_ object: JSONObject, _ type: StyleLayerType, at path: JSONPath) {
    guard !type.sourceTypes.isEmpty else { return }
    guard let name = object["source"]?.string else {
      problems.add(.invalid, "is missing", at: path["source"])
      return
    }
    guard let source = sources[name] else {
      let names = sources.keys
      problems.addUnknown(name, "source '\(name)'", at: path["source"], among: names.sorted())
      return
    }
    if !type.sourceTypes.contains(source.type) {
      problems.add(
        .invalid,
        "a layer of the type '\(type.rawValue)' cannot show a source of the type "
          + "'\(source.type.rawValue)'", at: path["source"])
    } else if source.type == .vector, object["source-layer"]?.string == nil {
      problems.add(.invalid, "is missing", at: path["source-layer"])
    } else if source.type != .vector, object["source-layer"] != nil {
      problems.add(
        .invalid, "has no effect on a source of the type '\(source.type.rawValue)'", at: path["source-layer"])
    }
  }

  private mutating func visibility(_ object: JSONObject, at path: JSONPath) -> StylePropertyValue {
    guard let json = object["layout"]?["visibility"] else { return .constant(.string("visible")) }
    return value(json, StyleLayer.visibilityProperty, at: path["layout"]["visibility"])
      ?? .constant(.string("visible"))
  }

  private mutating func filter(_ json: JSONValue, at path: JSONPath) -> StyleExpression? {
    if json.isNull { return nil }
    checkGeometryTypes(json, at: path)
    do throws(StyleExpressionErrors) {
      let filter = try StyleExpression(filter: json)
      if filter.readsFeatureState { addFeatureState("filters", at: path) }
      return filter
    } catch {
      add(error, at: path, isRewritten: LegacyFilter.expression(json) != json)
      return nil
    }
  }

  /// Reports names of geometry types in comparisons that no feature has.
  private mutating func checkGeometryTypes(_ json: JSONValue, at path: JSONPath, depth: Int = 0) {
    guard let parts = json.array, parts.count > 1, let operation = parts[0].string,
      depth <= StyleReader.depthLimit
    else { return }
    switch operation {
    case "all", "any", "none", "!":
      for (index, part) in parts.enumerated().dropFirst() {
        checkGeometryTypes(part, at: path[index], depth: depth + 1)
      }
    case "==", "!=", "in", "!in":
      guard parts[1] == "$type" || parts[1] == ["geometry-type"] else { return }
      for (index, part) in parts.enumerated().dropFirst(2) {
        guard let name = part.string, StyleGeometryKind(name: name) == .unknown, name != "Unknown" else {
          continue
        }
        problems.addUnknown(
          name, "geometry type '\(name)'", at: path[index], among: ["Point", "LineString", "Polygon"])
      }
    default: break
    }
  }

  /// Adds errors at their places; those of an old function or filter, which was rewritten, at its path.
  private mutating func add(_ errors: StyleExpressionErrors, at path: JSONPath, isRewritten: Bool) {
    for error in errors.errors {
      let place = isRewritten ? path : error.key.indices.reduce(path) { $0[$1] }
      problems.add(error, at: place)
    }
  }

  private mutating func addFeatureState(_ members: String, at path: JSONPath) {
    problems.add(.invalid, "'feature-state' has no value in \(members)", at: path)
  }

  private mutating func value(
    _ json: JSONValue, _ property: StyleProperty, at path: JSONPath
  ) -> StylePropertyValue? {
    do throws(StyleExpressionErrors) {
      return try StylePropertyValue(json, for: property)
    } catch {
      add(error, at: path, isRewritten: json.object != nil)
      return nil
    }
  }

  private mutating func values(
    _ object: JSONObject, _ type: StyleLayerType, at path: JSONPath
  ) -> [StylePropertyValue?] {
    var values: [StylePropertyValue?] = Array(repeating: nil, count: type.properties.count)
    for group in [StyleProperty.Group.layout, .paint] {
      for member in object[group.rawValue]?.object?.members ?? [] where !member.value.isNull {
        let place = path[group.rawValue][member.name]
        if group == .layout, member.name == "visibility" { continue }
        guard let index = type.index(of: member.name), type.properties[index].group == group else {
          addUnknown(member.name, group, type, at: place)
          continue
        }
        let property = type.properties[index]
        values[index] = value(member.value, property, at: place)
        if property.name == "line-gradient", let name = object["source"]?.string, let source = sources[name],
          source.type != .geojson || source.members["lineMetrics"]?.boolean != true
        {
          problems.add(.invalid, "needs a source of the type 'geojson' with \"lineMetrics\": true", at: place)
        }
        if property.decision != .featureState, values[index]?.readsFeatureState == true {
          addFeatureState("'\(property.name)'", at: place)
        }
        if !property.isDrawn { problems.add(.undrawn, "is not drawn", at: place) }
      }
    }
    return values
  }

  private mutating func addUnknown(
    _ name: String, _ group: StyleProperty.Group, _ type: StyleLayerType, at path: JSONPath
  ) {
    // Transitions have no effect on an image.
    if name.hasSuffix("-transition"), type.index(of: String(name.dropLast(11))) != nil { return }
    if let index = type.index(of: name) {
      problems.add(
        .invalid, "belongs to '\(type.properties[index].group.rawValue)'", at: path)
      return
    }
    problems.addUnknown(
      name, "\(group.rawValue) property of layers of the type '\(type.rawValue)'", at: path,
      among: type.properties.filter { $0.group == group }.map(\.name))
  }
}
