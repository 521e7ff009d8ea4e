import MapJSON

/// A property of a layer or class in a record.
struct RecordedProperty: Hashable {
  /// The path of the property below its layer or class, by which two records are compared.
  let key: String
  /// The name for reports.
  let name: String
  /// The value for reports.
  let value: String
  /// Whether the value is null, which is the same as a missing property.
  var isNull = false

  /// Whether two values are equal; numbers may differ by rounding.
  static func isEqual(_ a: String, _ b: String) -> Bool {
    if a == b { return true }
    guard let x = Double(a), let y = Double(b) else { return false }
    return abs(x - y) <= 1e-9 * max(abs(x), abs(y))
  }
}

/// The properties of a layer as a record has them: its own, and those of its symbol classes and label classes.
struct LayerProperties {
  /// A symbol class or label class.
  struct Class: Hashable {
    /// The display name in the document; may be empty.
    let label: String
    /// The value or range that selects the features of the class.
    let rule: [RecordedProperty]
    /// The properties of the symbol, and all others of a label class.
    var properties: [RecordedProperty] = []
    /// The kind of symbol, such as `marker`.
    var kind = ""
  }

  private(set) var id = ""
  private(set) var title = ""
  /// Visibility, opacity, filters, scale range and other properties of the whole layer.
  private(set) var own: [RecordedProperty] = []
  /// Kind, fields, normalisation and visual variables of the renderer.
  private(set) var renderer: [RecordedProperty] = []
  private(set) var classes: [Class] = []
  private(set) var defaultClass: Class?
  private(set) var labelClasses: [Class] = []
  /// Whether labels are drawn.
  private(set) var hasLabels = false

  /// Reads the properties from a layer of a web map.
  init(_ layer: JSONValue) {
    id = layer["id"]?.string ?? ""
    title = layer["title"]?.string ?? ""
    hasLabels = layer["showLabels"]?.boolean ?? false
    let definition = layer["layerDefinition"]
    readOwn(layer, definition)
    if let renderer = definition?["drawingInfo"]?["renderer"] { read(renderer) }
    for item in definition?["drawingInfo"]?["labelingInfo"]?.array ?? [] {
      labelClasses.append(Self.labelClass(item))
    }
  }

  private mutating func readOwn(_ layer: JSONValue, _ definition: JSONValue?) {
    let known = [
      "id", "title", "visibility", "layerDefinition", "layerType", "url", "showLabels", "showLegend",
    ]
    own.append(Self.leaf("visibility", "visible", layer["visibility"] ?? true))
    for member in layer.object?.members ?? [] where !known.contains(member.name) {
      own += Self.leaves(member.value, key: member.name, name: Self.words(member.name))
    }
    own.append(Self.scales(definition))
    for member in definition?.object?.members ?? [] {
      switch member.name {
      case "minScale", "maxScale", "drawingInfo", "copyrightText": break
      case "definitionExpression":
        own.append(Self.leaf(member.name, "definition expression (filter)", member.value))
      case "displayFilterInfo": readDisplayFilter(member.value)
      case "timeInfo": own += Self.leaves(member.value, key: "timeInfo", name: "time")
      case "orderBy": own += Self.leaves(member.value, key: "orderBy", name: "drawing order")
      default: own += Self.leaves(member.value, key: member.name, name: Self.words(member.name))
      }
    }
    for member in definition?["drawingInfo"]?.object?.members ?? []
    where member.name != "renderer" && member.name != "labelingInfo" {
      own += Self.leaves(member.value, key: member.name, name: Self.words(member.name))
    }
  }

