import MapDrawing
import MapGeometry
import MapModel
import MapStyles

extension StyleLayerPass {
  /// Adds the areas of all tiles, then their outlines.
  ///
  /// Without a colour of their own, outlines have that of the area, which is so half a pixel larger on each side.
  ///
  /// - Source: MapLibre GL JS 5, which antialiases areas in this way.
  mutating func addFills(of tiles: [StyledTile]) {
    var outlines: [DisplayBatch] = []
    for tile in tiles {
      guard let part = tileLayer(tile), let areas = part.shapes(of: .polygon) else { continue }
      let rows = areaRows(of: part.features).filter { !areas.pixels.isEmpty(row: Int($0)) }
      guard !rows.isEmpty else { continue }
      let looks = fillLooks(part, rows: rows, in: tile)
      let offset = offset(in: tile)
      if let batch = fills(rows, looks, areas, part.ids, offset: offset, region: tile.region) {
        batches.append(.paths(batch))
      }
      if let batch = self.outlines(rows, looks, areas, part.ids, offset: offset, region: tile.region) {
        outlines.append(.paths(batch))
      }
    }
    batches += outlines
  }

  /// Returns the rows that pass the filter, in the order of painting.
  ///
  /// Of extrusions, the higher one hides the lower one. Of those with the same height, the first one hides the others if
  /// they are translucent or have a pattern.
  ///
  /// - Source: MapLibre GL JS 5.
  private func areaRows(of features: StyleFeatures) -> [Int32] {
    guard layer.type == .fillExtrusion else { return rows(of: features, sortedBy: "fill-sort-key") }
    return rows(
      of: features, sortedBy: "fill-extrusion-height",
      isReversed: layerOpacity < 1 || has("fill-extrusion-pattern"))
  }

  /// Returns the styles of some rows.
  private mutating func fillLooks(
    _ part: StyledTileLayer, rows: [Int32], in tile: StyledTile
  ) -> FillLooks {
    let isFlat = layer.type == .fill
    let pattern = isFlat ? "fill-pattern" : "fill-extrusion-pattern"
    let hasPattern = has(pattern)
    let groups = groups(
      isFlat ? ["fill-color", "fill-opacity", "fill-outline-color"] : ["fill-extrusion-color"],
      wholeZoom: hasPattern ? [pattern] : [], part, rows: rows)
    var looks = FillLooks(groups: groups)
    let isSmooth = isFlat && constant("fill-antialias")?.boolean != false
    let hasOutline = isSmooth && !hasPattern
    // The ink of a line of one pixel with the pattern, by which MapLibre GL JS 5 antialiases areas.
    if isSmooth, hasPattern { looks.growth = 0.4 }
    for (index, group) in groups.groups.enumerated() {
      let opacity = isFlat ? group.number("fill-opacity") : 1
      guard !hasPattern else {
        let image = self.pattern(pattern, group.atWholeZoom(pattern), groups.features(of: index))
        looks.fills.add(
          image?.hatch(in: tile, painter, opacity: opacity, offset: offset(in: tile)).map {
            PathStyle(fill: nil, hatch: $0, stroke: nil, classIndex: -1)
          })
        looks.outlines.add(nil)
        continue
      }
      let color =
        isFlat
        ? group.color("fill-color", opacity: opacity)
        : group["fill-extrusion-color"].color.flatMap { Color($0.asRoof) }
      looks.fills.add(color.map { PathStyle(fill: $0, stroke: nil, classIndex: -1) })
      let isOwn = group["fill-outline-color"].isNull
      let outline =
        !hasOutline ? nil : isOwn ? color : group.color("fill-outline-color", opacity: opacity)
      looks.outlines.add(
        outline.map { color in
          // MapLibre GL JS 5 draws lines of one pixel of the image, which meet without miters.
          PathStyle(
            fill: nil, stroke: Stroke(color: color, width: 1, join: .bevel), isOpen: true, classIndex: -1)
        })
    }
    return looks
  }

