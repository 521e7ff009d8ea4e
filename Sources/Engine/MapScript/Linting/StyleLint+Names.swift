import MapJSON
import MapModel
import MapState
import MapStyles
import MapSystem

/// Findings about names that the sources, the sprites and the fonts do not have.
extension StyleLint {
  /// Returns the findings about the source layer, the fields and the images of a layer.
  func nameFindings(_ index: Int) -> [LintFinding] {
    let layer = layers[index].layer
    if let name = layer.sourceLayer, case .tiles(let tiles)? = layer.source.flatMap({ style.sources[$0] }),
      let known = tiles.layerNames, !known.contains(name)
    {
      return [
        LintFinding(
          .missingSourceLayer, at: layer.path["source-layer"], layer: layer.id,
          "the source \"\(layer.source ?? "")\" has no layer \"\(name)\"",
          suggestion: Self.advice(name, known, "name one of its layers"))
      ]
    }
    return fieldFindings(layer) + imageFindings(index)
  }

  /// Returns what would be right for a name.
  private static func advice(_ name: String, _ known: [String], _ other: String) -> String {
    NearestName.of(name, among: known).map { "did you mean \"\($0)\"?" } ?? other
  }

  private func fieldFindings(_ layer: StyleLayer) -> [LintFinding] {
    guard let source = layer.source, let known = fields[[source, layer.sourceLayer ?? ""]] else { return [] }
    let names = Set(known)
    var readers: [(path: JSONPath, names: [String])] = []
    if let filter = layer.filter { readers.append((layer.path["filter"], filter.names)) }
    for (property, value) in zip(layer.type.properties, layer.values) {
      if case .expression(let expression)? = value {
        readers.append((layer.path[property.group.rawValue][property.name], expression.names))
      }
    }
    var seen: Set<String> = []
    return readers.flatMap { path, read in
      read.filter { !names.contains($0) && !$0.hasPrefix("$") && seen.insert($0).inserted }.map { name in
        LintFinding(
          .missingField, at: path, layer: layer.id,
          "the features have no field \"\(name)\"",
          suggestion: Self.advice(
            name, known, known.isEmpty ? "they have no fields" : "name one of: \(Self.list(known))"))
      }
    }
  }

  private static func list(_ names: [String]) -> String {
    let more = names.count > 8 ? " and \(names.count - 8) more" : ""
    return names.prefix(8).joined(separator: ", ") + more
  }

  // MARK: Images

  private func imageFindings(_ index: Int) -> [LintFinding] {
    let (layer, definition) = layers[index]
    guard let known = imageNames else { return [] }
    var findings: [LintFinding] = []
    for property in layer.type.properties where property.type == .resolvedImage {
      guard let json = definition[property.group.rawValue]?[property.name] else { continue }
      var seen: Set<String> = []
      for name in ImageNames.outputs(of: json) where !name.isEmpty && seen.insert(name).inserted {
        guard !known.contains(where: { ImageNames.matches($0, name) }) else { continue }
        findings.append(
          LintFinding(
            .missingImage, at: layer.path[property.group.rawValue][property.name], layer: layer.id,
            known.isEmpty
              ? "the style has no sprite with an image \"\(name)\"" : "the sprite has no image \"\(name)\"",
            suggestion: Self.advice(name, known, "add it to the sprite, or name another image")))
      }
    }
    return findings
  }

  // MARK: Fonts

