package import MapStyles

/// The symbols of a style layer in a view that may be placed, in the order of placement.
package struct SymbolCandidates: Sendable {
  /// The style layer.
  package let layer: StyleLayer
  /// The values that all symbols of the layer share.
  let rules: SymbolRules
  /// The symbols in the order of placement.
  var symbols: [Symbol] = []
  /// The texts, which symbols share.
  var texts: [SymbolText] = []
  /// The icons, which symbols share.
  var icons: [SymbolIcon] = []
  /// The lines that texts follow.
  var lines: [SymbolLine] = []
  /// The fonts of the texts.
  let fonts: SymbolFonts
  /// The properties whose values could not be evaluated or drawn, one line each.
  package var problems: [String] = []

  /// The number of symbols.
  package var count: Int { symbols.count }
}

/// A text, an icon or both at an anchor point.
struct Symbol: Sendable {
  /// The number of the feature, for id images.
  let row: Int32
  /// The anchor point in output pixels, moved by neither `text-translate` nor `icon-translate`.
  let x: Double
  let y: Double
  /// The zoom of the tile, and the rank of the tile in the order of placement.
  let zoom: Int
  let tile: Int
  /// The distances from the anchor point to the sides of its tile in output pixels.
  let edges: SymbolBox
  /// The clockwise direction of the map's up at the anchor point, in degrees.
  let bearing: Double
  /// The key that `symbol-sort-key` gives.
  let sortKey: Double
  /// The index in ``SymbolCandidates/texts``; nil for none.
  let text: Int?
  /// The index in ``SymbolCandidates/icons``; nil for none.
  let icon: Int?
  /// The anchor point on a line; nil for a symbol at a point.
  let spot: LineSpot?
}

/// A point on a line.
struct LineSpot: Sendable {
  /// The index in ``SymbolCandidates/lines``.
  let line: Int
  /// The index of the vertex before the point.
  let segment: Int
}

/// A text of a symbol in all forms in which it may be placed.
struct SymbolText: Sendable {
  /// The horizontal text for each justification that an anchor may have; the first decides boxes.
  let shapes: [(justification: TextJustification, shape: ShapedText)]
  /// The vertical text; nil for none.
  let vertical: ShapedText?
  /// The anchors to be tried with the offsets of the text in ems; empty for a text with a fixed anchor.
  let anchors: [TextPlace]
  let look: TextLook

  /// The text that decides boxes and lengths.
  var shape: ShapedText? { shapes.first?.shape ?? vertical }
  /// The text by which duplicates in tiles of different zooms are found.
  var name: String { shape?.text ?? "" }

  /// Returns the horizontal text for a variable anchor.
  func shape(at anchor: SymbolAnchor) -> ShapedText? {
    (shapes.first { $0.justification == anchor.justification } ?? shapes.first)?.shape
  }
}

/// An anchor that a text may have, with its offset from the anchor point in ems.
struct TextPlace: Hashable, Sendable {
  let anchor: SymbolAnchor
  let x: Double
  let y: Double
}

/// An icon of a symbol.
struct SymbolIcon: Sendable {
  /// The image with its position.
  let shape: ShapedIcon
  /// The same for a vertical text to which it is fitted; nil for none.
  let vertical: ShapedIcon?
  let look: IconLook
}

/// The sizes and colours of a text.
struct TextLook: Hashable, Sendable {
  /// The size in CSS pixels.
  let size: Double
  /// The size at the next whole zoom, by which boxes are measured.
  let layoutSize: Double
  /// The clockwise rotation in degrees.
  let rotation: Double
  /// The offset of text along a line, in ems: forward, and to the right of its direction.
  let lineOffset: SIMD2<Double>
  let color: StyleColor
  let haloColor: StyleColor
  /// The width and the blur of the halo in CSS pixels.
  let haloWidth: Double
  let haloBlur: Double
  let opacity: Double
}

/// The sizes and colours of an icon.
struct IconLook: Hashable, Sendable {
  /// The factor of the image's size.
  let size: Double
  /// The factor at the next whole zoom, by which boxes are measured.
  let layoutSize: Double
  /// The clockwise rotation in degrees.
  let rotation: Double
  /// The distances between the icon and the sides of its box in CSS pixels: top, right, bottom and left.
  let padding: SIMD4<Double>
  let paint: IconPaint
  let opacity: Double
}
