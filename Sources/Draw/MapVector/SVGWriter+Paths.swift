import Glibc
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapSystem

/// Lines and areas, each style as a CSS class.
extension SVGWriter {
  mutating func add(
    _ batch: PathBatch, _ id: String, _ features: SVGFeatures?, _ named: inout Set<Int32>,
    _ classes: inout Set<Int>
  ) {
    var rules: [Int: String] = [:]
    var open: (style: Int, classIndex: Int)?
    let geometry = batch.geometry
    for item in batch.row.indices {
      let style = Int(batch.style[item])
      let look = batch.styles[style]
      guard look.fill != nil || look.hatch != nil || look.stroke != nil else { continue }
      if open?.style != style {
        if open != nil { body += "</g>\n" }
        let rule = rules[style] ?? rule(look)
        rules[style] = rule
        openRun(rule, look.classIndex, id, &classes)
        open = (style, look.classIndex)
      }
      body += "<path d=\""
      var isSound = true
      let decimals = VectorText.decimals(geometry, item)
      let units = pow(10, Double(decimals))
      for part in geometry.parts(ofRow: item) {
        var range = geometry.vertices(ofPart: part)
        let isClosed = geometry.kind == .polygon && !look.isOpen
        if isClosed, range.count > 1, geometry.x[range.upperBound - 1] == geometry.x[range.lowerBound],
          geometry.y[range.upperBound - 1] == geometry.y[range.lowerBound]
        {
          range = range.dropLast()
        }
        var last = (x: 0, y: 0)
        for (number, vertex) in range.enumerated() {
          let (x, y) = (geometry.x[vertex], geometry.y[vertex])
          guard abs(x) < 1e6, abs(y) < 1e6 else {
            isSound = false
            continue
          }
          let place = (x: Int(clamping: (x * units).rounded()), y: Int(clamping: (y * units).rounded()))
          if number == 0 {
            body += "M"
            body.add(place.x, decimals: decimals)
            body += " "
            body.add(place.y, decimals: decimals)
            if range.count > 1 { body += "l" }
          } else {
            if number > 1, place.x - last.x >= 0 { body += " " }
            body.add(place.x - last.x, decimals: decimals)
            if place.y - last.y >= 0 { body += " " }
            body.add(place.y - last.y, decimals: decimals)
          }
          last = place
        }
        if isClosed { body += "z" }
      }
      body += "\"" + ownFill(batch, item)
      if !isSound { body += " visibility=\"hidden\"" }
      close("path", batch.row[item], features, &named)
    }
    if open != nil { body += "</g>\n" }
  }

  /// Returns the CSS class of a style.
  private mutating func rule(_ look: PathStyle) -> String {
    var css = ""
    if let hatch = look.hatch {
      // A gradient fills each area with its own element.
      css +=
        hatch.isGradient
        ? "fill:none" : "fill:url(#\(define("h") { SVGPattern.element(hatch, id: $0) ?? "" }))"
    } else if let fill = look.fill {
      css += "fill:\(VectorText.hex(fill))"
      if fill.alpha < 255 { css += ";fill-opacity:\(VectorText.alpha(fill))" }
      css += ";fill-rule:evenodd"
    } else {
      css += "fill:none"
    }
    if let stroke = look.stroke {
      css += ";stroke:\(VectorText.hex(stroke.color));stroke-width:\(stroke.width.thousandths)"
      if stroke.color.alpha < 255 { css += ";stroke-opacity:\(VectorText.alpha(stroke.color))" }
      if stroke.cap != .butt { css += ";stroke-linecap:\(stroke.cap.rawValue)" }
      if stroke.join != .miter {
        css += ";stroke-linejoin:\(stroke.join.rawValue)"
      } else {
        css += ";stroke-miterlimit:\(stroke.miterLimit.thousandths)"
      }
    }
    let key = ".{" + css + "}"
    if let name = known[key] { return name }
    let name = "c\(known.count)"
    known[key] = name
    styles += ".\(name){\(css)}\n"
    return name
  }

  /// Returns the attribute that fills an area with its own gradient; empty for other fills.
  private mutating func ownFill(_ batch: PathBatch, _ item: Int) -> String {
    guard let hatch = batch.styles[Int(batch.style[item])].hatch, hatch.isGradient else { return "" }
    let id = "g\(gradientCount)"
    guard
      let element = SVGPattern.element(
        hatch, of: batch, item: item, width: size.width, height: size.height, id: id)
    else { return " style=\"fill:none\"" }
    gradientCount += 1
    definitions += element + "\n"
    return " style=\"fill:url(#\(id))\""
  }
}
