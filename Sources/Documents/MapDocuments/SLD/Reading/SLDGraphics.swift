import Glibc
import MapModel
import MapSystem

/// Marks and images.
///
/// - Source: OGC 05-077r4, clause 11.3; OGC 02-070, clause 11.3.
extension SLDMapping {
  /// The size and the placing of a graphic.
  private struct Frame {
    var size: SLDNumber?
    var rotation = SLDNumber.constant(0)
    var anchor = (x: 0.5, y: 0.5)
    var displacement = (x: SLDNumber.constant(0), y: SLDNumber.constant(0))
    var opacity = 1.0
    /// Whether the lengths are the same for all features and scales.
    var isFixed = false
  }

  static let markNames: Set<String> = [
    "WellKnownName", "Fill", "Stroke", "OnlineResource", "Format", "MarkIndex", "InlineContent",
  ]
  static let graphicNames: Set<String> = [
    "ExternalGraphic", "Mark", "Opacity", "Size", "Rotation", "AnchorPoint", "Displacement",
  ]

  /// Reads a graphic, of one size for all features and scales or not; nil after a note.
  mutating func graphic(_ element: SLDElement, _ unit: Unit, isFixed: Bool = false) -> SLDPart? {
    check(element, Self.graphicNames)
    var frame = frame(element, unit)
    frame.isFixed = isFixed
    if isFixed, case .arcade? = frame.size { frame.size = .constant(fixed(element["Size"], unit, or: 6)) }
    for item in element.children {
      switch item.name {
      case "ExternalGraphic": if let part = picture(item, frame) { return part }
      case "Mark": if let part = mark(item, frame, unit) { return part }
      default: break
      }
    }
    if element["Mark"] == nil, element["ExternalGraphic"] == nil { return mark(nil, frame, unit) }
    return nil
  }

  private mutating func frame(_ element: SLDElement, _ unit: Unit) -> Frame {
    var frame = Frame()
    frame.size = length(element["Size"], unit)
    frame.rotation = element["Rotation"].flatMap { rotation($0) } ?? .constant(0)
    if let opacity = element["Opacity"] {
      frame.opacity = min(max(fixedNumber(opacity, or: 1), 0), 1)
    }
    if let anchor = element["AnchorPoint"] { frame.anchor = self.anchor(anchor, default: (0.5, 0.5)) }
    if let displacement = element["Displacement"] {
      check(displacement, ["DisplacementX", "DisplacementY"])
      frame.displacement = (
        length(displacement["DisplacementX"], unit) ?? .constant(0),
        length(displacement["DisplacementY"], unit) ?? .constant(0)
      )
    }
    return frame
  }

  /// Reads a rotation; that of a line is no rotation, because the marker follows the line.
  private mutating func rotation(_ element: SLDElement) -> SLDNumber? {
    let name = element["Function"]?.attributes["name"]
    return name == "startAngle" || name == "endAngle" ? .constant(0) : number(element)
  }

  /// Reads an anchor: parts of the width and the height from the left and from below.
  mutating func anchor(
    _ element: SLDElement, default standard: (x: Double, y: Double)
  ) -> (x: Double, y: Double) {
    check(element, ["AnchorPointX", "AnchorPointY"])
    var parts: [Double] = []
    for (name, other) in [("AnchorPointX", standard.x), ("AnchorPointY", standard.y)] {
      parts.append(fixedNumber(element[name], or: other))
    }
    return (parts[0], parts[1])
  }

  // MARK: Marks

  private mutating func mark(_ element: SLDElement?, _ frame: Frame, _ unit: Unit) -> SLDPart? {
    let gray = SLDColor.constant(Color.fillOfStyles.withAlphaComponent(frame.opacity))
    var (fill, line): (SLDColor?, SLDPart?) = (nil, nil)
    let black = SimpleLineSymbol(color: Color.black.withAlphaComponent(frame.opacity))
    var name = "square"
    if let element {
      check(element, Self.markNames)
      if let own = element["Fill"] {
        let read = self.fill(own, opacity: frame.opacity)
        if let graphic = read.graphic { note(graphic, "marks are filled with one colour", .approximated) }
        fill = read.color
      }
      if let own = element["Stroke"] {
        line = stroke(own, unit, opacity: frame.opacity, isFixed: frame.isFixed)
        if case .line(let found)? = line?.form, !found.dashTemplate.isEmpty {
          note(own, "the strokes of marks are solid", .approximated)
        }
      }
      if let own = element["WellKnownName"] {
        guard let text = value(own)?.constant else {
          note(own, "a name that features decide; a square is drawn", .approximated)
          return symbol("square", frame, fill ?? gray, line)
        }
        name = text.isEmpty ? "square" : text
        if SLDMark(name) == nil {
          guard !name.contains("://") else {
            note(own, "marks of fonts and files are not drawn: \"\(name.prefix(80))\"")
            return nil
          }
          let nearest = nearestName(name, SLDMark.names)
          note(
            own, "a square is drawn: the mark \"\(name.prefix(60))\" is not known" + nearest, .approximated)
          name = "square"
        }
      } else if element["OnlineResource"] != nil || element["InlineContent"] != nil {
        note(element, "marks of fonts and files are not drawn")
        return nil
      }
    }
    if fill == nil, line == nil { (fill, line) = (gray, SLDPart(form: .line(black))) }
    return symbol(name, frame, fill, line)
  }

