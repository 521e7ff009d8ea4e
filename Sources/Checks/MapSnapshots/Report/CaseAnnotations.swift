import MapJSON
import MapScript
import MapState
import MapSystem

extension SnapshotResult {
  /// Returns the lines of a log that GitHub Actions shows at the lines of the document, one for each of the first
  /// changes; none for a case that did not fail.
  ///
  /// - Parameter root: the folder of cases.
  public func annotations(root: String) -> [String] {
    var known: Set<String> = []
    return annotations(root: root, known: &known)
  }

  /// Returns the lines of a log for the first changes with a cause that `known` does not have, and adds their causes to
  /// it.
  package func annotations(root: String, known: inout Set<String>) -> [String] {
    guard outcome.isFailure else { return [] }
    let place = DocumentPlace(case: name, root: root)
    let title = "snapshot \(name)"
    let word = outcome.detail.map { "\(outcome.word): \($0)" } ?? outcome.word
    let head = ([word] + notes).joined(separator: "\n")
    guard !changes.isEmpty else {
      let lines = ([head] + numbers).joined(separator: "\n")
      return [GitHubAnnotation.line(file: place.file, line: 1, title: title, lines)]
    }
    var lines: [String] = []
    for change in changes.prefix(5) where known.insert(change.cause).inserted {
      let (file, line) = place.line(of: change)
      lines.append(
        GitHubAnnotation.line(file: file, line: line, title: title, "\(head)\n\(change.description)"))
    }
    return lines
  }
}

/// The document of a case, and the lines of its layers, classes and properties.
private struct DocumentPlace {
  /// The document, or the case with an inline map.
  let file: String
  private let json: JSONValue
  private let lines: DocumentLines
  /// The path of the map in the file.
  private let map: JSONPath
  /// The file of the case, its value and its lines.
  private let own: (file: String, json: JSONValue, lines: DocumentLines)

  init(case name: String, root: String) {
    let folder = "\(root)/\(name)"
    let path = "\(folder)/case.json"
    let ownBytes = (try? FileAccess.read(path)) ?? []
    let known = (try? JSONValue(parsing: ownBytes)) ?? .null
    own = (Self.normal(path), known, DocumentLines(known.isNull ? [] : ownBytes))
    // A file on a server has no lines here.
    let document = known["document"]?.string.flatMap {
      SourceAddress.scheme(of: $0) == nil ? FilePath.join(folder, $0) : nil
    }
    map = document == nil ? JSONPath.root["map"] : .root
    // A plain data file has no lines of layers, and is not read.
    let bytes =
      document.map { FilePath.pathExtension(of: $0) == "json" } ?? true
      ? (try? FileAccess.read(document ?? path, limit: 64 << 20)) ?? [] : []
    file = Self.normal(document ?? path)
    json = (try? JSONValue(parsing: bytes)) ?? .null
    lines = DocumentLines(json.isNull ? [] : bytes)
  }

  /// The members of a case that set the properties of a view.
  private static let viewMembers = [
    "center": ["viewpoint", "bounds", "fit"], "scale": ["viewpoint", "bounds", "zoom", "fit"],
    "extent": ["bounds", "viewpoint", "fit"], "rotation": ["rotation", "viewpoint"], "size": ["size"],
    "pixelRatio": ["pixelRatio"], "spatialReference": ["reference"], "time": ["time"],
    "fonts": ["fonts"], "referenceScale": ["referenceScale"],
  ]

  /// Returns the file and line of the value that a change is about, else those of its class, its layer or the file.
  func line(of change: SnapshotChange) -> (file: String, line: Int) {
    guard let layer = change.layer else {
      let member = change.key.flatMap { key in
        (Self.viewMembers[key] ?? [key.hasPrefix("page.") ? "layout" : key]).first { own.json[$0] != nil }
      }
      return member.map { (own.file, own.lines.line(of: JSONPath.root[$0])) } ?? (file, 1)
    }
    guard !json.isNull else { return (file, 1) }
    let root = map.steps.isEmpty ? json : json["map"] ?? .null
    // The layers of a style are those of the document itself.
    let list = change.scope == .style ? "layers" : "operationalLayers"
    let known = Place.layer(layer, in: root[list], map[list])
    guard let whole = known ?? (root[list] == nil ? Place.drawing(layer, in: root, map) : nil) else {
      return (file, 1)
    }
    var place = whole
    switch change.scope {
    case .rule, .symbol: place = whole.member(["renderer"]) ?? whole
    case .labels: place = whole.member(["labelingInfo"]) ?? whole
    default: break
    }
    if let name = change.className {
      guard let found = place.named(name) ?? whole.named(name) else {
        return (file, lines.line(of: place.path))
      }
      place = found
    }
    let value = change.key.flatMap { key in
      Self.members(key, change).lazy.compactMap { place.member($0) }.first
    }
    return (file, lines.line(of: (value ?? place).path))
  }

