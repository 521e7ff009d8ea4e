package import MapDrawing
package import MapGeometry
import MapModel
import MapSystem

/// The positions and the drawing of all parts of an image around and on its map.
package struct PageArrangement: Sendable {
  /// The rectangle of the map, in whole view pixels from the image's top left corner.
  package private(set) var map: Envelope
  /// The parts in output pixels of the image, first painted first.
  package private(set) var layers: [DisplayLayer] = []
  /// The rectangles of the parts on the map, in output pixels from the map's top left corner.
  package private(set) var covered: [Envelope] = []
  /// The rectangle of a legend on the map, in view pixels from the map's top left corner; nil for none.
  package private(set) var legendBox: Envelope?
  /// The rectangles of the insets, in whole view pixels from the image's top left corner; nil for those that are left out.
  package private(set) var insets: [Envelope?] = []
  /// The rectangle of the scale bar, in view pixels from the map's top left corner; nil for none.
  package private(set) var scaleBarBox: Envelope?
  /// The rectangle of the locator, in whole view pixels from the image's top left corner; nil for none.
  package private(set) var locatorBox: Envelope?
  /// The parts that are left out or cut.
  package private(set) var warnings: [String] = []
  /// The characters of the texts without a glyph in any font, ascending.
  package private(set) var missingGlyphs: [Unicode.Scalar] = []

  /// Arranges the parts of an image.
  ///
  /// - Parameters:
  ///   - width: the width of the image in view pixels.
  ///   - height: the height of the image in view pixels.
  ///   - legend: the legend; nil for none.
  ///   - attribution: the text that the data require; empty for none.
  ///   - ground: the distances and directions on the map; nil while the map has no view yet.
  ///   - tone: the colours.
  package init(
    _ layout: PageLayout, width: Double, height: Double, pixelRatio: Double, legend: Legend?,
    attribution: String, ground: PageGround?, tone: PageTone, measurer: TextMeasurer?
  ) {
    map = layout.area(width: width, height: height)
    guard let measurer else {
      if layout.hasText || !attribution.isEmpty {
        warnings.append(
          "titles, legends and attribution are not drawn: this build has no fonts (package trait Labels)")
      }
      return
    }
    var builder = PageBuilder(
      layout: layout, size: (width, height), pixelRatio: pixelRatio, tone: tone, measurer: measurer)
    builder.arrange(legend: legend, attribution: layout.attribution ? attribution : "", ground: ground)
    (map, layers, warnings) = (builder.map, builder.layers, builder.warnings)
    missingGlyphs = builder.setter.missing.sorted { $0.value < $1.value }
    insets = builder.insets
    legendBox = builder.legendBox?.moved(-builder.map.xMin, -builder.map.yMin)
    scaleBarBox = builder.scaleBarBox?.moved(-builder.map.xMin, -builder.map.yMin)
    locatorBox = builder.locatorBox
    covered = builder.taken.map { box in
      box.moved(-builder.map.xMin, -builder.map.yMin).multiplied(by: pixelRatio)
    }
  }

  /// Adds parts above the others.
  package mutating func add(_ parts: [DisplayLayer]) { layers += parts }

  /// The size of text relative to its normal size, by the size of the image.
  ///
  /// Text of large images grows with the square root of their size, because they are viewed reduced.
  ///
  /// - Source: design decision: normal at 800 by 600 view pixels.
  static func unit(width: Double, height: Double) -> Double {
    min(max((min(width, height * 4 / 3) / 800).squareRoot(), 0.8), 2.5)
  }
}

extension PageLayout {
  /// Whether any part needs fonts.
  var hasText: Bool { !title.isEmpty || !subtitle.isEmpty || legend != nil || scaleBar != nil || northArrow }
}

extension Envelope {
  fileprivate func multiplied(by factor: Double) -> Envelope {
    Envelope(xMin: xMin * factor, yMin: yMin * factor, xMax: xMax * factor, yMax: yMax * factor)
  }
}
