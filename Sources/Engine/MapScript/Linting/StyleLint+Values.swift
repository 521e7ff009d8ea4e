import MapDrawing
import MapJSON
import MapModel
import MapStyles
import MapSystem

/// Findings about values by zoom: those out of range, and those that jump.
extension StyleLint {
  /// The ratio of two sizes from which a change at once is a jump, and the difference of zooms that is at once.
  ///
  /// - Source: design decision; sizes of tuned styles double in a zoom or two.
  private static let (jump, span) = (3.0, 0.5)

  /// Returns the findings about the numbers that a layer gives at stops.
  func valueFindings(_ index: Int) -> [LintFinding] {
    let (layer, definition) = layers[index]
    var findings: [LintFinding] = []
    for property in layer.type.properties where property.type == .number {
      guard let json = definition[property.group.rawValue]?[property.name],
        let stops = StyleZoomStops(json, isInterpolated: property.isInterpolated)
      else { continue }
      let path = layer.path[property.group.rawValue][property.name]
      for stop in stops.stops {
        guard let number = stop.output.double, property.fault(of: .number(number)) != nil else { continue }
        let place = stop.zoom.map { " at zoom \(LintText.number($0))" } ?? ""
        findings.append(
          LintFinding(
            .invalidValue, at: path, layer: layer.id,
            "\(property.name) is \(LintText.number(number))\(place); it must be \(Self.range(of: property))",
            suggestion: "correct the number", numbers: [("value", number)]))
      }
      findings += jumps(of: property, stops, layer, path)
    }
    return findings
  }

  private static func range(of property: StyleProperty) -> String {
    guard let range = property.range else { return "a number" }
    let (low, high) = (LintText.number(range.lowerBound), LintText.number(range.upperBound))
    return range.upperBound.isFinite ? "from \(low) to \(high)" : "at least \(low)"
  }

  /// Returns the jumps of a size, a width or a radius: by a factor of 3 or more at a zoom, or within half a zoom.
  private func jumps(
    of property: StyleProperty, _ stops: StyleZoomStops, _ layer: StyleLayer, _ path: JSONPath
  ) -> [LintFinding] {
    guard let unit = property.units, !["degrees", "milliseconds"].contains(unit) else { return [] }
    return zip(stops.stops, stops.stops.dropFirst()).compactMap { first, second in
      guard let a = first.output.double, let b = second.output.double, a > 0, b > 0, let end = second.zoom,
        end > layer.minzoom, end < layer.maxzoom, max(a, b) / min(a, b) >= Self.jump
      else { return nil }
      let start = first.zoom ?? end
      guard stops.isStep || end - start <= Self.span else { return nil }
      let place =
        stops.isStep
        ? "at zoom \(LintText.number(end))"
        : "between zoom \(LintText.number(start)) and \(LintText.number(end))"
      return LintFinding(
        .valueJump, at: path, layer: layer.id,
        "\(property.name) jumps from \(LintText.number(a)) to \(LintText.number(b)) \(place)",
        suggestion: "interpolate it over more zooms", numbers: [("zoom", end), ("before", a), ("after", b)])
    }
  }

  /// The largest number of layers below a text that are examined.
  ///
  /// - Source: design decision; the topmost ones decide the colour.
  private static let belowLimit = 20

  /// Returns a finding for a layer whose text contrasts too little with its halo, or else with what lies below.
  ///
  /// The text is compared with its halo, or else with the background and the areas of the same features below it. The zoom
  /// with the least contrast is named.
  ///
  /// - Source: WCAG 2.1, success criterion 1.4.3: 4.5, and 3 for text from 18 points.
  func contrastFindings(_ index: Int) -> [LintFinding] {
    let layer = layers[index].layer
    guard layer.type == .symbol, has("text-field", layer) else { return [] }
    var worst: (place: String, surface: Color, text: Color, ratio: Double, needed: Double, zoom: Double)?
    let below = layers[..<index].map(\.layer).filter { other in
      other.type == .background
        || other.type == .fill && other.source == layer.source && other.sourceLayer == layer.sourceLayer
    }
    let topmost = Array(below.suffix(Self.belowLimit))
    for zoom in zooms(of: index) {
      guard let color = value("text-color", of: layer, at: zoom)?.color,
        let opacity = value("text-opacity", of: layer, at: zoom)?.number
      else { continue }
      let text = Color(color, times: opacity)
      guard text.alpha > 0 else { continue }
      let size = value("text-size", of: layer, at: zoom)?.number ?? 16
      let needed = size >= 24 ? 3.0 : 4.5
      for (place, surface) in surfaces(of: layer, on: topmost, at: zoom) {
        let ratio = LinearColor(text.over(surface)).contrast(to: LinearColor(surface))
        guard ratio < needed, ratio < worst?.ratio ?? .infinity else { continue }
        worst = (place, surface, text, ratio, needed, zoom)
      }
    }
    guard let worst else { return [] }
    let ratio = (worst.ratio * 100).rounded(.down) / 100
    return [
      LintFinding(
        .textContrast, at: path("text-color", of: layer), layer: layer.id,
        "its text, \(worst.text.hexadecimal), has a contrast of \(ratio) to 1 with \(worst.place), "
          + "\(worst.surface.hexadecimal), at zoom \(LintText.tenths(worst.zoom)); WCAG 2.1 (1.4.3) asks for "
          + LintText.number(worst.needed),
        suggestion: "make the text \(worst.surface.isDark ? "lighter" : "darker"), or change \(worst.place)",
        numbers: [("contrast", ratio), ("needed", worst.needed)])
    ]
  }

  /// Returns what surrounds the letters of a layer at a zoom, with its colour as painted.
  ///
  /// - Parameter below: the backgrounds and the areas of the same features below the layer.
  private func surfaces(
    of layer: StyleLayer, on below: [StyleLayer], at zoom: Double
  ) -> [(String, Color)] {
    let context = StyleContext(zoom: zoom, state: style.document.state)
    var canvas = Color.white
    var fills: [(String, Color)] = []
    for other in below where other.isVisible(context) {
      if other.type == .background {
        // Of a pattern, the colours are not known.
        guard !has("background-pattern", other),
          let color = value("background-color", of: other, at: zoom)?.color
        else { return [] }
        canvas = Color(color, times: value("background-opacity", of: other, at: zoom)?.number ?? 1).over(
          canvas)
      } else {
        guard !has("fill-pattern", other), let color = value("fill-color", of: other, at: zoom)?.color else {
          continue
        }
        let fill = Color(color, times: value("fill-opacity", of: other, at: zoom)?.number ?? 1)
        fills.append(("the fill of \"\(other.id)\"", fill.over(canvas)))
      }
    }
    let bases = fills.isEmpty ? [("the background", canvas)] : fills
    let width = value("text-halo-width", of: layer, at: zoom)?.number
    let halo = value("text-halo-color", of: layer, at: zoom)?.color
    // A halo that features decide is not known.
    guard let width, let halo else { return [] }
    guard width > 0, halo.alpha > 0 else { return isOnIcon(layer) ? [] : bases }
    return bases.map { ("its halo", Color(halo, times: 1).over($0.1)) }
  }
}

extension StyleLint {
  /// Returns whether the text of a layer may be on its icon, such as the sign of a road, whose colours are not known.
  private func isOnIcon(_ layer: StyleLayer) -> Bool {
    let moving = [
      "text-anchor", "text-offset", "text-radial-offset", "text-variable-anchor",
      "text-variable-anchor-offset",
    ]
    return has("icon-image", layer) && !moving.contains { has($0, layer) }
  }
}