  /// Returns the members of a document that a property of a record may be read from, each as a path.
  private static func members(_ key: String, _ change: SnapshotChange) -> [[String]] {
    let steps = key.split(separator: ".").map { String($0) }
    switch key {
    case "scale":
      let bounds = ["minScale", "maxScale"]
      let values = [change.before, change.after].map { ($0 ?? "").components(of: ", ") }
      // The bound that differs comes first.
      return (values[0].first == values[1].first ? bounds.reversed() : bounds).map { [$0] }
    case "displayFilter.mode": return [["displayFilterInfo", "filterMode"], ["displayFilterInfo"]]
    case "displayFilter.active": return [["displayFilterInfo", "activeFilterId"], ["displayFilterInfo"]]
    case "minimum": return [["classMinValue"], ["minValue"]]
    case "maximum": return [["classMaxValue"]]
    case "values": return [["values"], ["value"]]
    case "field": return [["field1"], ["field"]]
    case "expression":
      return [["labelExpressionInfo", "expression"], ["labelExpression"], ["valueExpression"]]
    case "where": return [["where"], ["filter"]]
    case "kind": return [["symbol", "type"], ["type"]]
    case "normalization": return [["normalizationField"], ["normalizationType"]]
    case _ where steps.first == "displayFilter" && steps.count > 2:
      let own = ["displayFilterInfo", "filters", steps[1]]
      return [own + (steps[2] == "scale" ? ["minScale"] : steps.dropFirst(2)), own]
    case _ where steps.first == "variable": return [Array(steps.dropFirst(2)), ["visualVariables"]]
    default: return [steps]
    }
  }

  /// Returns a path without `.` and `..`, as far as its text allows.
  private static func normal(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}

/// A value of a document and its path.
private struct Place {
  let path: JSONPath
  let value: JSONValue

  /// Returns the layer with a title or id, also in a group.
  static func layer(_ name: String, in list: JSONValue?, _ path: JSONPath) -> Place? {
    for (index, layer) in (list?.array ?? []).enumerated() {
      if layer["title"]?.string == name || layer["id"]?.string == name {
        return Place(path: path[index], value: layer)
      }
      if let found = Self.layer(name, in: layer["layers"], path[index]["layers"]) { return found }
    }
    return nil
  }

  /// Returns the layer with a name in a document of layers or drawings alone; the document itself if no part has it.
  static func drawing(_ name: String, in root: JSONValue, _ path: JSONPath) -> Place {
    let whole = Place(path: path, value: root)
    for (index, layer) in (root["layers"]?.array ?? []).enumerated() {
      let names = [layer["title"], layer["name"], layer["layerDefinition"]?["name"]].compactMap { $0?.string }
      if names.contains(name) || name == "layer \(index)" {
        return Place(path: path["layers"][index], value: layer)
      }
    }
    guard let member = root[name], member.object != nil else { return whole }
    return Place(path: path[name], value: member)
  }

  /// Returns the class or label class with a name.
  func named(_ name: String) -> Place? {
    descendant { value, depth in
      guard let object = value.object else { return nil }
      if object["label"]?.string == name || object["value"]?.string == name { return .root }
      if let bound = object["classMaxValue"]?.double, object["label"] == nil {
        return name.hasSuffix(" to \(JSONWriter.text(of: bound))") ? .root : nil
      }
      let isDefault = name == "default" || object["defaultLabel"]?.string == name
      if isDefault, object["defaultSymbol"] != nil { return JSONPath.root["defaultSymbol"] }
      return object["name"]?.string == name && depth > 0 ? .root : nil
    }
  }

  /// Returns the value at a path below this one or one of its values; steps may be the indexes of elements.
  func member(_ steps: [String]) -> Place? {
    descendant { value, _ in
      var (path, value) = (JSONPath.root, value)
      for step in steps {
        if let next = value[step] {
          (path, value) = (path[step], next)
        } else if let index = Int(step), index >= 0, let next = value.array?.dropFirst(index).first {
          (path, value) = (path[index], next)
        } else {
          return nil
        }
      }
      return path
    }
  }

  /// Returns the first value, this one or one below it, for which a function returns a path below that value.
  private func descendant(_ depth: Int = 0, _ find: (JSONValue, Int) -> JSONPath?) -> Place? {
    guard depth < 16 else { return nil }
    if let below = find(value, depth) { return at(below) }
    for member in value.object?.members ?? []
    where !["featureSet", "features", "fields", "popupInfo"].contains(member.name) {
      let place = Place(path: path[member.name], value: member.value)
      if let found = place.descendant(depth + 1, find) { return found }
    }
    for (index, element) in (value.array ?? []).enumerated() where element.object != nil {
      if let found = Place(path: path[index], value: element).descendant(depth + 1, find) { return found }
    }
    return nil
  }

  private func at(_ below: JSONPath) -> Place {
    let value = below.steps.reduce(value) { value, step in
      switch step {
      case .member(let name): value[name] ?? .null
      case .index(let index): value.array?.dropFirst(index).first ?? .null
      }
    }
    return Place(path: JSONPath(steps: path.steps + below.steps), value: value)
  }
}

extension String {
  /// Returns the parts between separators of several characters.
  fileprivate func components(of separator: String) -> [String] {
    split(separator: separator).map { String($0) }
  }
}
