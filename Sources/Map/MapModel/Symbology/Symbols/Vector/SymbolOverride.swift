/// A property of a part of a symbol that has another value for each feature.
///
/// - Source: Esri CIM specification, primitive overrides.
public struct SymbolOverride: Hashable, Sendable {
  /// The properties that can be set; lengths are pixels of 1/96 inch.
  public enum Property: String, Hashable, Sendable, CaseIterable {
    /// The colour of a fill, a line, a shape or letters.
    case color
    /// The height of a marker or of letters.
    case size
    /// The width of a line.
    case width
    /// The rotation of a marker, clockwise in degrees.
    case angle
    /// The offset of a marker to the right.
    case offsetX
    /// The offset of a marker upwards.
    case offsetY
    /// The text of a part of a marker.
    case text
  }

  /// A value of a property.
  public enum Value: Hashable, Sendable {
    /// A length or an angle.
    case number(Double)
    /// A colour.
    case color(Color)
    /// A text.
    case text(String)
  }

  /// The index of the part among the parts of the symbol.
  public var part: Int
  /// The index of the shape within a marker; nil for the part itself.
  public var shape: Int?
  /// The property.
  public var property: Property
  /// The field or expression of the value; its numbers are points, as in documents.
  public var input: VariableInput

  /// Creates an override.
  public init(part: Int, shape: Int? = nil, property: Property, input: VariableInput) {
    (self.part, self.shape, self.property, self.input) = (part, shape, property, input)
  }
}

extension SymbolForm {
  /// The overrides of a composite symbol; empty for other symbols.
  package var overrides: [SymbolOverride] {
    if case .composite(let composite) = self { composite.overrides } else { [] }
  }

  /// Returns a composite symbol with the values of its overrides; nil keeps the symbol's own.
  package func overridden(by values: [SymbolOverride.Value?]) -> SymbolForm {
    guard case .composite(var composite) = self else { return self }
    for (override, value) in zip(composite.overrides, values) {
      guard let value, composite.parts.indices.contains(override.part) else { continue }
      composite.parts[override.part].set(override.property, ofShape: override.shape, to: value)
    }
    return .composite(composite)
  }

  /// Sets a property of a part; properties that it does not have are ignored.
  private mutating func set(
    _ property: SymbolOverride.Property, ofShape shape: Int?, to value: SymbolOverride.Value
  ) {
    switch self {
    case .line(var line):
      switch (property, value) {
      case (.color, .color(let color)): line.color = color
      case (.width, .number(let width)), (.size, .number(let width)): line.width = max(width, 0)
      default: break
      }
      self = .line(line)
    case .fill(var fill):
      if case .color(let color) = value { fill.color = color }
      self = .fill(fill)
    case .pattern(let pattern):
      if case .color(let color) = value { self = .pattern(pattern.recolored { _ in color }) }
    case .picture(var picture):
      switch (property, value) {
      case (.size, .number(let size)):
        guard let own = picture.drawnSize, own.height > 0 else { break }
        (picture.width, picture.height) = (own.width / own.height * max(size, 0), max(size, 0))
      case (.angle, .number(let angle)): picture.angle = angle
      case (.offsetX, .number(let offset)): picture.offsetX = offset
      case (.offsetY, .number(let offset)): picture.offsetY = offset
      default: break
      }
      self = .picture(picture)
    case .vector(var vector):
      vector.set(property, ofShape: shape, to: value)
      self = .vector(vector)
    case .placed(var placed):
      for index in placed.parts.indices { placed.parts[index].set(property, ofShape: shape, to: value) }
      self = .placed(placed)
    case .marker, .text, .composite: break
    }
  }
}

extension VectorMarkerSymbol {
  fileprivate mutating func set(
    _ property: SymbolOverride.Property, ofShape shape: Int?, to value: SymbolOverride.Value
  ) {
    if let shape {
      guard shapes.indices.contains(shape) else { return }
      shapes[shape].set(property, to: value)
      return
    }
    switch (property, value) {
    case (.size, .number(let height)):
      guard size > 0 else { return }
      let (x, y) = (offsetX, offsetY)
      self = scaled(by: max(height, 0) / size)
      (offsetX, offsetY) = (x, y)
    case (.angle, .number(let angle)): self.angle = angle
    case (.offsetX, .number(let offset)): offsetX = offset
    case (.offsetY, .number(let offset)): offsetY = offset
    case (.color, .color(let color)): self = recolored { _ in color }
    default: break
    }
  }
}

extension VectorMarkerSymbol.Shape {
  fileprivate mutating func set(_ property: SymbolOverride.Property, to value: SymbolOverride.Value) {
    switch (property, value) {
    case (.text, .text(let text)): self.text?.text = text
    case (.size, .number(let size)): text?.size = max(size, 0)
    case (.color, .color(let color)):
      if text != nil {
        text?.color = color
      } else if self.color != nil {
        self.color = color
      } else {
        outline?.color = color
      }
    case (.width, .number(let width)): outline?.width = max(width, 0)
    default: break
    }
  }
}
