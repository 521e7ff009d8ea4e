package import MapGeometry
import MapJSON

/// A colour, channels from 0 to 255.
package struct KMLColor: Hashable, Sendable {
  package let red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8

  /// Reads a colour; nil for other text.
  ///
  /// - Source: OGC 12-007r2, 16.9: eight hexadecimal digits in the order alpha, blue, green, red.
  init?(_ text: String) {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard digits.utf8.count == 8, digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16)
    else {
      return nil
    }
    red = UInt8(truncatingIfNeeded: number)
    green = UInt8(truncatingIfNeeded: number >> 8)
    blue = UInt8(truncatingIfNeeded: number >> 16)
    alpha = UInt8(truncatingIfNeeded: number >> 24)
  }
}

/// The symbols of a style: of icons, names, lines and areas; nil for what the style leaves open.
package struct KMLStyle: Hashable, Sendable {
  /// The colour of icons, and their size as a factor.
  package private(set) var iconColor: KMLColor?, iconScale: Double?
  /// Whether the icon is an image of its own.
  package private(set) var hasIconImage = false
  /// The colour of names, and their size as a factor.
  package private(set) var labelColor: KMLColor?, labelScale: Double?
  /// The colour of lines and outlines, and their width in pixels.
  package private(set) var lineColor: KMLColor?, lineWidth: Double?
  /// The colour of areas, and whether they are filled and outlined.
  package private(set) var fillColor: KMLColor?, isFilled: Bool?, isOutlined: Bool?

  /// Whether the style leaves everything open.
  var isEmpty: Bool { self == KMLStyle() }

  /// Returns the style with the symbols of another above its own.
  func with(_ other: KMLStyle) -> KMLStyle {
    var style = self
    style.iconColor = other.iconColor ?? iconColor
    style.iconScale = other.iconScale ?? iconScale
    style.hasIconImage = other.hasIconImage || hasIconImage
    style.labelColor = other.labelColor ?? labelColor
    style.labelScale = other.labelScale ?? labelScale
    style.lineColor = other.lineColor ?? lineColor
    style.lineWidth = other.lineWidth ?? lineWidth
    style.fillColor = other.fillColor ?? fillColor
    style.isFilled = other.isFilled ?? isFilled
    style.isOutlined = other.isOutlined ?? isOutlined
    return style
  }

  /// Sets a value of an element such as `LineStyle`; returns false for one that is not read.
  ///
  /// - Source: OGC 12-007r2, 12.4 to 12.10.
  mutating func set(_ name: String, of element: String, _ text: String) -> Bool {
    switch (element, name) {
    case (_, "color"):
      guard let color = KMLColor(text) else { return false }
      if element == "IconStyle" { iconColor = color }
      if element == "LabelStyle" { labelColor = color }
      if element == "LineStyle" { lineColor = color }
      if element == "PolyStyle" { fillColor = color }
    // Every feature has the colour of its style.
    case (_, "colorMode"): return text != "random"
    case ("IconStyle", "scale"), ("LabelStyle", "scale"), ("LineStyle", "width"):
      guard let number = Double(text), (0...1000).contains(number) else { return false }
      if element == "IconStyle" { iconScale = number }
      if element == "LabelStyle" { labelScale = number }
      if element == "LineStyle" { lineWidth = number }
    case ("IconStyle", "heading"): return Double(text) == 0
    case ("PolyStyle", "fill"), ("PolyStyle", "outline"):
      guard ["0", "1", "true", "false"].contains(text) else { return false }
      if name == "fill" { isFilled = text == "1" || text == "true" }
      if name == "outline" { isOutlined = text == "1" || text == "true" }
    default: break
    }
    return true
  }

  /// Notes that the icon is an image.
  mutating func setIconImage() { hasIconImage = true }
}

/// The style of a placemark, or a shared one: the address of a shared style, and own symbols above it.
struct KMLStyleNode: Hashable, Sendable {
  /// The address, as written.
  var url: String?
  var style: KMLStyle?

