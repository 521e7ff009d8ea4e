import MapGeometry
import MapImages
import MapJSON
package import MapLayout
package import MapState
import MapSystem

/// The number of columns and rows of maps on each page of a series.
package struct SeriesGrid: Hashable, Sendable, RequestText {
  /// The number of maps beside each other.
  package let columns: Int
  /// The number of maps above each other.
  package let rows: Int
  /// The number of maps on a page.
  package var count: Int { columns * rows }

  /// - Source: design decision; smaller maps show nothing.
  private static let limits = 1...20
  /// The distance of two maps, in view pixels.
  ///
  /// - Source: design decision.
  static let gap = 10.0

  /// Reads columns and rows, such as `3x2`.
  package init(text: String) throws(MapStateError) {
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1],
      Self.limits.contains(columns), Self.limits.contains(rows)
    else {
      throw MapStateError(
        .usage, "\"\(text)\": expected 1 to 20 columns and rows of maps, such as 3x2")
    }
    (self.columns, self.rows) = (columns, rows)
  }

  /// Checks that a layout and files suit a page of several maps.
  ///
  /// - Parameter cells: the cells in which points are counted; nil for symbols.
  /// - Throws: `MapStateError` of kind usage.
  package static func check(
    _ layout: PageLayout, cells: CountingCells?, path: String
  ) throws(MapStateError) {
    guard ["png", "jpg", "jpeg", "webp"].contains(FilePath.pathExtension(of: path)) else {
      throw MapStateError(.usage, "--grid needs images with the ending .png, .jpg or .webp")
    }
    let unsuited = [
      ("--legend \(layout.legend?.rawValue ?? "")", layout.legend?.isOnMap ?? false),
      ("--legend-in-view", layout.legendShowsViewOnly), ("--legend-counts", layout.legendHasCounts),
      ("--legend-charts", layout.legendHasCharts),
    ]
    if let (option, _) = unsuited.first(where: \.1) {
      throw MapStateError(
        .usage, "\(option) contradicts --grid, which has one legend for all maps, beside them")
    }
    if cells != nil, layout.legend != nil {
      throw MapStateError(
        .usage, "--aggregate contradicts --legend with --grid, because each map has its own range of counts")
    }
  }
}

extension SeriesFiles {
  /// Draws and writes pages with several images of a series each.
  ///
  /// - Throws: `MapStateError`.
  func write(
    _ series: MapSeries, in grid: SeriesGrid, for run: inout RunReport?, progress: (_ done: Int) -> Void
  ) async throws(MapStateError) -> Written {
    var written = Written()
    let hasFields = try !NameTemplate(path).fields.isEmpty
    for (number, start) in stride(from: 0, to: series.items.count, by: grid.count).enumerated() {
      let items = series.items[start..<min(start + grid.count, series.items.count)]
      guard let first = items.first else { continue }
      let file = hasFields ? first.path : Self.path(path, ofPage: number)
      let page = try await series.commonPage(of: first)
      written.warnings += page.warnings.map { "\(file): \($0)" }
      let boxes = page.cells(columns: grid.columns, rows: grid.rows, gap: SeriesGrid.gap)
      var images: [(box: Envelope, image: Bitmap)] = []
      for (index, (item, box)) in zip(items, boxes).enumerated() {
        progress(start + index)
        guard box.width >= 1, box.height >= 1 else {
          throw MapStateError(
            .usage, "--grid \(grid.columns)x\(grid.rows) leaves no room for a map; give a larger --size")
        }
        let cell = try await series.cell(item, width: box.width, height: box.height)
        let drawn = try await (countsClasses ? cell.countingClasses() : cell).render(
          for: file, threads: threads, method: method)
        images.append((box, drawn.bitmap))
        written.add(drawn.report, name: "\(file), map \(index + 1)")
        guard hasReports else { continue }
        written.images.append(
          try await series.report(on: drawn, of: cell, item, statistics, in: (file, index + 1)))
      }
      let bitmap = try page.drawn(with: images, threads: threads, method: method)
      let bytes = try bitmap.fileBytes(for: file, dotsPerInch: dotsPerInch)
      run?.add(bytes, at: file)
      try Self.makeFolder(of: file)
      try MapStateError.reading { try FileAccess.write([(bytes, file)], keeping: inputs) }
    }
    progress(series.items.count)
    return written
  }

  /// Returns the path of a page: of the first one the path itself, of others with a number after the name.
  private static func path(_ path: String, ofPage index: Int) -> String {
    guard index > 0 else { return path }
    let suffix = FilePath.pathExtension(of: path)
    let stem = suffix.isEmpty ? path : String(path.dropLast(suffix.count + 1))
    return "\(stem)-\(index + 1)" + (suffix.isEmpty ? "" : ".\(suffix)")
  }
}
