package import MapDrawing
import MapGeometry
import MapModel

/// An image of a legend alone.
package struct LegendPage: Sendable {
  /// The width in view pixels.
  package let width: Double
  /// The height in view pixels.
  package let height: Double
  /// The drawing, in output pixels.
  package let layers: [DisplayLayer]
  /// The entries that are left out.
  package let warnings: [String]
  /// The characters of the labels without a glyph in any font, ascending.
  package private(set) var missingGlyphs: [Unicode.Scalar] = []

  /// The largest size of an image of a legend, in view pixels.
  ///
  /// - Source: design decision.
  private static let largest = (width: 1_200.0, height: 1_600.0)

  /// Lays out a legend in columns; the image has the size of the legend.
  ///
  /// - Parameter columns: the number of columns; nil for as few as there is room for.
  package init(
    _ legend: Legend, columns: Int? = nil, pixelRatio: Double, tone: PageTone, measurer: TextMeasurer?
  ) {
    guard let measurer else {
      (width, height, layers) = (1, 1, [])
      warnings = ["the legend is not drawn: this build has no fonts (package trait Labels)"]
      return
    }
    var setter = TextSetter(measurer)
    let pad = 12.0
    let block = LegendBlock(
      legend, flow: .columns, columns: columns, width: Self.largest.width - 2 * pad,
      height: Self.largest.height - 2 * pad,
      unit: 1,
      tone: tone, setter: &setter)
    (width, height) = ((block.width + 2 * pad).rounded(.up), (block.height + 2 * pad).rounded(.up))
    var canvas = PartCanvas(
      "legend", size: (width, height), pixelRatio: pixelRatio, measurer: measurer)
    block.draw(on: &canvas, x: pad, y: pad)
    layers = canvas.finished
    missingGlyphs = setter.missing.sorted { $0.value < $1.value }
    warnings =
      block.warnings
      + (block.leftOut > 0
        ? ["the legend shows \(legend.entryCount - block.leftOut) of \(legend.entryCount) entries"] : [])
  }
}