  private mutating func readDisplayFilter(_ info: JSONValue) {
    own.append(Self.leaf("displayFilter.mode", "display filter mode", info["filterMode"] ?? .null))
    let active = info["activeFilterId"]?.string
    if let active { own.append(Self.leaf("displayFilter.active", "active display filter", .string(active))) }
    for (index, filter) in (info["filters"]?.array ?? []).enumerated() {
      // A manual filter that is not active limits nothing.
      if info["filterMode"]?.string == "manual", filter["id"]?.string != active { continue }
      let title = filter["title"]?.string ?? ""
      let name = "display filter \(title.isEmpty ? "\(index)" : "\"\(title)\"")"
      own.append(Self.leaf("displayFilter.\(index).where", "\(name) where", filter["where"] ?? ""))
      if info["filterMode"]?.string == "scale" {
        let range = Self.scales(filter)
        own.append(
          RecordedProperty(
            key: "displayFilter.\(index).scale", name: "\(name) scale range", value: range.value))
      }
    }
  }

  // MARK: Renderers

  private mutating func read(_ json: JSONValue) {
    renderer.append(Self.leaf("type", "renderer kind", json["type"] ?? .null))
    var normalization: [String] = []
    for member in json.object?.members ?? [] {
      switch member.name {
      case "type", "uniqueValueInfos", "classBreakInfos", "defaultSymbol", "defaultLabel", "symbol", "label",
        "description", "passes":
        break
      case "field", "field1", "field2", "field3":
        renderer.append(
          Self.leaf(
            member.name == "field1" ? "field" : member.name,
            "renderer field\(member.name.last?.isNumber == true && member.name != "field1" ? " \(member.name.suffix(1))" : "")",
            member.value))
      case "valueExpression": renderer.append(Self.leaf("expression", "renderer expression", member.value))
      case "normalizationType", "normalizationField", "normalizationTotal":
        normalization.append(Self.text(member.value).replacing("esriNormalizeBy", with: "by "))
      case "visualVariables":
        var counts: [String: Int] = [:]
        for variable in member.value.array ?? [] {
          let kind = (variable["type"]?.string ?? "").replacing("Info", with: "")
          let target = variable["target"]?.string.map { "\($0) " } ?? ""
          let index = counts[target + kind, default: 0]
          counts[target + kind] = index + 1
          renderer += Self.leaves(
            variable, key: "variable.\(target)\(kind) \(index)", name: "\(target)\(kind) variable")
        }
      default: renderer += Self.leaves(member.value, key: member.name, name: Self.words(member.name))
      }
    }
    if !normalization.isEmpty {
      renderer.append(
        RecordedProperty(
          key: "normalization", name: "normalization", value: normalization.joined(separator: " ")))
    }
    if let symbol = json["symbol"] {
      var only = Class(label: json["label"]?.string ?? "", rule: [])
      only.add(symbol)
      classes = [only]
    }
    for info in json["uniqueValueInfos"]?.array ?? [] {
      let values = info["values"]?.array?.map { Self.text($0) } ?? [Self.text(info["value"] ?? .null)]
      let text = values.joined(separator: " or ").replacing("\u{1F}", with: ", ")
      var own = Class(
        label: info["label"]?.string ?? "",
        rule: [RecordedProperty(key: "values", name: "class value", value: text)])
      if let symbol = info["symbol"] { own.add(symbol) }
      for (index, other) in (info["alternateSymbols"]?.array ?? []).enumerated() {
        own.properties += Self.leaves(
          other, key: "alternate.\(index)", name: "alternate symbol \(index + 1)")
      }
      classes.append(own)
    }
    for info in json["classBreakInfos"]?.array ?? [] {
      var own = Class(
        label: info["label"]?.string ?? "",
        rule: [
          Self.leaf("minimum", "class minimum", info["classMinValue"] ?? .null),
          Self.leaf("maximum", "class maximum", info["classMaxValue"] ?? .null),
        ])
      if let symbol = info["symbol"] { own.add(symbol) }
      classes.append(own)
    }
    for (index, pass) in (json["passes"]?.array ?? []).enumerated() {
      classes += (pass["rules"]?.array ?? []).map { Self.rule($0, pass: index) }
    }
    if let symbol = json["defaultSymbol"] {
      var own = Class(label: json["defaultLabel"]?.string ?? "", rule: [])
      own.add(symbol)
      defaultClass = own
    }
  }

  /// Reads a rule of a renderer.
  private static func rule(_ json: JSONValue, pass: Int) -> Class {
    var own = Class(
      label: json["label"]?.string ?? json["name"]?.string ?? "",
      rule: [
        leaf("pass", "pass of the rule", .number(pass + 1)),
        leaf("where", "rule filter (where)", json["where"] ?? json["filter"] ?? ""),
        leaf("else", "else rule", json["else"] ?? false), scales(json),
      ])
    if let symbol = json["symbol"] { own.add(symbol) }
    return own
  }

  private static func labelClass(_ json: JSONValue) -> Class {
    var own = Class(label: json["name"]?.string ?? "", rule: [])
    own.properties.append(scales(json))
    own.properties.append(
      leaf("deconflictionStrategy", "deconfliction strategy", json["deconflictionStrategy"] ?? "static"))
    for member in json.object?.members ?? [] {
      switch member.name {
      case "name", "minScale", "maxScale", "deconflictionStrategy": break
      case "labelExpression": own.properties.append(leaf("expression", "label text expression", member.value))
      case "labelExpressionInfo":
        own.properties.append(
          leaf(
            "expression", "label text expression",
            member.value["expression"] ?? member.value["value"] ?? .null))
      case "labelPlacement": own.properties.append(leaf(member.name, "label placement", member.value))
      case "where": own.properties.append(leaf(member.name, "label filter (where)", member.value))
      case "symbol": own.add(member.value)
      default: own.properties += leaves(member.value, key: member.name, name: words(member.name))
      }
    }
    return own
  }

  // MARK: Values

  private static func leaf(_ key: String, _ name: String, _ value: JSONValue) -> RecordedProperty {
    RecordedProperty(key: key, name: name, value: text(value), isNull: value == .null)
  }

  private static func scales(_ json: JSONValue?) -> RecordedProperty {
    func bound(_ name: String) -> String {
      let value = json?[name]?.double ?? 0
      return value == 0 ? "\(name) none" : "\(name) \(text(.number(value)))"
    }
    return RecordedProperty(
      key: "scale", name: "scale range", value: "\(bound("minScale")), \(bound("maxScale"))")
  }

  /// Returns all values below a value, each with its path.
  static func leaves(_ value: JSONValue, key: String, name: String) -> [RecordedProperty] {
    switch value {
    case .object(let object):
      return object.members.flatMap {
        leaves($0.value, key: "\(key).\($0.name)", name: "\(name) \(words($0.name))")
      }
    case .array(let elements) where elements.contains { $0.object != nil || $0.array != nil }:
      return elements.enumerated().flatMap {
        leaves($0.element, key: "\(key).\($0.offset)", name: "\(name) \($0.offset + 1)")
      }
    default: return [leaf(key, name, value)]
    }
  }

  /// Returns a value for reports: colours as `#rrggbbaa`, numbers to six decimals, names without prefixes.
  static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: return "none"
    case .boolean(let value): return value ? "yes" : "no"
    case .number(let number):
      let double = number.double
      guard double.isFinite, abs(double) < 1e12 else { return number.text }
      return JSONWriter.text(of: (double * 1_000_000).rounded() / 1_000_000)
    case .string(let text):
      for prefix in ["esriSMS", "esriSLS", "esriSFS", "esriServer", "esriNormalize"]
      where text.hasPrefix(prefix) {
        return words(String(text.dropFirst(prefix.count)))
      }
      return text
    case .array(let elements):
      let bytes = elements.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }
      if bytes.count == 4, elements.count == 4 {
        return "#"
          + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }
      return elements.map { text($0) }.joined(separator: ", ")
    case .object: return value.text()
    }
  }

  /// Returns a camelCase name as words in lower case.
  static func words(_ name: String) -> String {
    var out = ""
    for character in name {
      if character.isUppercase, !out.isEmpty, out.last != " " { out += " " }
      out += character.lowercased()
    }
    return out
  }
}

