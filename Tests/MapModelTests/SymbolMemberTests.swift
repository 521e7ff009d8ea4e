import MapModel
import MapTestSupport
import Testing

/// Rare members of symbols and renderers, from documents and back.
@Suite struct SymbolMemberTests {
  private static func again(_ symbol: any Symbol) throws -> SymbolForm? {
    guard case .simple(let renderer) = try DocumentReading.rewritten(SimpleRenderer(symbol: symbol).form)
    else { return nil }
    return renderer.symbol
  }

  @Test("Line arrows, angle alignment and text boxes are read from documents")
  func documents() throws {
    let arrow = try DocumentReading.symbol(
      #"{"type":"esriSLS","color":[1,2,3],"width":3,"marker":{"style":"arrow","placement":"begin"}}"#)
    guard case .line(let line) = arrow.form else { throw DocumentReading.Unexpected() }
    #expect(line.markerStyle == .arrow)
    #expect(line.markerPlacement == .begin)
    #expect(arrow.warnings.isEmpty)
    let both = try DocumentReading.symbol(#"{"type":"esriSLS","marker":{"style":"arrow"}}"#)
    guard case .line(let ends) = both.form else { throw DocumentReading.Unexpected() }
    #expect(ends.markerPlacement == .beginAndEnd)
    let odd = try DocumentReading.symbol(
      #"{"type":"esriSLS","marker":{"style":"arrow","placement":"middle"}}"#)
    #expect(odd.warnings.count == 1)
    #expect(odd.warnings.first?.contains("middle") == true)

    let boxed = try DocumentReading.symbol(
      """
      {"type":"esriTS","text":"a","backgroundColor":[1,2,3,4],"borderLineColor":[5,6,7],"borderLineSize":1.5,
      "angleAlignment":"map","angle":-20}
      """)
    guard case .text(let text) = boxed.form else { throw DocumentReading.Unexpected() }
    #expect(text.backgroundColor == Color(red: 1, green: 2, blue: 3, alpha: 4))
    #expect(boxed.warnings.isEmpty)
    #expect(text.outlineColor == Color(red: 5, green: 6, blue: 7))
    #expect(text.outlineWidth == 2)
    #expect(text.angleAlignment == .map)
    #expect(text.angle == 20)
  }

  @Test("Every symbol member survives a round trip")
  func roundTrips() throws {
    var seen = 0
    for placement in SimpleLineSymbol.MarkerPlacement.allCases {
      var line = SimpleLineSymbol(width: 4)
      (line.markerStyle, line.markerPlacement) = (.arrow, placement)
      #expect(try Self.again(line) == line.form)
      seen += 1
    }
    for alignment in SymbolAngleAlignment.allCases {
      var marker = SimpleMarkerSymbol(size: 8, angle: 30)
      marker.angleAlignment = alignment
      var text = TextSymbol(text: "a", size: 12)
      (text.angle, text.angleAlignment, text.backgroundColor) = (10, alignment, .yellow)
      (text.outlineColor, text.outlineWidth) = (.red, 4)
      #expect(try Self.again(marker) == marker.form)
      #expect(try Self.again(text) == text.form)
      seen += 2
    }
    #expect(seen == 7)
    let described = SimpleRenderer(symbol: SimpleMarkerSymbol(size: 8), label: "l", description: "more")
    #expect(try DocumentReading.rewritten(described.form) == described.form)
  }

  @Test("A class uses its own or an alternate symbol by scale")
  func alternates() throws {
    func marker(_ size: Double) -> SimpleMarkerSymbol { SimpleMarkerSymbol(size: size) }
    var value = UniqueValueRenderer.UniqueValue(
      label: "x", symbol: marker(4), values: ["a"],
      alternateSymbols: [
        SymbolReference(marker(8), SymbolReferenceProperties(minScale: 20_000, maxScale: 10_000)),
        SymbolReference(marker(12), SymbolReferenceProperties(minScale: 50_000, maxScale: 10_000)),
      ])
    value.referenceProperties = SymbolReferenceProperties(minScale: 10_000)
    let renderer = UniqueValueRenderer(fieldNames: ["f"], uniqueValues: [value]).form
    let sizes =
      [(1.0, 4.0), (10_000, 4), (10_001, 8), (20_000, 8), (20_001, 12), (50_000, 12), (50_001, nil)]
      as [(Double, Double?)]
    for (scale, size) in sizes {
      let expected = size.map { marker($0).form } ?? CompositeSymbol().form
      #expect(renderer.resolved(atScale: scale).classSymbols == [expected], "\(scale)")
    }
    #expect(try DocumentReading.rewritten(renderer) == renderer)
    // The minimum scale is included.
    value.referenceProperties = SymbolReferenceProperties(minScale: 5000)
    let apart = UniqueValueRenderer(fieldNames: ["f"], uniqueValues: [value]).form
    #expect(apart.resolved(atScale: 10_000).classSymbols == [marker(8).form])
    #expect(apart.resolved(atScale: 9999).classSymbols == [CompositeSymbol().form])
    // A symbol without a scale range is used at every scale.
    value.referenceProperties = nil
    let always = UniqueValueRenderer(fieldNames: ["f"], uniqueValues: [value]).form
    #expect(always.resolved(atScale: 30_000) == always)
    #expect(try DocumentReading.rewritten(always) == always)
  }
}
