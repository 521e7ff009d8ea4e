import MapModel
import MapStyles

/// The layout values that all symbols of a layer share.
///
/// - Source: MapLibre Style Specification, and MapLibre GL JS 5 for `auto`.
struct SymbolRules: Sendable {
  enum Placement: String { case point, line, lineCenter = "line-center" }
  /// The direction of the upper side of texts or icons.
  enum Alignment: String { case map, viewport, viewportGlyph = "viewport-glyph" }
  enum ZOrder: String { case auto, viewportY = "viewport-y", source }

  let placement: Placement
  /// The distance between symbols on a line in CSS pixels.
  let spacing: Double
  /// Whether symbols that cross a side of their tile are left out.
  let avoidsEdges: Bool
  let zOrder: ZOrder
  /// Whether symbols of all tiles are placed in the order of their keys.
  let isSorted: Bool
  let text: PartRules
  let icon: PartRules
  /// The largest sum of angles of a line below a part of a text, in radians.
  let maxAngle: Double
  let lineHeight: Double
  let textPadding: Double
  /// The anchors of `text-variable-anchor`.
  let anchors: [SymbolAnchor]
  /// The directions of texts at points that are tried, in order: whether each is vertical.
  let directions: [Bool]
  let fit: IconTextFit
  let fitPadding: [Double]

  /// Whether texts follow lines.
  var textFollowsLine: Bool { placement != .point && text.alignment != .viewport }
  /// Whether icons have the direction of lines.
  var iconFollowsLine: Bool { placement != .point && icon.alignment == .map }
  /// Whether symbols may overlap others, so that their order of painting matters.
  var canOverlap: Bool {
    text.overlap != .never || icon.overlap != .never || text.ignoresPlacement || icon.ignoresPlacement
  }
  /// Whether later symbols are those with the larger y.
  var isSortedByY: Bool { zOrder == .viewportY || zOrder == .auto && !isSorted && canOverlap }

  /// The rules for texts or for icons.
  struct PartRules: Sendable {
    let overlap: OverlapMode
    let ignoresPlacement: Bool
    let isOptional: Bool
    let alignment: Alignment
    let keepsUpright: Bool
    /// The offset of all texts or icons in CSS pixels.
    let translation: (x: Double, y: Double)
    /// Whether the offset rotates with the map.
    let translationIsOnMap: Bool
  }

  init(_ pass: StyleLayerPass) {
    func word(_ name: String) -> String { pass.constant(name)?.string ?? "" }
    func isTrue(_ name: String) -> Bool { pass.constant(name)?.boolean ?? false }
    func number(_ name: String) -> Double { pass.constant(name)?.number ?? 0 }
    placement = Placement(rawValue: word("symbol-placement")) ?? .point
    spacing = max(number("symbol-spacing"), 1)
    avoidsEdges = isTrue("symbol-avoid-edges")
    zOrder = ZOrder(rawValue: word("symbol-z-order")) ?? .auto
    // A key that is the same for all features sorts nothing.
    let hasKeys = pass.has("symbol-sort-key") && pass.constant("symbol-sort-key") == nil
    isSorted = zOrder != .viewportY && hasKeys
    let isPoint = placement == .point
    func part(_ name: String) -> PartRules {
      let overlap = pass.has("\(name)-overlap") ? OverlapMode(rawValue: word("\(name)-overlap")) : nil
      let translation = pass.constant("\(name)-translate")?.numberArray ?? [0, 0]
      func offset(_ index: Int) -> Double {
        translation.indices.contains(index) && translation[index].isFinite ? translation[index] : 0
      }
      return PartRules(
        overlap: overlap ?? (isTrue("\(name)-allow-overlap") ? .always : .never),
        ignoresPlacement: isTrue("\(name)-ignore-placement"), isOptional: isTrue("\(name)-optional"),
        alignment: Alignment(rawValue: word("\(name)-rotation-alignment")) ?? (isPoint ? .viewport : .map),
        keepsUpright: isTrue("\(name)-keep-upright"), translation: (offset(0), offset(1)),
        translationIsOnMap: word("\(name)-translate-anchor") != "viewport")
    }
    (text, icon) = (part("text"), part("icon"))
    maxAngle = number("text-max-angle") * .pi / 180
    lineHeight = number("text-line-height")
    textPadding = number("text-padding")
    func words(_ name: String) -> [String] { pass.constant(name)?.words ?? [] }
    anchors = words("text-variable-anchor").compactMap { SymbolAnchor(rawValue: $0) }
    let modes = isPoint ? words("text-writing-mode") : []
    directions = modes.isEmpty ? [false] : modes.map { $0 == "vertical" }
    fit = IconTextFit(rawValue: word("icon-text-fit")) ?? .none
    let padding = pass.constant("icon-text-fit-padding")?.numberArray ?? []
    fitPadding = padding.count == 4 ? padding : [0, 0, 0, 0]
  }
}

/// The symbols that a text or an icon may overlap.
enum OverlapMode: String, Sendable {
  case never
  /// Those that may overlap others as well.
  case cooperative
  case always
}

extension SymbolRules.PartRules {
  /// Returns the offset in output pixels where the map's up has a direction in clockwise degrees.
  func translation(bearing: Double, pixelRatio: Double) -> (x: Double, y: Double) {
    let (x, y) = (translation.x * pixelRatio, translation.y * pixelRatio)
    guard translationIsOnMap, (x, y) != (0, 0) else { return (x, y) }
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(bearing)
    return (x * cosine - y * sine, x * sine + y * cosine)
  }
}
