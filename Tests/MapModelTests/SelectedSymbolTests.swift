import MapModel
import Testing

/// The appearance of selected features.
@Suite struct SelectedSymbolTests {
  private static func marked(_ renderer: SimpleRenderer) -> RendererForm { renderer.form.selected(in: .cyan) }

  private static func marked(_ symbol: any Symbol) -> [SymbolForm] {
    marked(SimpleRenderer(symbol: symbol)).classSymbols
  }

  @Test("A selected marker and its outline have the selection colour")
  func markers() {
    func marker(_ color: Color?, _ outline: Color?) -> SimpleMarkerSymbol {
      SimpleMarkerSymbol(
        style: .square, color: color, size: 9,
        outline: outline.map { SimpleLineSymbol(style: .dash, color: $0, width: 3) })
    }
    #expect(Self.marked(marker(.red, .black)) == [marker(.cyan, .cyan).form])
    #expect(Self.marked(marker(.red, nil)) == [marker(.cyan, nil).form])
    #expect(Self.marked(marker(nil, .black)) == [marker(nil, .cyan).form])
    let bare = SimpleMarkerSymbol(
      style: .square, color: nil, size: 9, outline: SimpleLineSymbol(color: .cyan))
    #expect(Self.marked(marker(nil, nil)) == [bare.form])
  }

  @Test("A selected area has an outline of at least two pixels and no fill")
  func areas() {
    for (width, drawn) in [(nil, 2), (0.5, 2), (5, 5)] as [(Double?, Double)] {
      let fill = SimpleFillSymbol(
        style: .cross, color: .red, outline: width.map { SimpleLineSymbol(color: .black, width: $0) })
      let outline = SimpleLineSymbol(color: .cyan, width: drawn)
      #expect(Self.marked(fill) == [SimpleFillSymbol(color: nil, outline: outline).form])
    }
  }

  @Test("Selection replaces colours by field and keeps sizes")
  func variables() {
    var renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(color: .red, size: 9))
    renderer.visualVariables.size = SizeVariable(
      input: .field("n"), rule: .stops([VariableStop(0, 20), VariableStop(1, 30)]))
    let size = renderer.visualVariables
    renderer.visualVariables.color = ColorVariable(
      input: .field("n"), stops: [VariableStop(0, .red), VariableStop(1, .blue)])
    renderer.visualVariables.transparency = TransparencyVariable(
      input: .field("n"), stops: [VariableStop(0, 0.2), VariableStop(1, 1)])
    #expect(Self.marked(renderer).visualVariables == size)
  }
}
