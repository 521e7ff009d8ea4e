internal import MapJSON

extension StyleReader {
  /// Reads `format`.
  mutating func format(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count >= 2 else { return fail("Expected at least one argument.", at: place.key) }
    if case .object = json[1] {
      return fail("First argument must be an image or text section.", at: place.key)
    }
    var sections: [StyleSection] = []
    var mayHaveOptions = false
    for part in json.dropFirst() {
      if case .object(let options) = part, mayHaveOptions, let last = sections.indices.last {
        mayHaveOptions = false
        guard read(options, &sections[last], place) else { return nil }
        continue
      }
      guard let content = argument(part, 1, of: place, expecting: .value) else { return nil }
      guard [.string, .value, .null, .resolvedImage].contains(content.type) else {
        return fail("Formatted text type must be 'string', 'value', 'image' or 'null'.", at: place.key)
      }
      mayHaveOptions = true
      sections.append(StyleSection(content: content))
    }
    return StyleNode(.format(sections), .formatted, at: place.key)
  }

  private mutating func read(_ options: JSONObject, _ section: inout StyleSection, _ place: Place) -> Bool {
    /// Returns an option; nil when there is none, and a missing node when it has an error.
    func option(_ name: String, _ type: StyleType) -> StyleNode?? {
      guard let json = options[name], Self.isGiven(json) else { return .some(nil) }
      return argument(json, 1, of: place, expecting: type).map { .some($0) }
    }
    guard let scale = option("font-scale", .number),
      let fonts = option("text-font", .array(.string, count: nil)),
      let color = option("text-color", .color)
    else { return false }
    if let align = options["vertical-align"]?.string, !align.isEmpty,
      !["bottom", "center", "top"].contains(align)
    {
      _ = fail(
        "'vertical-align' must be one of: 'bottom', 'center', 'top' but found '\(align)' instead.",
        at: place.key)
      return false
    }
    guard let align = option("vertical-align", .string) else { return false }
    (section.scale, section.fonts, section.color, section.verticalAlign) = (scale, fonts, color, align)
    return true
  }

  /// Returns whether an option is one that ECMAScript takes as true.
  private static func isGiven(_ json: JSONValue) -> Bool {
    switch json {
    case .array, .object: true
    default: StyleValue(json).isTrue
    }
  }

  /// Reads `image`.
  mutating func image(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count == 2 else { return fail("Expected two arguments.", at: place.key) }
    guard let name = argument(json[1], 1, of: place, expecting: .string) else {
      return fail("No image name provided.", at: place.key)
    }
    return StyleNode(.call(.image, [name]), .resolvedImage, at: place.key, needs: .view)
  }

  /// Reads `collator`.
  mutating func collator(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count == 2 else { return fail("Expected one argument.", at: place.key) }
    guard case .object(let options) = json[1] else {
      return fail("Collator options argument must be an object.", at: place.key)
    }
    guard
      let isCaseSensitive = argument(options["case-sensitive"] ?? false, 1, of: place, expecting: .boolean),
      let isAccentSensitive = argument(
        options["diacritic-sensitive"] ?? false, 1, of: place, expecting: .boolean)
    else { return nil }
    var locale: [StyleNode] = []
    if let json = options["locale"], Self.isGiven(json) {
      guard let node = argument(json, 1, of: place, expecting: .string) else { return nil }
      locale = [node]
    }
    let node = StyleCollatorOptions(
      isCaseSensitive: isCaseSensitive, isAccentSensitive: isAccentSensitive, locale: locale)
    return StyleNode(.collator(node), .collator, at: place.key)
  }

  /// Reads `number-format`.
  mutating func numberFormat(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count == 3 else { return fail("Expected two arguments.", at: place.key) }
    guard let number = argument(json[1], 1, of: place, expecting: .number) else { return nil }
    guard case .object(let options) = json[2] else {
      return fail("NumberFormat options argument must be an object.", at: place.key)
    }
    var nodes: [String: StyleNode] = [:]
    for (name, type) in [
      ("locale", StyleType.string), ("currency", .string), ("unit", .string),
      ("min-fraction-digits", .number),
      ("max-fraction-digits", .number),
    ] {
      guard let json = options[name], Self.isGiven(json) else { continue }
      guard let node = argument(json, 1, of: place, expecting: type) else { return nil }
      nodes[name] = node
      if nodes["currency"] != nil, nodes["unit"] != nil {
        return fail("NumberFormat options `currency` and `unit` are mutually exclusive", at: place.key)
      }
    }
    return StyleNode(
      .numberFormat(StyleNumberFormat(number: number, options: nodes)), .string, at: place.key)
  }

  /// Reads `within`.
  mutating func within(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count == 2 else {
      return fail(
        "'within' expression requires exactly one argument, but found \(json.count - 1) instead.",
        at: place.key)
    }
    guard let polygons = StylePolygons(geoJSON: json[1]) else {
      return fail(
        "'within' expression requires valid geojson object that contains polygon geometry type.",
        at: place.key)
    }
    return StyleNode(.within(polygons), .boolean, at: place.key, needs: .feature, fields: .many)
  }

  /// Reads `distance`.
  mutating func distance(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count == 2 else {
      return fail(
        "'distance' expression requires exactly one argument, but found \(json.count - 1) instead.",
        at: place.key)
    }
    guard let shapes = StyleShapes(geoJSON: json[1]) else {
      return fail(
        "'distance' expression requires valid geojson object that contains polygon geometry type.",
        at: place.key)
    }
    return StyleNode(.distance(shapes), .number, at: place.key, needs: .feature, fields: .many)
  }
}
