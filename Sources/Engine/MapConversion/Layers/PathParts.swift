import MapFeatures
import MapJSON
import MapModel

/// The parts of the symbol of a line or an area, in painting order, as layers of styles draw them.
enum PathPart {
  /// An area in one colour.
  case fill(Color)
  /// An area with a pattern.
  case pattern(SymbolForm, period: (width: Int, height: Int))
  /// A line.
  case stroke(SimpleLineSymbol, isOutline: Bool)
}

/// The members of a layer of lines that have one value for all its features.
struct StrokeForm: Hashable {
  let cap: SimpleLineSymbol.Cap
  let join: SimpleLineSymbol.Join
  let miterLimit: Double
  /// The lengths of dashes and gaps, in line widths; empty for a solid line.
  let dashes: [Double]

  /// Creates the members of a line.
  ///
  /// - Parameter zoom: the zoom at which dashes have their length.
  init(_ line: SimpleLineSymbol, zoom: Double) {
    (cap, join, miterLimit) = (line.cap, line.join, line.join == .miter ? line.miterLimit : 0)
    // Dashes have their length at whole zooms, and grow with the map up to the next one (MapLibre GL JS 5 and Native).
    let growth = Viewpoint.scale(ofZoom: zoom.rounded(.down)) / Viewpoint.scale(ofZoom: zoom)
    // Nine digits, because a division by the width is rounded.
    dashes = line.dashesInWidths.map { ($0 / growth * 1e9).rounded() / 1e9 }
  }
}

extension SimpleLineSymbol {
  /// The lengths of dashes and gaps, in line widths; empty for a solid line.
  ///
  /// Lines under one pixel wide have the pattern of one pixel; round and square caps are subtracted from the dash.
  ///
  /// - Source: the lengths of ``SimpleLineSymbol/Style``.
  fileprivate var dashesInWidths: [Double] {
    guard width > 0 else { return [] }
    let lengths: [Double]
    if dashTemplate.isEmpty {
      let unit = max(width, 1)
      lengths = style.pattern.enumerated().map { index, length in
        guard cap != .butt else { return length * unit }
        return max(index % 2 == 0 ? length - 1 : length + 1, 0.001) * unit
      }
    } else {
      lengths = dashTemplate.count.isMultiple(of: 2) ? dashTemplate : dashTemplate + dashTemplate
    }
    return lengths.map { $0 / width }
  }

  /// Whether the line changes a pixel.
  fileprivate var hasInk: Bool { width > 0 && (color?.alpha ?? 0) > 0 }

  /// The properties of the line that layers of styles lack; each with what becomes of it.
  func losses(isOutline: Bool) -> [String] {
    var losses: [String] = []
    if !dashesInWidths.isEmpty {
      losses.append("its dashes have their length at the zoom of the view, and change between whole zooms")
    }
    if !isOutline, markerStyle != .none { losses.append("its arrows are not written") }
    if !dashTemplate.isEmpty, dashEnding != .unconstrained {
      losses.append("its dashes start at the first vertex and are not stretched")
    }
    if dashOffset != 0, !dashTemplate.isEmpty { losses.append("its dashes start without their offset") }
    for effect in effects {
      switch effect {
      case .offset:
        if isOutline || effects.count > 1 { losses.append("its offset is not written") }
      case .arrow: losses.append("it is a plain line and not the outline of an arrow")
      }
    }
    return losses
  }

  /// The distance of the line to the right of its vertices, in pixels.
  var styleOffset: Double {
    if effects.count == 1, case .offset(let distance, _) = effects[0] { -distance } else { 0 }
  }
}

extension SymbolForm {
  /// The parts of the symbol for lines or areas, and the losses.
  ///
  /// Areas have fills at the even places and lines at the odd ones, so that parts of several symbols fit each other.
  func pathParts(isArea: Bool) -> (parts: [PathPart?], losses: [String]) {
    var parts: [PathPart?] = []
    var losses: [String] = []
    func add(_ line: SimpleLineSymbol?, isOutline: Bool) {
      guard let line, line.hasInk else { return }
      losses += line.losses(isOutline: isOutline)
      if isArea, parts.count.isMultiple(of: 2) { parts.append(nil) }
      parts.append(.stroke(line, isOutline: isOutline))
    }
    func add(fill: PathPart?) {
      guard let fill else { return }
      if !parts.count.isMultiple(of: 2) { parts.append(nil) }
      parts.append(fill)
    }
    for part in simpleParts {
      switch part {
      case .line(let line): add(line, isOutline: isArea)
      case .fill(let fill) where isArea:
        if let color = fill.color, color.alpha > 0 {
          add(
            fill: fill.style == .solid
              ? .fill(color) : .pattern(.fill(fill.withoutOutline), period: fill.style.period))
          if fill.style != .solid { losses.append("its hatch is anchored to the ground and not to the view") }
        }
        add(fill.outline, isOutline: true)
      case .pattern(let pattern) where isArea:
        let (written, loss) = pattern.stylePattern
        add(fill: written)
        losses.append(loss)
        add(pattern.outline, isOutline: true)
      case .fill, .pattern: losses.append("fills of lines are not written")
      case .placed: losses.append("its markers along lines and in areas are not written")
      case .marker, .picture, .text, .vector:
        losses.append(isArea ? "markers of areas are not written" : "markers of lines are not written")
      case .composite: break
      }
    }
    return (parts, losses)
  }
}

extension SimpleFillSymbol {
  fileprivate var withoutOutline: SimpleFillSymbol {
    var fill = self
    fill.outline = nil
    return fill
  }
}

extension SimpleFillSymbol.Style {
  /// The width and height after which a hatch repeats, in pixels.
  ///
  /// - Source: ``SimpleFillSymbol/Style``.
  fileprivate var period: (width: Int, height: Int) {
    switch self {
    case .solid, .horizontal, .vertical, .cross: (8, 8)
    case .forwardDiagonal, .backwardDiagonal, .diagonalCross: (16, 16)
    }
  }
}

extension PatternFillSymbol {
  /// The largest side of the image of a pattern, in pixels.
  ///
  /// - Source: design decision.
  private static let largestPeriod = 1024.0

  /// The pattern without the outline as a part of a style, and what becomes of it.
  fileprivate var stylePattern: (part: PathPart?, loss: String) {
    var plain = self
    plain.outline = nil
    let period: (Double, Double)
    switch pattern {
    case .gradient: return (nil, "its gradient is not written")
    case .picture(let picture):
      guard picture.angle == 0, let size = picture.drawnSize else {
        return (nil, "its rotated image is not written")
      }
      period = (size.width, size.height)
    case .markers(_, let stepX, let stepY, let shifts): period = (stepX, shifts ? 2 * stepY : stepY)
    case .lines(_, let separation, let angle):
      let rest = abs(angle.truncatingRemainder(dividingBy: 90))
      guard rest == 0 || rest == 45 else { return (nil, "its hatch at \(angle) degrees is not written") }
      let side = rest == 0 ? separation : separation * 2.0.squareRoot()
      period = (side, side)
    }
    let whole = (period.0.rounded(), period.1.rounded())
    guard (1...Self.largestPeriod).contains(whole.0), (1...Self.largestPeriod).contains(whole.1),
      let width = Int(exactly: whole.0), let height = Int(exactly: whole.1)
    else { return (nil, "its pattern is not written: its period is not between 1 and 1024 pixels") }
    let isWhole = whole == period
    return (
      .pattern(.pattern(plain), period: (width, height)),
      "its pattern is anchored to the ground and not to the view"
        + (isWhole ? "" : ", and repeats after whole pixels")
    )
  }
}
