import MapJSON
import MapScript
import MapSystem

extension SnapshotResult {
  /// Returns the lines of a log that GitHub Actions shows at the lines of the document, one for each of the first
  /// changes; none for a case that did not fail.
  ///
  /// - Parameter root: the folder of cases.
  public func annotations(root: String) -> [String] {
    guard outcome.isFailure else { return [] }
    let place = DocumentPlace(case: name, root: root)
    let title = "snapshot \(name)"
    let word = outcome.detail.map { "\(outcome.word): \($0)" } ?? outcome.word
    let head = ([word] + notes).joined(separator: "\n")
    guard !changes.isEmpty else {
      let lines = ([head] + numbers).joined(separator: "\n")
      return [GitHubAnnotation.line(file: place.file, line: 1, title: title, lines)]
    }
    return changes.prefix(5).map { change in
      GitHubAnnotation.line(
        file: place.file, line: place.line(ofLayer: change.layer, className: change.className), title: title,
        "\(head)\n\(change.description)")
    }
  }
}

/// The document of a case, and the lines of its layers and classes.
private struct DocumentPlace {
  let file: String
  private let json: JSONValue
  private let lines: DocumentLines
  /// The path of the map in the file.
  private let map: JSONPath

  init(case name: String, root: String) {
    let folder = "\(root)/\(name)"
    let own = "\(folder)/case.json"
    let known = (try? JSONValue(parsing: FileAccess.read(own))) ?? .null
    let document = known["document"]?.string.map { FilePath.join(folder, $0) }
    map = document == nil ? JSONPath.root["map"] : .root
    // A plain data file has no lines of layers, and is not read.
    let bytes =
      document.map { FilePath.pathExtension(of: $0) == "json" } ?? true
      ? (try? FileAccess.read(document ?? own, limit: 64 << 20)) ?? [] : []
    file = Self.normal(document ?? own)
    json = (try? JSONValue(parsing: bytes)) ?? .null
    lines = DocumentLines(json.isNull ? [] : bytes)
  }

  /// Returns the line of a layer's class, else of the layer, else the first one.
  func line(ofLayer layer: String?, className: String?) -> Int {
    guard let layer, !json.isNull else { return 1 }
    let root = map.steps.isEmpty ? json : json["map"] ?? .null
    guard let path = Self.path(ofLayer: layer, in: root["operationalLayers"], map["operationalLayers"]) else {
      return 1
    }
    guard let className else { return lines.line(of: path.path) }
    let own = Self.path(named: className, in: path.value, path.path, depth: 0)
    return lines.line(of: own ?? path.path)
  }

  private static func path(
    ofLayer name: String, in list: JSONValue?, _ path: JSONPath
  ) -> (path: JSONPath, value: JSONValue)? {
    for (index, layer) in (list?.array ?? []).enumerated() {
      if layer["title"]?.string == name || layer["id"]?.string == name { return (path[index], layer) }
      if let found = Self.path(ofLayer: name, in: layer["layers"], path[index]["layers"]) { return found }
    }
    return nil
  }

  /// Returns the path of the class or label class with a name.
  private static func path(named name: String, in value: JSONValue, _ path: JSONPath, depth: Int) -> JSONPath?
  {
    guard depth < 12 else { return nil }
    if let object = value.object {
      if object["label"]?.string == name || object["name"]?.string == name && depth > 1 { return path }
      for member in object.members where member.name != "featureSet" && member.name != "fields" {
        if let found = Self.path(named: name, in: member.value, path[member.name], depth: depth + 1) {
          return found
        }
      }
    }
    for (index, element) in (value.array ?? []).enumerated() where element.object != nil {
      if let found = Self.path(named: name, in: element, path[index], depth: depth + 1) { return found }
    }
    return nil
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