  /// Returns a finding for each list of fonts without an available one.
  func fontFindings(_ warnings: inout [String]) async -> [LintFinding] {
    if style.glyphs == nil, let address = style.document.glyphs, style.glyphProblem == nil {
      if layers.contains(where: { $0.layer.type == .symbol }) {
        warnings.append("fonts are not checked: glyphs are at \(address), which is not read")
      }
      return []
    }
    var found: [(fonts: [String], path: JSONPath, layer: String, count: Int)] = []
    var places: [[String]: Int] = [:]
    for (layer, definition) in layers where layer.type == .symbol && has("text-field", layer) {
      let standard = layer.type.index(of: "text-font").flatMap { layer.type.properties[$0].defaultValue }
      let json = definition["layout"]?["text-font"] ?? standard ?? .null
      for fonts in Set(ImageNames.lists(in: json)).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        if let index = places[fonts] {
          found[index].count += 1
        } else {
          places[fonts] = found.count
          found.append((fonts, path("text-font", of: layer), layer.id, 1))
        }
      }
    }
    var findings: [LintFinding] = []
    for (fonts, path, layer, count) in found {
      guard let text = await style.replacement(ofFonts: fonts) else { continue }
      let more = count > 1 ? ", in \(count) layers" : ""
      findings.append(
        LintFinding(
          .missingFont, at: path, layer: layer, "\(text)\(more)",
          suggestion: "add glyph files of the font, or name one that is there"))
    }
    return findings
  }
}

/// The names that the value of a property may have.
enum ImageNames {
  private static let depthLimit = 48

  /// Returns the names that a value may give, with `*` for the parts that features decide.
  static func outputs(of json: JSONValue, depth: Int = 0) -> [String] {
    guard depth < depthLimit else { return [] }
    func inner(_ json: JSONValue) -> [String] { outputs(of: json, depth: depth + 1) }
    switch json {
    case .string(let text): return [withoutTokens(text)]
    case .object(let function): return (function["stops"]?.array ?? []).flatMap { inner($0[1] ?? .null) }
    case .array(let parts):
      let count = parts.count
      func every(_ places: some Sequence<Int>) -> [String] { places.flatMap { inner(parts[$0]) } }
      switch parts.first?.string {
      case "image", "to-string", "string": return count > 1 ? inner(parts[1]) : []
      case "coalesce": return every(1..<max(count, 1))
      case "match":
        return count > 4 ? every(stride(from: 3, to: count - 1, by: 2)) + inner(parts[count - 1]) : []
      case "case":
        return count > 3 ? every(stride(from: 2, to: count - 1, by: 2)) + inner(parts[count - 1]) : []
      case "step": return every(stride(from: 2, to: count, by: 2))
      case "let": return count > 1 ? inner(parts[count - 1]) : []
      case "literal": return count > 1 ? parts[1].string.map { [$0] } ?? [] : []
      case "concat":
        return [parts.dropFirst().map { $0.string ?? "*" }.joined()]
      default: return []
      }
    default: return []
    }
  }

  /// Returns the lists of texts in a value.
  static func lists(in json: JSONValue, depth: Int = 0) -> [[String]] {
    guard depth < depthLimit else { return [] }
    switch json {
    case .array(let parts):
      if parts.first == "literal", parts.count == 2 { return lists(in: parts[1], depth: depth + 1) }
      let texts = parts.compactMap(\.string)
      // A list of texts is no expression, whose arguments are lists.
      if !texts.isEmpty, texts.count == parts.count, !["get", "has", "zoom"].contains(texts[0]) {
        return [texts]
      }
      return parts.flatMap { lists(in: $0, depth: depth + 1) }
    case .object(let function):
      return (function["stops"]?.array ?? []).flatMap { lists(in: $0[1] ?? .null, depth: depth + 1) }
    default: return []
    }
  }

  /// Returns a text with `*` for each name in braces.
  private static func withoutTokens(_ text: String) -> String {
    var (pattern, isInside) = ("", false)
    for character in text {
      if character == "{" {
        pattern += "*"
        isInside = true
      } else if character == "}" {
        isInside = false
      } else if !isInside {
        pattern.append(character)
      }
    }
    return pattern
  }

  /// Returns whether a name has the parts of a pattern, with anything in the place of `*`.
  static func matches(_ name: String, _ pattern: String) -> Bool {
    guard pattern.contains("*") else { return name == pattern }
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, name.hasPrefix(first), name.hasSuffix(last),
      name.count >= first.count + last.count
    else { return false }
    var rest = name.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