  /// The identifier of the shared style; nil for none, and for one in another file.
  var sharedID: String? {
    let text = url.map { Array($0.utf8) }.map { KMLParser.trimmed($0) } ?? ""
    return text.hasPrefix("#") ? String(text.dropFirst()) : nil
  }

  /// Returns the symbols; nil if the address leads to no style of the file.
  func resolved(_ shared: [String: KMLStyleNode]) -> KMLStyle? {
    var (node, styles, steps) = (self, [style ?? KMLStyle()], 0)
    while node.url != nil {
      // A style may name itself.
      guard steps < 8, let id = node.sharedID, let next = shared[id] else { return nil }
      (node, steps) = (next, steps + 1)
      styles.append(next.style ?? KMLStyle())
    }
    return styles.reversed().reduce(KMLStyle()) { $0.with($1) }
  }
}

/// The styles of the placemarks of a layer.
package struct KMLStyles: Hashable, Sendable {
  /// A style, the value of the field in the rows that have it, and the kinds of their geometries: `point`, `polyline` or
  /// `polygon`.
  package struct Class: Hashable, Sendable {
    package let value: String
    package let style: KMLStyle
    package fileprivate(set) var kinds: Set<GeometryKind>

    init(value: String, style: KMLStyle, kinds: Set<GeometryKind>) {
      (self.value, self.style, self.kinds) = (value, style, kinds)
    }

    mutating func add(_ more: Set<GeometryKind>) { kinds.formUnion(more) }
  }

  /// The field that names the style of a row; nil if all rows have the first.
  package let fieldName: String?
  /// The styles, in order of appearance.
  package let classes: [Class]
  /// The kinds of geometries without a style.
  package let unstyledKinds: Set<GeometryKind>
  /// The largest number of styles in a layer.
  ///
  /// - Source: design decision; a legend with more has no use.
  static let limit = 1000
}

extension KMLParser {
  /// Reads a shared style, or the own style of a placemark.
  mutating func style() throws(ReadFault) -> KMLStyle {
    var style = KMLStyle()
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      switch scanner.name {
      case "IconStyle", "LabelStyle", "LineStyle", "PolyStyle": try symbol(of: scanner.name, &style)
      // They concern windows and lists beside the map.
      case "BalloonStyle", "ListStyle": try scanner.skipElement()
      case let name:
        note(unread: name)
        try scanner.skipElement()
      }
    }
    return style
  }

  /// Reads a style of Google Earth on the web, which may be above another one.
  mutating func cascadingStyle() throws(ReadFault) -> KMLStyleNode {
    var node = KMLStyleNode()
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      switch scanner.name {
      case "Style": node.style = try style()
      case "styleUrl": node.url = String(decoding: try scanner.elementText(), as: UTF8.self)
      default: try scanner.skipElement()
      }
    }
    return node
  }

  private mutating func symbol(of element: String, _ style: inout KMLStyle) throws(ReadFault) {
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      switch scanner.name {
      case "Icon":
        style.setIconImage()
        try scanner.skipElement()
      case "color", "colorMode", "scale", "width", "heading", "fill", "outline":
        let name = scanner.name
        let text = Self.trimmed(try scanner.elementText())
        if !style.set(name, of: element, text) { note(unread: "\(element)/\(name)") }
      default: try scanner.skipElement()
      }
    }
  }

  /// Reads the normal style of a map from states to styles.
  mutating func styleMap() throws(ReadFault) -> KMLStyleNode {
    var normal = KMLStyleNode()
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      guard scanner.name == "Pair" else {
        try scanner.skipElement()
        continue
      }
      var (pair, isNormal) = (KMLStyleNode(), false)
      let pairDepth = scanner.depth
      while let part = try scanner.next(), part != .end || scanner.depth >= pairDepth {
        guard part == .start else { continue }
        switch scanner.name {
        case "key": isNormal = Self.trimmed(try scanner.elementText()) == "normal"
        case "styleUrl": pair.url = String(decoding: try scanner.elementText(), as: UTF8.self)
        case "Style": pair.style = try style()
        default: try scanner.skipElement()
        }
      }
      if isNormal { normal = pair }
    }
    return normal
  }
}
