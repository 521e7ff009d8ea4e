extension StyleValue {
  /// Returns the value as one of the types that properties are converted to; nil when it is none.
  ///
  /// - Source: MapLibre Style Specification, "Types".
  package func converted(to type: StyleType) -> StyleValue? {
    switch type {
    case .color:
      switch self {
      case .color: self
      case .string(let text): ColorText.color(text).map(StyleValue.color)
      default: nil
      }
    case .padding: self.padding
    case .numberArray: numberList.map(StyleValue.numbers)
    case .colorArray: colorList.map(StyleValue.colors)
    case .variableAnchorOffsetCollection: anchorOffsetList.map(StyleValue.anchorOffsets)
    case .projectionDefinition: self.projection.map(StyleValue.projection)
    case .formatted:
      if case .formatted = self { self } else { .formatted([FormattedSection(StyleText.text(self))]) }
    case .resolvedImage: self.image
    default: type.includes(self.type) ? self : nil
    }
  }

  /// The image with the value's text as its name; null for an empty text.
  private var image: StyleValue {
    if case .image = self { return self }
    let name = StyleText.text(self)
    return name.isEmpty ? .null : .image(StyleImage(name: name))
  }

  /// The four distances of a padding, from one to four numbers as in CSS.
  private var padding: StyleValue? {
    if case .padding = self { return self }
    guard let numbers = numberList else { return nil }
    switch numbers.count {
    case 1: return .padding([numbers[0], numbers[0], numbers[0], numbers[0]])
    case 2: return .padding([numbers[0], numbers[1], numbers[0], numbers[1]])
    case 3: return .padding([numbers[0], numbers[1], numbers[2], numbers[1]])
    case 4: return .padding(numbers)
    default: return nil
    }
  }

  private var numberList: [Double]? {
    switch self {
    case .number(let number): return [number]
    case .numbers(let numbers): return numbers
    case .array(let elements):
      let numbers = elements.compactMap(\.number)
      return numbers.count == elements.count ? numbers : nil
    default: return nil
    }
  }

  private var colorList: [StyleColor]? {
    switch self {
    case .string(let text): return ColorText.color(text).map { [$0] }
    case .color(let color): return [color]
    case .colors(let colors): return colors
    case .array(let elements):
      let colors = elements.compactMap { $0.string.flatMap(ColorText.color) }
      return colors.count == elements.count ? colors : nil
    default: return nil
    }
  }

  private static let anchors: Set<String> = [
    "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left", "bottom-right",
  ]

  private var anchorOffsetList: [AnchorOffset]? {
    if case .anchorOffsets(let offsets) = self { return offsets }
    guard let elements = array, !elements.isEmpty, elements.count % 2 == 0 else { return nil }
    var offsets: [AnchorOffset] = []
    for index in stride(from: 0, to: elements.count, by: 2) {
      guard let anchor = elements[index].string, Self.anchors.contains(anchor),
        let pair = elements[index + 1].array, pair.count == 2, let x = pair[0].number, let y = pair[1].number
      else { return nil }
      offsets.append(AnchorOffset(anchor: anchor, x: x, y: y))
    }
    return offsets
  }

  private var projection: StyleProjection? {
    switch self {
    case .projection(let projection): return projection
    case .string(let name): return StyleProjection(from: name, to: name, transition: 1)
    case .array(let parts):
      guard parts.count == 3, let from = parts[0].string, let to = parts[1].string,
        let share = parts[2].number
      else { return nil }
      return StyleProjection(from: from, to: to, transition: share)
    case .object(let object):
      guard let from = object["from"]?.string, let to = object["to"]?.string,
        let share = object["transition"]?.number
      else { return nil }
      return StyleProjection(from: from, to: to, transition: share)
    default: return nil
    }
  }
}
