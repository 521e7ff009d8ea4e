import Glibc
import MapDrawing
import MapGeometry
import MapModel
import MapStyles

extension StyleLayerPass {
  /// Adds the lines of all tiles, and the outlines of areas.
  mutating func addLines(of tiles: [StyledTile]) {
    if constant("line-join")?.string == "round", let limit = constant("line-round-limit")?.number,
      limit > Self.noticeableRoundLimit
    {
      problems.add("line-round-limit: joins stay round")
    }
    guard !hasLinePixels else { return addLinePixels(of: tiles) }
    var vertexCount = 0
    for tile in tiles {
      guard let part = tileLayer(tile), let lines = LinePlacing(part) else { continue }
      let rows = rows(of: part.features, sortedBy: "line-sort-key")
      guard !rows.isEmpty else { continue }
      let (groups, looks) = lineLooks(part, rows: rows)
      guard !looks.styles.isEmpty else { continue }
      let offset = offset(in: tile)
      let window = PlacingWindow(window(reach: looks.reach, offset: offset))
      var batch = PathBatch(styles: looks.styles.styles, kind: .polyline, region: tile.region)
      var scratch = LinePlacing.Scratch()
      for (position, row) in rows.enumerated() {
        guard let look = looks.looks[groups[position]] else { continue }
        scratch.dashRoom = painter.dashLimit - vertexCount - batch.geometry.vertexCount
        let isPlaced = lines.place(row: Int(row), look, in: window, &scratch, into: &batch)
        if scratch.isCutShort {
          problems.add("line-dasharray: too many dashes to draw", [part.ids[Int(row)]])
        }
        guard isPlaced else { continue }
        shown.insert(part.ids[Int(row)])
      }
      vertexCount += batch.geometry.vertexCount
      batch.move(by: offset)
      if !batch.row.isEmpty { batches.append(.paths(batch)) }
    }
  }

  /// The limit up to which miter joins differ little from round ones.
  ///
  /// - Source: design decision; the default of the style specification is 1.05.
  private static let noticeableRoundLimit = 1.2

  /// Returns the groups of some rows, and how each is drawn.
  private mutating func lineLooks(
    _ part: StyledTileLayer, rows: [Int32]
  ) -> (groups: AnswerGroups, looks: LineLooks) {
    let hasDashes = has("line-dasharray")
    let groups = groups(
      LineLooks.properties, wholeZoom: hasDashes ? ["line-width", "line-dasharray"] : [], part, rows: rows
    )
    let zoom = painter.context.zoom
    var looks = LineLooks()
    for group in groups.groups {
      looks.add(group, pixelRatio: painter.pixelRatio, dashScale: exp2(zoom - zoom.rounded(.down)))
    }
    return (groups, looks)
  }
}