  /// Returns the areas of a tile; nil when none is in the image.
  private mutating func fills(
    _ rows: [Int32], _ looks: FillLooks, _ areas: TileShapes, _ ids: [Int32],
    offset: (x: Double, y: Double), region: PixelRegion
  ) -> PathBatch? {
    guard !looks.fills.isEmpty else { return nil }
    let window = PlacingWindow(window(reach: 0, offset: offset))
    var batch = PathBatch(styles: looks.fills.styles, kind: .polygon, region: region)
    var (clipped, thinned) = (CoordinateBuffer(kind: .polygon), CoordinateBuffer(kind: .polygon))
    for (position, row) in rows.enumerated() {
      guard let style = looks.fills[looks.groups[position]] else { continue }
      let box = areas.boxes[Int(row)]
      guard box.meets(window.box) else { continue }
      if looks.growth > 0 {
        clipped.removeAll()
        thinned.removeAll()
        clipped.appendRow(Int(row), of: areas.pixels, clippedTo: window.envelope)
        thinned.appendRow(0, of: clipped, thinnedTo: PathBatch.gridSteps)
        batch.geometry.appendRow(0, of: thinned, grownBy: looks.growth)
      } else {
        batch.appendPath(Int(row), of: areas.pixels, box, in: window, &clipped)
      }
      batch.endItem(style: style, row: ids[Int(row)])
      shown.insert(ids[Int(row)])
    }
    batch.move(by: offset)
    return batch.row.isEmpty ? nil : batch
  }

  /// Returns the outlines of a tile's areas, without the sides of the tile; nil when none is in the image.
  private mutating func outlines(
    _ rows: [Int32], _ looks: FillLooks, _ areas: TileShapes, _ ids: [Int32],
    offset: (x: Double, y: Double), region: PixelRegion
  ) -> PathBatch? {
    guard !looks.outlines.isEmpty else { return nil }
    let window = PlacingWindow(window(reach: 1, offset: offset))
    var batch = PathBatch(styles: looks.outlines.styles, kind: .polyline, region: region)
    var chains = CoordinateBuffer(kind: .polyline)
    var clipped = CoordinateBuffer(kind: .polyline)
    for (position, row) in rows.enumerated() {
      guard let style = looks.outlines[looks.groups[position]],
        areas.boxes[Int(row)].meets(window.box)
      else { continue }
      chains.removeAll()
      areas.appendChains(ofRow: Int(row), joinsEnds: true, to: &chains)
      guard !chains.isEmpty(row: 0) else { continue }
      batch.appendPath(0, of: chains, areas.boxes[Int(row)], in: window, &clipped)
      batch.endItem(style: style, row: ids[Int(row)])
      shown.insert(ids[Int(row)])
    }
    batch.move(by: offset)
    return batch.row.isEmpty ? nil : batch
  }
}

extension PathBatch {
  /// Appends a row of a geometry as the path of an item, clipped to a window where its box is not inside.
  ///
  /// - Parameter clipped: a buffer that is kept from row to row, because allocations take time.
  fileprivate mutating func appendPath(
    _ row: Int, of source: CoordinateBuffer, _ box: PixelBox, in window: PlacingWindow,
    _ clipped: inout CoordinateBuffer
  ) {
    guard !box.isInside(window.box) else {
      return geometry.appendRow(row, of: source, thinnedTo: Self.gridSteps)
    }
    clipped.removeAll()
    clipped.appendRow(row, of: source, clippedTo: window.envelope)
    geometry.appendRow(0, of: clipped, thinnedTo: Self.gridSteps)
  }
}

/// The styles of the areas of a tile.
private struct FillLooks {
  let groups: AnswerGroups
  var fills = GroupStyles()
  var outlines = GroupStyles()
  /// The distance by which areas are larger on each side, in pixels.
  var growth = 0.0

  init(groups: AnswerGroups) { self.groups = groups }
}
