import MapLayout
import MapModel
import MapState
import Testing

/// Default colours on light and dark ground.
@Suite struct GroundColorTests {
  /// The contrast that `lint` asks for.
  private static let needed = 4.5
  /// All names of styles, also those that are drawn as another.
  private static let styles =
    Basemap.Style.withDrawing + [
      .arcGISLightGrayBase, .arcGISDarkGrayBase, .arcGISImagery, .arcGISStreetsNight,
    ]

  private static func view(
    _ style: Basemap.Style?, background: Color? = .white, names: Bool = false, scale: Double = 2e7,
    _ layers: [FeatureLayer] = []
  ) throws -> ViewState {
    try BasemapRenderingTests.view(style, scale: scale, layers).with(background, names: names).freeze()
  }

  private static func contrast(_ text: Color, _ surface: Color) -> Double {
    LinearColor(text.over(surface)).contrast(to: LinearColor(surface))
  }

  @Test("Ground is dark where white text has more contrast than black text, and transparent ground is light")
  func rule() {
    for level in 0...255 {
      let color = Color(red: UInt8(level), green: UInt8(level), blue: UInt8(level))
      let isDark = Self.contrast(.white, color) > Self.contrast(.black, color)
      #expect((GroundTone(of: color) == .dark) == isDark, "\(level)")
      #expect(GroundTone(of: color.withAlphaComponent(0.4)) == .light)
    }
    #expect(GroundTone(of: nil) == .light)
    #expect(GroundTone(of: .blue) == .dark && GroundTone(of: .cyan) == .light)
  }

  @Test("Basemap styles have the ground of their water, which hides the background")
  func styleGround() throws {
    for style in Self.styles {
      let isDark = style.drawn == .arcGISDarkGray
      for background in [Color.white, .black, nil] {
        let view = try Self.view(style, background: background)
        #expect(view.groundColor == view.basemap?.water)
        #expect((GroundTone(of: view.groundColor) == .dark) == isDark, "\(style)")
        #expect(view.groundColors.count == 2)
        #expect(view.selectionColor == (isDark ? .cyan : Color(red: 230, green: 0, blue: 126)))
      }
    }
    #expect(GroundTone(of: try Self.view(nil, background: .black).groundColor) == .dark)
    #expect(GroundTone(of: try Self.view(nil, background: nil).groundColor) == .light)
  }

  @Test("Names of basemaps have the contrast that lint asks for, with every style and scale")
  func names() throws {
    var count = 0
    for style in Self.styles.map(Optional.some) + [nil] {
      for background in [Color.white, .black, Color(red: 107, green: 107, blue: 107)] {
        for scale in [1.5e8, 2e7, 4e6] {
          let view = try Self.view(style, background: background, names: true, scale: scale)
          let layer = try #require(view.basemap?.referenceLayers.first { $0.id == "basemap-names" })
          for label in layer.labelDefinitions {
            let text = try #require(label.textSymbol.color)
            // Names of waters have no halo, and are drawn over water.
            let surfaces = try label.textSymbol.haloColor.map { [$0] } ?? [#require(view.groundColor)]
            for surface in surfaces {
              #expect(
                Self.contrast(text, surface) >= Self.needed,
                "\(label.name) of \(style?.rawValue ?? "none"): \(text) on \(surface)")
              count += 1
            }
          }
        }
      }
    }
    #expect(count > 500)
  }

