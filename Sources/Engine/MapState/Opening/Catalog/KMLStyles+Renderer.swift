import MapGeometry
import MapModel
import MapReaders

extension KMLStyles {
  /// Returns the renderer for geometries of a kind; nil if no style concerns the kind.
  ///
  /// Rows without a style have the standard symbol of a ground.
  func renderer(for kind: GeometryKind?, on ground: GroundTone = .light) -> RendererForm? {
    guard let kind else { return nil }
    let part = kind == .multipoint ? .point : kind
    let classes = classes.filter { $0.kinds.contains(part) }
    let symbols = classes.map { $0.style.symbol(for: kind, on: ground) }
    guard symbols.contains(where: { $0 != nil }) else { return nil }
    let standard = SymbolForm.standard(for: kind, on: ground)
    let hasOthers = unstyledKinds.contains(part)
    guard let fieldName, classes.count > 1 || hasOthers else {
      return .simple(SimpleRenderer(form: symbols[0] ?? standard))
    }
    let values = zip(classes, symbols).map { item, symbol in
      UniqueValueRenderer.UniqueValue(
        values: [item.value], label: item.value.hasPrefix("#") ? String(item.value.dropFirst()) : item.value,
        symbol: symbol ?? standard)
    }
    return .uniqueValue(
      UniqueValueRenderer(
        fieldNames: [fieldName], uniqueValues: values, defaultSymbol: hasOthers ? standard : nil,
        defaultLabel: hasOthers ? "Other" : ""))
  }
}

extension KMLStyle {
  /// Points per pixel of KML.
  ///
  /// - Source: 96 pixels and 72 points are an inch.
  private static let pointsPerPixel = 0.75

  /// Returns the symbol for a kind of geometry; nil if the style leaves it open.
  ///
  /// Properties that the style leaves open are those of the standard symbol. A white icon has no colour of its own.
  fileprivate func symbol(for kind: GeometryKind, on ground: GroundTone) -> SymbolForm? {
    switch (kind, SymbolForm.standard(for: kind, on: ground)) {
    case (.point, .marker(var marker)), (.multipoint, .marker(var marker)):
      guard iconColor != nil || iconScale != nil else { return nil }
      if let iconColor {
        let isWhite = iconColor.red == 255 && iconColor.green == 255 && iconColor.blue == 255
        marker.color = isWhite ? marker.color?.withAlpha(iconColor.alpha) : Color(iconColor)
      }
      marker.size *= iconScale ?? 1
      return .marker(marker)
    case (.polyline, .line(let line)):
      return lineColor == nil && lineWidth == nil ? nil : .line(styled(line))
    case (.polygon, .fill(var fill)):
      guard lineColor != nil || lineWidth != nil || fillColor != nil || isFilled != nil || isOutlined != nil
      else { return nil }
      if let fillColor { fill.color = Color(fillColor) }
      if isFilled == false { fill.color = nil }
      fill.outline = isOutlined == false ? nil : fill.outline.map { styled($0) }
      return .fill(fill)
    default: return nil
    }
  }

  private func styled(_ line: SimpleLineSymbol) -> SimpleLineSymbol {
    var line = line
    if let lineColor { line.color = Color(lineColor) }
    if let lineWidth { line.width = lineWidth * Self.pointsPerPixel }
    return line
  }
}

extension Color {
  init(_ color: KMLColor) {
    self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
  }

  fileprivate func withAlpha(_ alpha: UInt8) -> Color {
    Color(red: red, green: green, blue: blue, alpha: alpha)
  }
}