extension LayerProperties.Class {
  /// The names of members for reports, by type of symbol.
  private static let names: [String: [String: String]] = [
    "esriSMS": [
      "style": "marker style", "color": "fill color", "size": "size", "xoffset": "x offset",
      "yoffset": "y offset", "angle": "angle (rotation)",
    ],
    "esriSFS": ["style": "fill style (hatch)", "color": "fill color"],
    "esriSLS": [
      "style": "stroke dash style", "color": "stroke color", "width": "stroke width", "cap": "stroke cap",
      "join": "stroke join",
    ],
    "esriTS": [
      "color": "text color", "haloSize": "halo size (width)", "haloColor": "halo color",
      "font.weight": "font weight", "font.size": "font size", "font.style": "font style",
      "font.family": "font family", "angle": "angle (rotation)",
    ],
    "esriPMS": ["angle": "angle (rotation)"],
  ]
  private static let kinds = [
    "esriSMS": "marker", "esriSFS": "fill", "esriSLS": "line", "esriTS": "text", "esriPMS": "picture marker",
    "CIMPointSymbol": "vector marker", "CIMPolygonSymbol": "pattern fill", "CIMLineSymbol": "line",
    "CIMSymbolReference": "symbol with scales",
  ]
  /// The words for lists in symbols of several layers; the index of an element follows, counted from 1.
  private static let lists = [
    "symbolLayers": "symbol layer", "markerGraphics": "shape", "effects": "effect", "rings": "ring",
    "paths": "path",
  ]