  @Test("Titles, legends, scale bars and attributions have the contrast that lint asks for, on every ground")
  func pages() throws {
    var grounds = try Self.styles.compactMap { try Self.view($0).groundColor }
    for level in 0...255 { grounds.append(Color(red: UInt8(level), green: UInt8(level), blue: UInt8(level))) }
    grounds += [.red, .green, .blue, .cyan, .magenta, .yellow, .purple, .brown]
    for ground in grounds {
      let tone = PageTone(canvas: ground)
      let paper = try #require(tone.paper)
      // Plates are translucent: the map below may have any colour.
      for surface in [paper, tone.plate.over(.white), tone.plate.over(.black)] {
        #expect(Self.contrast(tone.ink, surface) >= Self.needed, "\(ground): \(tone.ink) on \(surface)")
        #expect(Self.contrast(tone.muted, surface) >= Self.needed, "\(ground): \(tone.muted) on \(surface)")
      }
    }
    let transparent = PageTone(canvas: nil)
    #expect(transparent.paper == nil && transparent.ink == PageTone.light.ink)
  }

  @Test("Layers without a renderer follow the ground, and those with one do not")
  func renderers() throws {
    func layers() -> [FeatureLayer] {
      let plain = FeatureLayer(source: TableFixtures.cities)
      let own = FeatureLayer(source: TableFixtures.cities)
      own.renderer = plain.renderer
      return [plain, own]
    }
    let light = try Self.view(nil, layers())
    let dark = try Self.view(nil, background: .black, layers())
    let style = try Self.view(.arcGISDarkGray, layers())
    let standard = RendererForm.standard(for: .point)
    #expect(light.layers.map(\.renderer) == [standard, standard])
    for view in [dark, style] {
      #expect(view.layers.map(\.renderer) == [.standard(for: .point, on: .dark), standard])
    }
    // A renderer that is set back follows the ground again.
    let reset = layers()
    reset[1].resetRenderer()
    let view = try Self.view(nil, background: .black, reset)
    #expect(
      view.layers.map(\.renderer) == [.standard(for: .point, on: .dark), .standard(for: .point, on: .dark)])
  }

  @Test("Standard colours of classes differ from the ground, and high classes stand out more than low ones")
  func ramps() throws {
    for count in 1...50 {
      for (tone, ground) in [(GroundTone.light, Color.white), (.dark, Color(red: 32, green: 35, blue: 38))] {
        let colors = ColorRamp.standardColors(count: count, on: tone)
        #expect(colors.count == count && Set(colors).count == count)
        let contrasts = colors.map { Self.contrast($0, ground) }
        #expect(contrasts.last == contrasts.max(), "\(count) \(tone)")
        let differences = colors.map { $0.difference(to: ground) }
        #expect((differences.min() ?? 0) > 10, "\(count) \(tone)")
      }
    }
    #expect(ColorRamp.standardColors(count: 0, on: .dark).isEmpty)
  }

  @Test("An outline width by scale alone is that of the symbols at the scale")
  func outlines() throws {
    let fill = SimpleFillSymbol(color: .red, outline: SimpleLineSymbol(color: .white, width: 9))
    var renderer = SimpleRenderer(symbol: fill)
    renderer.visualVariables.outlineWidth = SizeVariable(
      input: .scale, rule: .stops([VariableStop(100, 2), VariableStop(200, 0)]))
    for (scale, width) in [(50.0, 2.0), (150, 1), (200, 0), (1e9, 0)] {
      let resolved = renderer.form.resolved(atScale: scale)
      #expect(resolved.visualVariables.isEmpty)
      guard case .fill(let fill)? = resolved.classSymbols.first else {
        Issue.record("no fill")
        return
      }
      #expect(fill.outline?.width == width)
    }
    // Selected areas keep the outline that marks them.
    let selected = renderer.form.selected(in: .cyan).resolved(atScale: 200)
    #expect(
      selected.classSymbols == [
        SimpleFillSymbol(color: nil, outline: SimpleLineSymbol(color: .cyan, width: 9)).form
      ])
  }
}

extension MapView {
  /// Returns the view with another background, and names of the basemap.
  fileprivate func with(_ background: Color?, names: Bool) -> MapView {
    map.backgroundColor = background
    if names {
      map.basemap = map.basemap ?? Basemap()
      map.basemap?.showsNames = true
    }
    return self
  }
}
