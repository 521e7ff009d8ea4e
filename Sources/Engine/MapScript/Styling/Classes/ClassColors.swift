import MapModel
import MapState

/// Colours for the classes that a layer has.
struct ClassColors {
  private let request: StyleRequest

  /// Takes the colours or the ramp of a request.
  init(_ request: StyleRequest) { self.request = request }

  /// Returns a renderer with these colours for its classes, in their order; other parts of the symbols stay.
  ///
  /// - Throws: `MapStateError` of kind input for a renderer without classes, and of kind usage for too few colours.
  func applied(
    to renderer: RendererForm?, of layer: String
  ) throws(MapStateError) -> RendererForm {
    let changed: RendererForm
    switch renderer {
    case .classBreaks(var renderer):
      let colors = try colors(renderer.classBreaks.count)
      for (index, color) in zip(renderer.classBreaks.indices, colors) {
        renderer.classBreaks[index].symbol = renderer.classBreaks[index].symbol.colored(color)
      }
      changed = .classBreaks(renderer)
    case .uniqueValue(var renderer):
      let colors = try colors(renderer.uniqueValues.count)
      for (index, color) in zip(renderer.uniqueValues.indices, colors) {
        renderer.uniqueValues[index].symbol = renderer.uniqueValues[index].symbol.colored(color)
      }
      changed = .uniqueValue(renderer)
    default:
      throw MapStateError(
        .usage, "\(option): layer \"\(layer)\" has no classes to colour; choose a field with --color-by")
    }
    guard changed != renderer else {
      throw MapStateError(.input, "\(option): the symbols of layer \"\(layer)\" have no colour to replace")
    }
    return changed
  }

  private var option: String { request.ramp == nil ? "--colors" : "--ramp" }

  private func colors(_ count: Int) throws(MapStateError) -> [Color] {
    if let colors = request.colors {
      guard colors.count >= count else {
        throw MapStateError(
          .usage,
          "--colors has \(colors.count) \(colors.count == 1 ? "colour" : "colours") for \(count) classes")
      }
      return colors
    }
    let ramp = request.ramp ?? .standard
    if let most = ramp.largestCount, most < count {
      throw MapStateError(
        .usage, "--ramp \(ramp.name) has \(most) colours for \(count) classes; give another ramp")
    }
    return ramp.colors(count: count)
  }
}

extension RendererForm {
  /// The symbol of a simple renderer, if it has one colour that classes can replace; else nil.
  var colorableSymbol: SymbolForm? {
    guard case .simple(let simple) = self else { return nil }
    switch simple.symbol {
    case .marker(let marker): return [.cross, .x].contains(marker.style) ? nil : simple.symbol
    case .line: return simple.symbol
    case .fill(let fill): return fill.color == nil ? nil : simple.symbol
    default: return nil
    }
  }
}