  /// Returns the name of a property of a symbol of several layers, such as `symbol layer 2 shape 1 color`.
  private static func name(ofLayered key: String) -> String {
    var words: [String] = []
    for step in key.split(separator: ".").map(String.init) {
      if let index = Int(step) {
        let isVertex = ["ring", "path"].contains(words.dropLast().last)
        words += isVertex ? ["vertex", "\(index + 1)"] : ["\(index + 1)"]
      } else if step != "symbol" {
        words.append(lists[step] ?? LayerProperties.words(step))
      }
    }
    return words.joined(separator: " ")
  }

  /// Adds the properties of several symbols at one position, each with its number from 1.
  private mutating func add(_ symbols: [JSONValue]) {
    var kinds: [String] = []
    for (index, symbol) in symbols.enumerated() {
      var part = Self(label: "", rule: [])
      part.add(symbol)
      kinds.append(part.kind)
      properties += part.properties.map {
        RecordedProperty(
          key: "symbols.\(index).\($0.key)", name: "symbol \(index + 1) \($0.name)", value: $0.value,
          isNull: $0.isNull)
      }
    }
    kind = kinds.count == 1 ? kinds[0] : "symbols (\(kinds.joined(separator: ", ")))"
  }

  /// Adds a property that features decide, with its expression as the value.
  private mutating func add(override json: JSONValue, isOnly: Bool) {
    let (part, shape) = (json["part"]?.integer ?? 0, json["shape"]?.integer)
    let property = LayerProperties.words(json["property"]?.string ?? "")
    let place = (isOnly ? [] : ["symbol \(part + 1)"]) + (shape.map { ["shape \($0 + 1)"] } ?? [])
    let source = json["valueExpressionInfo"]?["expression"] ?? json["field"] ?? json["expression"] ?? json
    properties.append(
      RecordedProperty(
        key: "overrides.\(part).\(shape ?? -1).\(property)",
        name: (place + [property, "by features"]).joined(separator: " "), value: LayerProperties.text(source))
    )
  }

  /// Adds the properties of a symbol.
  mutating func add(_ symbol: JSONValue) {
    let type = symbol["type"]?.string ?? ""
    if let parts = symbol["symbols"]?.array {
      add(parts)
      for item in symbol["overrides"]?.array ?? [] { add(override: item, isOnly: parts.count == 1) }
      return
    }
    kind = Self.kinds[type] ?? type
    let names = Self.names[type] ?? [:]
    let isLayered = type.hasPrefix("CIM")
    let isHatch = type == "esriSFS" && symbol["style"]?.string.map { $0 != "esriSFSSolid" } ?? false
    for member in symbol.object?.members ?? [] where member.name != "type" {
      if member.name == "outline" {
        let line = Self.names["esriSLS"] ?? [:]
        for own in member.value.object?.members ?? [] where own.name != "type" {
          let name = line[own.name]?.replacing("stroke", with: "outline")
          properties += LayerProperties.leaves(
            own.value, key: "outline.\(own.name)", name: name ?? "outline \(LayerProperties.words(own.name))")
        }
        continue
      }
      let found = LayerProperties.leaves(
        member.value, key: member.name, name: LayerProperties.words(member.name))
      for leaf in found {
        let name =
          isHatch && leaf.key == "color"
          ? "hatch color" : isLayered ? Self.name(ofLayered: leaf.key) : names[leaf.key] ?? leaf.name
        properties.append(
          RecordedProperty(key: leaf.key, name: name, value: leaf.value, isNull: leaf.isNull))
      }
    }
  }
}
