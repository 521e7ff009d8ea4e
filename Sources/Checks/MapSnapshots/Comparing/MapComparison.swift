import MapFeatures
package import MapJSON
package import MapScript
package import MapState
import MapSystem

/// The comparison of two documents or data files: in meaning, by rows and as images of the same views.
package struct MapComparison: Sendable {
  /// The differences of the documents; empty for data files.
  package let properties: [PropertyDifference]
  /// The differing tables by the names of their layers.
  package let tables: [(layer: String, difference: TableDifference)]
  /// The images, one for each view.
  package let views: [SnapshotResult]
  /// The warnings of drawing the earlier and the later source, as often as they occur.
  package let drawingWarnings: (before: [String], after: [String])

  /// Whether neither a property nor a row nor an image differs.
  package var isEqual: Bool {
    properties.isEmpty && tables.isEmpty && views.allSatisfy(\.outcome.isPass)
  }

  /// Compares two documents or two data files.
  ///
  /// - Parameters:
  ///   - views: the views by name, each drawn of both; a view without a place is that of the earlier document.
  ///   - key: the field whose values name rows; nil for ids, or else positions.
  /// - Cost: two images for each view, and four for one that differs.
  /// - Throws: `MapStateError`.
  package init(
    _ before: MapDocument, _ after: MapDocument, views: [(name: String, request: ViewRequest)],
    key: String? = nil
  ) async throws(MapStateError) {
    guard before.isPlainData == after.isPlainData else {
      throw MapStateError(
        .usage, "one source is a document and the other a data file; give two documents or two data files")
    }
    let difference = DocumentDifference(before, after)
    if before.isPlainData {
      // The layer of a data file has the file's name, which does not count.
      for (old, new) in zip(before.layers, after.layers) { new.layer.name = old.layer.name }
    } else if before.style != nil, after.style != nil {
      // Neither does that of a style, which may have a revision.
      for (old, new) in zip(before.map.operationalLayers, after.map.operationalLayers) { new.name = old.name }
    }
    properties = before.isPlainData ? [] : difference.properties
    let pairs =
      before.isPlainData
      ? Array(zip(before.layers.indices, after.layers.indices)).map { ($0, $1) }
      : difference.layers.map { ($0.before, $0.after) }
    tables = try await Self.tables(before, after, pairs, key)
    var results: [SnapshotResult] = []
    var warnings: (before: [String], after: [String]) = ([], [])
    for view in views {
      let (old, new) = try await Self.drawn(view.request, before, after)
      warnings.before += old.report.allWarnings
      warnings.after += new.report.allWarnings
      // Declared blank, so that equal images of one colour are equal.
      let snapshot = try SnapshotCase(
        folder: "", name: view.name, tolerance: SnapshotTolerance(channel: 0), isBlank: true)
      results.append(try await snapshot.judge(new, against: SnapshotReference(old)))
    }
    (self.views, drawingWarnings) = (results, warnings)
  }

  /// Compares the tables of layers that both documents have.
  private static func tables(
    _ before: MapDocument, _ after: MapDocument, _ pairs: [(Int, Int)], _ key: String?
  ) async throws(MapStateError) -> [(layer: String, difference: TableDifference)] {
    var tables: [(layer: String, difference: TableDifference)] = []
    for (old, new) in pairs {
      let (first, second) = (before.layers[old], after.layers[new])
      guard first.unreadReason == nil, second.unreadReason == nil else { continue }
      let (a, b): (FeatureColumns, FeatureColumns)
      do {
        (a, b) = (
          try await first.layer.source.whole().columns(), try await second.layer.source.whole().columns()
        )
      } catch {
        throw MapStateError(error, ofLayer: second.layer.name)
      }
      let difference = try TableDifference(a, b, key: key)
      if !difference.isEqual { tables.append((second.layer.name, difference)) }
    }
    return tables
  }

  /// Draws both documents in one view.
  private static func drawn(
    _ request: ViewRequest, _ before: MapDocument, _ after: MapDocument
  ) async throws(MapStateError) -> (before: DrawnSnapshot, after: DrawnSnapshot) {
    // The place of the earlier document is stated, so that the same numbers reach both views.
    let place = try await before.view(request).viewpoint
    var same = request
    (same.place, same.rotation, same.padding) = (
      .center(place.center, scale: place.scale), place.rotation, nil
    )
    let (old, new) = (try await before.view(same), try await after.view(same))
    let drawn = try await DrawnSnapshot(old.freeze(), documentWarnings: before.warnings.map(\.description))
    let later = try await DrawnSnapshot(new.freeze(), documentWarnings: after.warnings.map(\.description))
    return (drawn, later)
  }

  /// Writes the report of all views, as for snapshots.
  ///
  /// - Throws: `MapStateError` if it cannot be written.
  package func writeReport(into folder: String) throws(MapStateError) {
    var report = try SnapshotReport(folder: folder, root: "")
    let lines = self.lines
    try report.add(
      SnapshotResult(
        name: "document", outcome: lines.isEmpty ? .same : .numbersDiffer(["\(lines.count) differences"]),
        numbers: lines))
    for view in views { try report.add(view) }
    try report.write()
  }

  /// The differences of documents and rows, a line each.
  package var lines: [String] {
    properties.map(\.text)
      + tables.flatMap { table in
        table.difference.lines.map { MessageText.line("\(table.layer) › data › \($0)") }
      }
  }
}

extension MapComparison {
  /// Returns the comparison as JSON with keys in a fixed order, with the warnings of the run.
  package func json(warnings: JSONValue) -> JSONValue {
    [
      "equal": .boolean(isEqual), "differences": .array(properties.map(\.json)),
      "data": .array(
        tables.map { ["layer": .string($0.layer), "difference": $0.difference.json] }),
      "views": .array(
        views.map { view in
          [
            "name": .string(view.name), "outcome": .string(view.outcome.word),
            "detail": view.outcome.detail.map { .string($0) } ?? .null,
            "changes": .array(view.changes.map { .string($0.description) }),
          ]
        }), "warnings": warnings,
    ]
  }
}
