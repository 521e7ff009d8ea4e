import MapDrawing
import MapGeometry
import MapModel
import MapStyles
import MapSystem

extension StyleLayerPass {
  /// Adds the image of a heat map, which all tiles share.
  mutating func addHeatmap(of tiles: [StyledTile]) {
    var points: [HeatField.Kernel] = []
    let intensity = constant("heatmap-intensity")?.number ?? 1
    for tile in tiles {
      guard let part = tileLayer(tile) else { continue }
      let rows = view.rows(of: part.features)
      let groups = groups(["heatmap-radius", "heatmap-weight"], part, rows: rows)
      let kernels = groups.groups.map { group in
        HeatField.Kernel(
          radius: SymbolNumber.size.bounded(group.number("heatmap-radius") * painter.pixelRatio),
          height: group.number("heatmap-weight") * intensity)
      }
      for (position, row) in rows.enumerated() {
        let kernel = kernels[groups[position]]
        guard kernel.reach > 0 else { continue }
        let window = window(reach: kernel.reach, offset: (0, 0))
        var isShown = false
        part.forEachOwnVertex(ofRow: Int(row)) { x, y in
          guard window.contains(x: x, y: y) else { return }
          isShown = true
          points.append(kernel.at(x: x, y: y))
        }
        if isShown { shown.insert(part.ids[Int(row)]) }
      }
    }
    guard !points.isEmpty else { return }
    guard let field = HeatField(points, width: painter.width, height: painter.height) else {
      return problems.add(
        "heatmap-radius: too many points for so large a radius; nothing is drawn")
    }
    let ramp = heatRamp()
    let image = DisplayImage(width: painter.width, pixels: field.pixels(ramp))
    batches.append(.image(image))
  }

  /// Returns the colours for densities from 0 to 1, premultiplied.
  private func heatRamp() -> [UInt32] {
    let count = 1024
    var context = painter.context
    return (0...count).map { step in
      context.heatmapDensity = Double(step) / Double(count)
      return layer.value(of: "heatmap-color", context)?.value.color?.premultiplied ?? 0
    }
  }
}

extension StyleColor {
  /// The colour as a pixel: alpha and the colour times alpha, from the highest byte down.
  var premultiplied: UInt32 {
    func byte(_ value: Double) -> UInt32 { UInt32(UInt8(clamping: (min(max(value, 0), 1) * 255).rounded())) }
    let alpha = min(max(self.alpha, 0), 1)
    return byte(alpha) << 24 | byte(red * alpha) << 16 | byte(green * alpha) << 8 | byte(blue * alpha)
  }
}
