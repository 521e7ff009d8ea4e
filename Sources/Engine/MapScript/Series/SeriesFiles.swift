package import MapImages
package import MapJSON
import MapModel
package import MapState
import MapSystem

/// The files of a series: one for each image, a PDF file with a page for each image, or an animation.
package struct SeriesFiles: Sendable {
  /// The forms, by the path.
  package enum Form: Hashable, Sendable {
    /// A file for each image.
    case separate
    /// A PDF file with a page for each image.
    case pages
    /// An animation of all images.
    case animation(AnimationFile.Format)
  }

  /// The extensions of the files besides `png`.
  package static let extensions = MapPage.extensions + ["gif", "apng"]

  /// The path, with fields in braces for separate files.
  package let path: String
  /// The form of the files.
  package let form: Form
  /// The time of each image of an animation.
  package var timing = AnimationTiming()
  /// The statistics of each image for its report.
  package var statistics = StatisticsQuery(definitions: [])
  /// The resolution to write into files of pixels; nil writes none.
  package var dotsPerInch: Double?
  /// The number of painting threads.
  package var threads = 1
  /// The painting method.
  package var method = PaintingMethod.fast
  /// The files that may not be replaced.
  package var inputs: [String] = []
  /// Whether each image has a report, which pages of a PDF file are drawn for.
  package var hasReports = true
  /// Whether the reports have the numbers of features of each class.
  package var countsClasses = false
  /// The maps on each page; nil for one image in each file.
  package var grid: SeriesGrid?

  /// Finds the form of the files at a path.
  ///
  /// - Throws: `MapStateError` for a path that no series can have.
  package init(path: String) throws(MapStateError) {
    try PictureFile.check(path, others: Self.extensions)
    guard path != "-" else { throw MapStateError(.usage, "a series needs files") }
    self.path = path
    let fields = try NameTemplate(path).fields
    let ending = FilePath.pathExtension(of: path)
    switch AnimationFile.Format(rawValue: ending) {
    case .webp where !fields.isEmpty: form = .separate
    case let format?:
      if let field = fields.first {
        throw MapStateError(
          .usage,
          "\(path): an animation is one file of all images; leave out {\(field)}, or write .png files")
      }
      form = .animation(format)
    case nil: form = ending == "pdf" && fields.isEmpty ? .pages : .separate
    }
  }

  /// The images that were written.
  package struct Written: Sendable {
    /// The reports on the images.
    package var images: [JSONValue] = []
    /// The warnings, with the images that they are about.
    package var warnings: [String] = []
    /// The notes, with the images that they are about.
    package var notes: [String] = []
  }

  /// Draws and writes the images of a series, each when it is drawn; pages of a PDF file are written at the end.
  ///
  /// - Parameters:
  ///   - run: receives the files; nil for none.
  ///   - progress: receives the number of images that are done.
  /// - Throws: `MapStateError`; an animation is written completely or not at all.
  package func write(
    _ series: MapSeries, for run: inout RunReport?, progress: (_ done: Int) -> Void
  ) async throws(MapStateError) -> Written {
    if let grid { return try await write(series, in: grid, for: &run, progress: progress) }
    var written = Written()
    var pages: [MapPage] = []
    var animation = try animation(of: series.items.count)
    for (index, item) in series.items.enumerated() {
      progress(index)
      let page = try await series.page(item)
      if form == .pages {
        pages.append(page)
        let name = item.objectID.map { "feature \($0)" } ?? "page \(pages.count)"
        written.warnings += (page.warnings + page.formatWarnings(for: path)).map { "\(name): \($0)" }
        guard hasReports else { continue }
      }
      let drawn = try await (countsClasses ? page.countingClasses() : page).render(
        for: item.path, threads: threads, method: method)
      switch form {
      case .pages: break
      case .separate:
        written.add(drawn.report, name: item.path)
        try await write(drawn, of: page, to: item.path, for: &run)
      case .animation:
        written.add(drawn.report, name: item.objectID.map { "feature \($0)" } ?? "image \(index + 1)")
        try animation?.add(drawn.bitmap)
      }
      guard hasReports else { continue }
      let file = form == .separate ? nil : (path, index + 1)
      written.images.append(try await series.report(on: drawn, of: page, item, statistics, in: file))
    }
    progress(series.items.count)
    if !pages.isEmpty {
      let bytes = try await MapPage.pdfData(of: pages)
      run?.add(bytes, at: path)
      try Self.makeFolder(of: path)
      try MapStateError.reading { try FileAccess.write([(bytes, path)], keeping: inputs) }
    }
    try animation?.finish()
    if animation != nil, run != nil {
      run?.add(try MapStateError.reading { try FileAccess.read(path) }, at: path)
    }
    return written
  }

  /// Begins the animation; nil for other forms, and without an image.
  private func animation(of count: Int) throws(MapStateError) -> AnimationFile? {
    guard count > 0, case .animation(let format) = form else { return nil }
    try Self.makeFolder(of: path)
    return try AnimationFile(
      path, format, timing, count: count, dotsPerInch: dotsPerInch, keeping: inputs)
  }

  /// Writes an image to a file of its own.
  private func write(
    _ image: RenderedMap, of page: MapPage, to path: String, for run: inout RunReport?
  ) async throws(MapStateError) {
    let bytes = try await page.fileBytes(for: path, image, dotsPerInch: dotsPerInch)
    run?.add(bytes, at: path)
    try Self.makeFolder(of: path)
    try MapStateError.reading { try FileAccess.write([(bytes, path)], keeping: inputs) }
  }

  /// Makes the folder of a file if there is none.
  static func makeFolder(of path: String) throws(MapStateError) {
    try MapStateError.reading {
      let folder = FilePath.folder(of: path)
      if !FileAccess.exists(folder) { try FileAccess.makeFolder(folder) }
    }
  }
}

extension SeriesFiles.Written {
  /// Adds the warnings and notes of the report on an image.
  mutating func add(_ report: RenderReport, name: String) {
    warnings += report.allWarnings.map { "\(name): \($0)" }
    notes += report.allNotes.map { "\(name): \($0)" }
    notes += report.layers.compactMap { layer in
      layer.cells.map { "\(name): layer \"\(layer.name)\" \($0.note)" }
    }
  }
}
