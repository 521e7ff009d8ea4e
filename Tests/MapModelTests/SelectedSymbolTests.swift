import MapModel
import Testing

/// What selected features look like.
@Suite struct SelectedSymbolTests {
  private static func marked(_ renderer: SimpleRenderer) -> RendererForm { renderer.form.selected(in: .cyan) }

  private static func marked(_ symbol: any Symbol) -> [SymbolForm] {
    marked(SimpleRenderer(symbol: symbol)).classSymbols
  }

  @Test("A marker is of one colour with its outline; one that has neither gets an outline")
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

  @Test("An area's inside stays free, in an outline of two pixels at least")
  func areas() {
    for (width, drawn) in [(nil, 2), (0.5, 2), (5, 5)] as [(Double?, Double)] {
      let fill = SimpleFillSymbol(
        style: .cross, color: .red, outline: width.map { SimpleLineSymbol(color: .black, width: $0) })
      let outline = SimpleLineSymbol(color: .cyan, width: drawn)
      #expect(Self.marked(fill) == [SimpleFillSymbol(color: nil, outline: outline).form])
    }
  }

  @Test("Colours by a field give way, sizes stay")
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
