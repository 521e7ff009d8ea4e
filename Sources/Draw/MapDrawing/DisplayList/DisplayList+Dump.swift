import MapGeometry
package import MapModel
import MapSystem

extension DisplayList {
  /// Returns the list as text for golden files, one item per line.
  ///
  /// Lengths are in pixels, rounded to a thousandth; colours are `#rrggbbaa`.
  package func dump() -> String {
    var lines = ["picture \(width)x\(height) background \(background?.hexadecimal ?? "none")"]
    let all =
      basemap.map { ($0, "basemap") } + layers.map { ($0, "layer") } + overlays.map { ($0, "overlay") }
      + labels.map { ($0, "labels") }
    for (layer, what) in all {
      lines.append(
        "\(what) \(layer.index) \"\(layer.name)\" opacity \(layer.opacity.thousandths)"
          + (layer.blendMode == .normal ? "" : " \(layer.blendMode.rawValue)")
          + (layer.effect.map { " \($0.dump)" } ?? ""))
      for batch in layer.batches {
        switch batch {
        case .markers(let markers): lines += markers.dump()
        case .paths(let paths): lines += paths.dump()
        case .shapes(let shapes): lines += shapes.paths.dump()
        case .labels(let labels): lines += labels.dump()
        case .image(let image): lines.append(image.dump)
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension MarkerBatch {
  fileprivate func dump() -> [String] {
    row.indices.map { item in
      let look = styles[Int(style[item])]
      return
        "  \(look.dumpShape) at \(x[item].thousandths) \(y[item].thousandths) \(look.dumpInk)"
        + " class \(look.classIndex) row \(row[item])"
    }
  }
}

extension PathBatch {
  fileprivate func dump() -> [String] {
    (region.map { ["  \($0.dump)"] } ?? []) + items.flatMap { $0 }
  }

  private var items: [[String]] {
    row.indices.map { item in
      let look = styles[Int(style[item])]
      let head =
        "  \(geometry.kind.rawValue)\(look.dumpInk)"
        + " class \(look.classIndex) row \(row[item])"
      return [head]
        + geometry.parts(ofRow: item).map { part in
          "    "
            + geometry.vertices(ofPart: part).map {
              "\(geometry.x[$0].thousandths) \(geometry.y[$0].thousandths)"
            }.joined(separator: ", ")
        }
    }
  }
}

extension PixelRegion {
  /// The bounds, and the number of pixels and an FNV-1a hash of the runs unless the region is a rectangle.
  fileprivate var dump: String {
    let bounds =
      "region columns \(columns.lowerBound) to \(columns.upperBound)"
      + " rows \(rows.lowerBound) to \(rows.upperBound)"
    guard !isRectangle else { return bounds }
    var hash = 0xCBF2_9CE4_8422_2325 as UInt64
    for row in rows {
      for run in runs(inRow: row) {
        for number in [row, run.lowerBound, run.upperBound] {
          hash = (hash ^ UInt64(bitPattern: Int64(number))) &* 0x100_0000_01B3
        }
      }
    }
    return "\(bounds) \(pixelCount) pixels \(String(hash, radix: 16))"
  }
}

extension LabelBatch {
  /// Dumps the number of outlines and the position of the first; their shapes belong to the font.
  fileprivate func dump() -> [String] {
    items.map { item in
      let look = styles[Int(item.style)]
      let start = item.glyphs.first.map { " from \($0.x.thousandths) \($0.y.thousandths)" } ?? ""
      let sides = [item.box.xMin, item.box.yMin, item.box.xMax, item.box.yMax].map(\.thousandths)
      return
        "  label \"\(item.text.dumped)\" \(item.glyphs.count) glyphs\(start) box \(sides.joined(separator: " "))"
        + " \(look.dumpInk) class \(look.classIndex) row \(item.row)"
        + (item.leader == nil ? "" : " with a line")
    }
  }
}

extension DisplayImage {
  /// The size, and an FNV-1a hash of the pixels.
  fileprivate var dump: String {
    let hash = pixels.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "  image \(width)x\(pixels.count / max(1, width)) \(String(hash, radix: 16))"
  }
}

extension Stroke? {
  fileprivate func dump(_ name: String) -> String {
    guard let self else { return "" }
    return " \(name) \(self.color.hexadecimal) \(self.width.thousandths)"
      + (self.cap == .butt ? "" : " \(self.cap.rawValue)-cap")
      + (self.join == .miter ? "" : " \(self.join.rawValue)-join")
  }
}

extension MarkerStyle {
  /// The style in the form of the dump.
  package var dump: String { "\(dumpShape) \(dumpInk)" }

  fileprivate var dumpShape: String {
    guard let block else { return "\(shape.rawValue) \(size.thousandths)" }
    let sides = [block.box.xMin, block.box.yMin, block.box.xMax, block.box.yMax].map(\.thousandths)
    switch block.content {
    case .picture(let picture, let opacity):
      return "picture \(String(picture.digest, radix: 16)) box \(sides.joined(separator: " "))"
        + (opacity == 1 ? "" : " opacity \(opacity.thousandths)")
    case .text(let ink):
      return "text \"\(ink.text.dumped)\" box \(sides.joined(separator: " ")) \(ink.style.dump)"
    }
  }

  fileprivate var dumpInk: String {
    "fill \(fill?.hexadecimal ?? "none")\(outline.dump("outline"))\(dumpTurn)"
  }

  private var dumpTurn: String {
    (angle == 0 ? "" : " angle \(angle.thousandths)")
      + (offsetX == 0 && offsetY == 0 ? "" : " offset \(offsetX.thousandths) \(offsetY.thousandths)")
  }
}

extension PathStyle {
  /// The style in the form of the dump.
  package var dump: String { String(dumpInk.dropFirst()) }

  fileprivate var dumpInk: String {
    "\(isOpen ? " open" : "") fill \(fill?.hexadecimal ?? "none")"
      + "\(hatch.map { " \($0.patternName) \($0.color.hexadecimal)" } ?? "")\(stroke.dump("stroke"))"
  }
}

extension LabelStyle {
  /// The style in the form of the dump.
  package var dump: String { dumpInk }

  fileprivate var dumpInk: String {
    "size \(size.thousandths)\(slant == 0 ? "" : " slant \(slant.thousandths)")"
      + " color \(color?.hexadecimal ?? "none")"
      + (haloColor.map { " halo \($0.hexadecimal) \(haloWidth.thousandths)" } ?? "")
      + (ground.map { " ground \($0.hexadecimal)" } ?? "") + frame.dump("frame")
  }
}

extension String {
  /// The text on one line, with line feeds escaped.
  fileprivate var dumped: String { replacing("\\", with: "\\\\").replacing("\n", with: "\\n") }
}

extension Color {
  /// The colour as `#rrggbbaa` in lower case.
  package var hexadecimal: String {
    "#" + [red, green, blue, alpha].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension Double {
  /// The number rounded to a thousandth, without trailing zeros and without a minus before 0.
  package var thousandths: String {
    let scaled = (self * 1000).rounded()
    guard abs(scaled) < 1e15 else { return "\(self)" }
    let whole = Int64(clamping: scaled)
    let (quotient, remainder) = whole.magnitude.quotientAndRemainder(dividingBy: 1000)
    let sign = whole < 0 ? "-" : ""
    guard remainder > 0 else { return "\(sign)\(quotient)" }
    var digits = String(remainder + 1000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(quotient).\(digits)"
  }
}

extension ColorGradient {
  /// The gradient in the form of the dump.
  fileprivate var dump: String {
    let length =
      switch size {
      case .relative(let part): part.thousandths
      case .absolute(let pixels): "\(pixels.thousandths)px"
      }
    return "\(form.rawValue) gradient \(length) angle \(angle.thousandths)"
      + (bandCount.map { " bands \($0)" } ?? "")
      + stops.map { " \($0.offset.thousandths) \($0.color.hexadecimal)" }.joined()
  }
}

extension Hatch {
  fileprivate var patternName: String {
    switch pattern {
    case nil: style.rawValue
    case .lines(let separation, let angle): "lines \(separation.thousandths) angle \(angle.thousandths)"
    case .image(let picture, let tile):
      "image \(String(picture.digest, radix: 16)) \(tile.width.thousandths) \(tile.height.thousandths)"
        + (tile.angle == 0 ? "" : " angle \(tile.angle.thousandths)")
        + (tile.offsetX == 0 && tile.offsetY == 0
          ? "" : " offset \(tile.offsetX.thousandths) \(tile.offsetY.thousandths)")
        + (tile.opacity == 1 ? "" : " opacity \(tile.opacity.thousandths)")
    case .gradient(let gradient): gradient.dump
    case .shapes(let shapes, let stepX, let stepY, _):
      "\(shapes.count) shapes every \(stepX.thousandths) \(stepY.thousandths)"
    }
  }
}

extension DisplayEffect {
  /// The functions in the form of the dump.
  fileprivate var dump: String {
    let parts = parts.map(\.functions).filter { !$0.isEmpty }.map(Self.dump)
    return "effect \(Self.dump(functions))" + (parts.isEmpty ? "" : " of \(parts.joined(separator: " and "))")
  }

  private static func dump(_ functions: [EffectFunction]) -> String {
    let texts = functions.map { function in
      switch function {
      case .amount(let kind, let amount): "\(kind.rawValue) \(amount.thousandths)"
      case .hueRotate(let angle): "hue-rotate \(angle.thousandths)"
      case .blur(let radius): "blur \(radius.thousandths)"
      case .bloom(let bloom):
        "bloom \(bloom.strength.thousandths) \(bloom.radius.thousandths) \(bloom.threshold.thousandths)"
      case .dropShadow(let shadow):
        "drop-shadow \(shadow.x.thousandths) \(shadow.y.thousandths) \(shadow.radius.thousandths)"
          + " \(shadow.color.hexadecimal)"
      }
    }
    return texts.isEmpty ? "none" : texts.joined(separator: ", ")
  }
}
