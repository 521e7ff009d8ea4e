import Glibc
import MapModel

/// The colours of one basemap style, and the renderers made from them.
struct BasemapPalette {
  /// The colours of names and of the dots of places.
  struct Names {
    let country: Color
    let place: Color
    let water: Color
    let halo: Color
  }

  /// The background colour, also of lakes.
  let water: Color
  let land: Color
  let ice: Color
  let river: Color
  /// The colour of coastlines and lake shores.
  let coast: Color
  let border: Color
  /// The colour of a wide pale line under the borders; nil draws none.
  var casing: Color?
  let state: Color
  let graticule: Color
  let names: Names

  /// Returns the width factor of lines at a scale denominator, from 0.5 for the world to 1.2 for a country.
  ///
  /// A world map is not covered by lines, and a country map still shows them.
  ///
  /// - Source: design decision; the factor grows with the logarithm of the scale.
  static func weight(atScale scale: Double) -> Double {
    let steps = log10(max(scale, 1) / 1_000_000) / 2
    return 1.2 - 0.7 * min(max(steps, 0), 1)
  }

  /// Returns the parts drawn at a scale denominator with their renderers, from bottom to top.
  func looks(atScale scale: Double) -> [(BasemapPart, RendererForm)] {
    let weight = Self.weight(atScale: scale)
    let level = BasemapLevel(scale: scale)
    var looks: [(BasemapPart, RendererForm)] = [
      (.land, .byClass([fill(land), fill(ice)])),
      (
        .rivers,
        .byClass([line(river, 1.3 * weight), line(river, 0.9 * weight), line(river, 0.55 * weight)])
      ),
      (.lakes, .byClass([fill(water, line(coast, 0.5 * weight))])),
      (.states, .byClass([line(state, 0.9 * weight), line(state, 0.6 * weight)])),
      (.coast, .byClass([line(coast, 0.75 * weight)])),
    ]
    if let casing, level != .world { looks.append((.borders, .byClass([line(casing, 3.6 * weight)]))) }
    var disputed = line(border, 1.1 * weight)
    // A dash shorter than three pixels looks like noise.
    disputed.dashTemplate = [max(3, 4 * weight), max(2, 2.5 * weight)]
    looks.append((.borders, .byClass([line(border, 1.1 * weight), disputed])))
    return looks
  }

  /// The colour of the page beside the ground of a projection; nil for that of water, on a dark map.
  var page: Color? { GroundTone(of: water) == .dark ? nil : .white }
  /// The renderer of the page beside the ground of a projection.
  var pageLook: RendererForm? { page.map { .byClass([fill($0)]) } }
  /// The renderer of the line around the ground of a projection.
  var edgeLook: RendererForm { .byClass([line(border, 1)]) }

  /// The renderer of the graticule.
  var graticuleLook: RendererForm { .byClass([line(graticule, 0.6)]) }

  private func fill(_ color: Color, _ outline: SimpleLineSymbol? = nil) -> SimpleFillSymbol {
    SimpleFillSymbol(color: color, outline: outline)
  }

  private func line(_ color: Color, _ width: Double) -> SimpleLineSymbol {
    SimpleLineSymbol(color: color, width: width, cap: .round, join: .round)
  }
}

extension RendererForm {
  /// Returns a renderer with the same symbol for all features, or with a symbol for each class from 0.
  fileprivate static func byClass(_ symbols: [any Symbol]) -> RendererForm {
    if symbols.count == 1 { return SimpleRenderer(symbol: symbols[0]).form }
    return UniqueValueRenderer(
      fieldNames: ["class"],
      uniqueValues: symbols.enumerated().map { index, symbol in
        UniqueValueRenderer.UniqueValue(values: ["\(index)"], label: "\(index)", symbol: symbol.form)
      }
    ).form
  }
}

extension BasemapPalette {
  /// Creates the palette of a style; a style that is not drawn gets the plain palette.
  ///
  /// - Source: the colours are a design decision.
  init(_ style: Basemap.Style) {
    switch style.drawn {
    case .arcGISTopographic:
      self.init(
        water: Color(0xB5D6E7), land: Color(0xE8EDD9), ice: Color(0xF7FAFA), river: Color(0x8FBDD6),
        coast: Color(0x79A6C1), border: Color(0x8A7F72), casing: Color(0xDCD8C4), state: Color(0xBCBBA6),
        graticule: Color(0xA3C1C9),
        names: Names(
          country: Color(0x5F574C), place: Color(0x33312D), water: Color(0x2C5D7D), halo: Color(0xF4F6EC)))
    case .arcGISStreets:
      self.init(
        water: Color(0xA9D0DE), land: Color(0xF5F0E4), ice: Color(0xFCFAF6), river: Color(0x93C1D2),
        coast: Color(0x82B0C1), border: Color(0x97798E), casing: Color(0xE9DEE2), state: Color(0xCFC0B0),
        graticule: Color(0xB4C3C4),
        names: Names(
          country: Color(0x6B5366), place: Color(0x3C3733), water: Color(0x285A6B), halo: Color(0xFBF8F1)))
    case .arcGISDarkGray:
      self.init(
        water: Color(0x202326), land: Color(0x383C40), ice: Color(0x43474B), river: Color(0x25292C),
        coast: Color(0x4A4F54), border: Color(0x777D83), state: Color(0x4D5257), graticule: Color(0x41464B),
        names: Names(
          country: Color(0xA9AFB5), place: Color(0xC9CED3), water: Color(0x7F8B96), halo: Color(0x24272A)))
    case .arcGISNavigation:
      self.init(
        water: Color(0xA3CBEA), land: Color(0xECEFF1), ice: Color(0xFAFCFD), river: Color(0x93BDE0),
        coast: Color(0x78A8D0), border: Color(0x8A8FA0), casing: Color(0xDDE1E8), state: Color(0xBCC4CC),
        graticule: Color(0xB3C3D0),
        names: Names(
          country: Color(0x5B6470), place: Color(0x232B33), water: Color(0x1F5580), halo: Color(0xF7F9FA)))
    case .arcGISOceans:
      self.init(
        water: Color(0x86BBDD), land: Color(0xEFECE4), ice: Color(0xFBFBF9), river: Color(0x9CC5DF),
        coast: Color(0x5B94BA), border: Color(0xB3AB98), state: Color(0xDAD5C8), graticule: Color(0x73A7CB),
        names: Names(
          country: Color(0x6F6858), place: Color(0x5C5647), water: Color(0x164468), halo: Color(0xF6F4EE)))
    default:
      self.init(
        water: Color(0xD0D5D9), land: Color(0xF3F3F2), ice: Color(0xFAFAFA), river: Color(0xCBD1D5),
        coast: Color(0xB7BDC1), border: Color(0xA1A7AB), state: Color(0xD8DADA), graticule: Color(0xC3C9CD),
        names: Names(
          country: Color(0x686E73), place: Color(0x565B60), water: Color(0x515C65), halo: Color(0xFAFAFA)))
    }
  }
}

extension Color {
  /// Creates an opaque colour from a hexadecimal number.
  fileprivate init(_ value: UInt32) {
    self.init(red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
  }
}
