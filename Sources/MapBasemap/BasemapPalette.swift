import MapModel

/// The colours and line widths of one basemap style, and the renderers made from them.
struct BasemapPalette {
  /// The background colour.
  let water: Color
  /// The colours of the water bands far from the shore and near it; nil draws no bands.
  var shelf: (far: Color, near: Color)?
  let land: Color
  let ice: Color
  let lake: Color
  /// The colour of coastlines and lake shores.
  let coast: Color
  let border: Color
  /// The colour of disputed borders.
  let disputed: Color
  /// The colour of a wide pale line under the borders; nil draws none.
  var casing: Color?
  let state: Color

  /// Returns the parts drawn at a level with their renderers, from bottom to top.
  func looks(at level: BasemapLevel) -> [(BasemapPart, RendererForm)] {
    // Lines get wider at larger scales: a world map is not covered by lines, and a country map still shows them.
    let weight =
      switch level {
      case .world: 0.6
      case .continent: 0.8
      case .country: 1.0
      }
    var looks: [(BasemapPart, RendererForm)] = []
    if let shelf { looks.append((.shelf, .byClass(fill(shelf.far), fill(shelf.near)))) }
    looks += [
      (.land, .byClass(fill(land), fill(ice))),
      (.states, .byClass(line(state, 0.9 * weight), line(state, 0.6 * weight))),
      (.lakes, .byClass(fill(lake, line(coast, 0.6 * weight)))),
      (.coast, .byClass(line(coast, 0.8 * weight))),
    ]
    if let casing, level != .world { looks.append((.borders, .byClass(line(casing, 3.6 * weight)))) }
    looks.append((.borders, .byClass(line(border, 1.2 * weight), line(disputed, 1.2 * weight))))
    return looks
  }

  private func fill(_ color: Color, _ outline: SimpleLineSymbol? = nil) -> SimpleFillSymbol {
    SimpleFillSymbol(color: color, outline: outline)
  }

  private func line(_ color: Color, _ width: Double) -> SimpleLineSymbol {
    SimpleLineSymbol(color: color, width: width)
  }
}

extension RendererForm {
  /// Returns a renderer with one symbol for all features, or with one symbol for class 0 and one for class 1.
  fileprivate static func byClass(_ first: any Symbol, _ second: (any Symbol)? = nil) -> RendererForm {
    guard let second else { return SimpleRenderer(symbol: first).form }
    return UniqueValueRenderer(
      fieldNames: ["class"],
      uniqueValues: [
        UniqueValueRenderer.UniqueValue(values: ["0"], label: "0", symbol: first.form),
        UniqueValueRenderer.UniqueValue(values: ["1"], label: "1", symbol: second.form),
      ]
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
        water: Color(0xB9D8E8), shelf: (Color(0xC4E0ED), Color(0xD0E8F2)), land: Color(0xE7ECD6),
        ice: Color(0xF6F9F8), lake: Color(0xB9D8E8), coast: Color(0x7CA8C2), border: Color(0x8F8474),
        disputed: Color(0xB9AF9F), casing: Color(0xD9D3BC), state: Color(0xBDBBA2))
    case .arcGISStreets:
      self.init(
        water: Color(0xA5CFDD), land: Color(0xF6F0E2), ice: Color(0xFBF9F4), lake: Color(0xA5CFDD),
        coast: Color(0x86B4C4), border: Color(0x9C7F93), disputed: Color(0xC3AFBD), casing: Color(0xEADFE3),
        state: Color(0xD2C2B0))
    case .arcGISDarkGray:
      self.init(
        water: Color(0x24272A), land: Color(0x3B3F43), ice: Color(0x44484C), lake: Color(0x24272A),
        coast: Color(0x50555A), border: Color(0x777D83), disputed: Color(0x595E63), state: Color(0x50555A))
    case .arcGISOceans:
      self.init(
        water: Color(0x5B9FCC), shelf: (Color(0x7AB5DA), Color(0xA2D0E8)), land: Color(0xEEEBE2),
        ice: Color(0xFAFAF8), lake: Color(0x8FC3E0), coast: Color(0x4B86AE), border: Color(0xBFB8A6),
        disputed: Color(0xD6D1C4), state: Color(0xDCD7CA))
    default:
      self.init(
        water: Color(0xD3D7DA), land: Color(0xF3F3F2), ice: Color(0xF9F9F9), lake: Color(0xD3D7DA),
        coast: Color(0xBCC1C4), border: Color(0xA9AEB1), disputed: Color(0xC9CCCE), state: Color(0xD9DBDB))
    }
  }
}

extension Color {
  /// Creates an opaque colour from a hexadecimal number.
  fileprivate init(_ value: UInt32) {
    self.init(red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
  }
}