  private func symbol(
    _ name: String, _ frame: Frame, _ fill: SLDColor?, _ line: SLDPart?
  ) -> SLDPart? {
    guard let shape = SLDMark(name) else { return nil }
    let size = max(frame.size?.value(or: 10) ?? 6, 0)
    var outline: SimpleLineSymbol?
    if case .line(let found)? = line?.form { outline = found }
    let decided = (line?.decided ?? []).map {
      SLDPart.Decided(shape: 0, property: $0.property, expression: $0.expression)
    }
    let isPlain = decided.isEmpty && fill?.expression == nil && self.decided(frame).isEmpty
    if isPlain, name.lowercased() == "circle" || name.lowercased() == "square",
      frame.anchor == (0.5, 0.5)
    {
      var marker = SimpleMarkerSymbol(
        style: name.lowercased() == "circle" ? .circle : .square, color: fill?.value(or: .black), size: size,
        outline: outline, angle: frame.rotation.value(or: 0))
      (marker.offsetX, marker.offsetY) = (
        frame.displacement.x.value(or: 0), frame.displacement.y.value(or: 0)
      )
      return SLDPart(form: .marker(marker))
    }
    // The anchor moves the vertices, so that a rotation is about it.
    let parts = shape.parts.map { part in
      part.map { vertex in
        VectorMarkerSymbol.Vertex(
          x: (vertex.x + 0.5 - frame.anchor.x) * size, y: (vertex.y + 0.5 - frame.anchor.y) * size)
      }
    }
    var shapes: [VectorMarkerSymbol.Shape] = []
    var overrides = self.decided(frame)
    if shape.isClosed {
      if let fill {
        if let text = fill.expression {
          overrides.append(.init(shape: shapes.count, property: .color, expression: text))
        }
        shapes.append(.init(parts: parts, color: fill.value(or: .black)))
      }
      if let outline {
        overrides += decided.map {
          .init(shape: shapes.count, property: $0.property, expression: $0.expression)
        }
        shapes.append(.init(parts: parts, color: nil, outline: outline))
      }
    } else {
      let line = outline ?? SimpleLineSymbol(color: fill?.value(or: .black) ?? .black)
      overrides += decided
      shapes.append(.init(parts: parts, isClosed: false, color: nil, outline: line))
    }
    var vector = VectorMarkerSymbol(shapes: shapes, size: size)
    vector.angle = frame.rotation.value(or: 0)
    vector.offsetX = frame.displacement.x.value(or: 0)
    vector.offsetY = frame.displacement.y.value(or: 0)
    return SLDPart(form: .vector(vector), decided: overrides)
  }

  private func decided(_ frame: Frame) -> [SLDPart.Decided] {
    let all: [(SymbolOverride.Property, SLDNumber?)] = [
      (.size, frame.size), (.angle, frame.rotation), (.offsetX, frame.displacement.x),
      (.offsetY, frame.displacement.y),
    ]
    return all.compactMap { property, number in
      number?.expression.map { SLDPart.Decided(property: property, expression: $0) }
    }
  }

  // MARK: Images

  private mutating func picture(_ element: SLDElement, _ frame: Frame) -> SLDPart? {
    check(element, ["OnlineResource", "InlineContent", "Format", "ColorReplacement", "Name"])
    if let colors = element["ColorReplacement"] { note(colors, "the image keeps its colours", .approximated) }
    let format = element.text("Format") ?? ""
    guard let url = address(element, format) else { return nil }
    guard !url.contains("${") else {
      note(element, "an address that features decide")
      return nil
    }
    let found = pictureAt(url)
    guard case .success = found else {
      if case .failure(let error) = found { note(element, "\(error)") }
      return nil
    }
    var symbol = PictureMarkerSymbol(picture: found, url: url)
    symbol.opacity = frame.opacity
    if let size = frame.size { symbol.height = max(size.value(or: 16), 0) }
    symbol.angle = frame.rotation.value(or: 0)
    let own = symbol.drawnSize ?? (16, 16)
    let (x, y) = (own.width * (0.5 - frame.anchor.x), own.height * (0.5 - frame.anchor.y))
    if frame.anchor != (0.5, 0.5), frame.rotation.expression != nil || frame.size?.expression != nil {
      note(element, "the anchor of the image is that of its first size and rotation", .approximated)
    }
    // The rotation is about the anchor.
    let angle = symbol.angle * .pi / 180
    symbol.offsetX = x * cos(angle) + y * sin(angle) + frame.displacement.x.value(or: 0)
    symbol.offsetY = y * cos(angle) - x * sin(angle) + frame.displacement.y.value(or: 0)
    return SLDPart(form: .picture(symbol), decided: decided(frame))
  }

  /// Returns the address of an image; that of content in the document is a `data:` address.
  private mutating func address(_ element: SLDElement, _ format: String) -> String? {
    if let link = element["OnlineResource"]?.attributes["href"], !link.isEmpty {
      return link.hasPrefix("file:") ? String(link.dropFirst(link.hasPrefix("file://") ? 7 : 5)) : link
    }
    if let content = element["InlineContent"] {
      // The encoding is base64 or xml.
      if let image = content.children.first {
        return "data:image/svg+xml;base64,\(Base64.text(Array(bytes[image.range])))"
      }
      if !content.text.isEmpty { return "data:\(format);base64,\(content.text)" }
    }
    note(element, "the image has no address")
    return nil
  }
}
