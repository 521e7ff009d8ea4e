import MapImages
public import MapLayout
public import MapState
import MapSystem

extension SnapshotCase {
  /// Draws the case and compares it with its reference image and record; writes no file.
  ///
  /// - Cost: an image; a case that fails or has a tolerance costs two to four, to explain the failure and to find out
  ///   whether all drawings are equal.
  public func verify() async -> SnapshotResult {
    let start = ContinuousClock.now
    var result: SnapshotResult
    do throws(MapStateError) {
      result = isSkipped ? self.result(.skipped(reason ?? "")) : try await compare()
    } catch {
      result = await broken(error)
    }
    return result.taking(start.duration(to: .now) / .seconds(1))
  }

  /// Compares a view with the case's reference image and record, as ``verify()`` does with the case's own view.
  public func verify(_ view: ViewState) async -> SnapshotResult {
    do throws(MapStateError) {
      return try await compare(DrawnSnapshot(view, threads: 2)) { () throws(MapStateError) in
        try await DrawnSnapshot(view)
      }
    } catch {
      return result(.error("\(error)"))
    }
  }

  /// Compares a page, the map with the parts around it, with the case's reference image and record.
  public func verify(_ page: MapPage, _ layout: PageLayout) async -> SnapshotResult {
    do throws(MapStateError) {
      return try await compare(Self.drawn(page, layout, threads: 2)) { () throws(MapStateError) in
        try await Self.drawn(page, layout)
      }
    } catch {
      return result(.error("\(error)"))
    }
  }

  /// Draws a page; one with the usual layout has no layout in its record.
  private static func drawn(
    _ page: MapPage, _ layout: PageLayout, threads: Int = 1
  ) async throws(MapStateError) -> DrawnSnapshot {
    try await DrawnSnapshot(
      page, layout: layout == PageLayout() ? nil : layout, threads: threads, documentWarnings: [])
  }

  func result(_ outcome: SnapshotOutcome) -> SnapshotResult {
    SnapshotResult(name: name, title: title, outcome: outcome)
  }

  private func compare() async throws(MapStateError) -> SnapshotResult {
    // A class that the reference shows may have been removed; without a reference, its name is a mistake.
    var own = self
    own.allowsMissingClass = hasReference
    let drawn = try await own.draw(threads: 2)
    own.recentTables = nil
    let rereading = own
    return try await compare(drawn) { () throws(MapStateError) in try await rereading.draw() }
  }

  /// Compares a drawn case with the reference, which another run has drawn with one thread.
  ///
  /// An image that equals the reference is drawn once. Any other one is drawn again, from files that are read again, to
  /// tell a change from an image that differs each time.
  private func compare(
    _ drawn: DrawnSnapshot, again: () async throws(MapStateError) -> DrawnSnapshot
  ) async throws(MapStateError) -> SnapshotResult {
    var result = noting(drawn, try await judge(drawn))
    if isTolerant || result.outcome != .same, let text = Self.instability(drawn, try await again()) {
      return noting(drawn, self.result(.unstable(text)))
    }
    if result.outcome.isFailure, let other = try await judgeOthers(drawn) { result = other }
    result.warnings = drawn.warnings
    if isTolerant, let reference = try? SnapshotReference(in: folder),
      let hidden = try hiddenChanges(in: reference)
    {
      result.notes.append(hidden.text)
    }
    return result
  }

  /// Returns the difference between two drawings of one case; nil if they are equal.
  private static func instability(_ first: DrawnSnapshot, _ second: DrawnSnapshot) -> String? {
    switch ImageComparison(expected: first.bitmap, actual: second.bitmap) {
    case .sizeDiffers: return "drawn twice in this run, the images differ in size"
    case .differs(let difference):
      return
        "drawn twice in this run, the images differ in \(difference.differing) pixels, by up to \(difference.largest)"
    case .same: break
    }
    let same = first.report.layers.map(\.funnel) == second.report.layers.map(\.funnel)
    return same ? nil : "drawn twice in this run, the counts differ"
  }

  /// Returns a result; for a failure, with the filters and scripts that read the current time.
  private func noting(_ drawn: DrawnSnapshot, _ result: SnapshotResult) -> SnapshotResult {
    guard result.outcome.isFailure else { return result }
    var noted = result
    noted.notes = drawn.view.clockReadings.map { reading in
      "the current time may be the cause: layer \"\(reading.layer)\": \(reading.description) reads it; "
        + clockAdvice
    }
    return noted
  }

  private var clockAdvice: String {
    json.isNull ? "set the view's now" : "fix the time with \"now\" in case.json"
  }

  /// Draws the case and writes its reference files.
  ///
  /// - Returns: the warnings about filters and scripts that read the current time, with which the image may change.
  /// - Throws: `MapStateError`, also for a blank image that is not declared blank.
  @discardableResult
  public func record() async throws(MapStateError) -> [String] {
    let drawn = try await draw()
    try await record(drawn)
    return drawn.view.clockReadings.map { reading in
      "layer \"\(reading.layer)\": \(reading.description) reads the current time, so the image may change; "
        + clockAdvice
    }
  }

  /// Writes a view as the case's reference files, and creates their folder.
  ///
  /// - Throws: `MapStateError`, also for a blank image that is not declared blank.
  public func record(_ view: ViewState) async throws(MapStateError) {
    do { try FileAccess.makeFolder(folder) } catch { throw MapStateError(error) }
    try await record(DrawnSnapshot(view))
  }

  /// Writes a page as the case's reference files, and creates their folder.
  ///
  /// - Throws: `MapStateError`, also for a blank image that is not declared blank.
  public func record(_ page: MapPage, _ layout: PageLayout) async throws(MapStateError) {
    do { try FileAccess.makeFolder(folder) } catch { throw MapStateError(error) }
    try await record(Self.drawn(page, layout))
  }

  private func record(_ drawn: DrawnSnapshot) async throws(MapStateError) {
    if let text = try await blankFailure(drawn, Self.details(of: drawn)), !isBlank {
      throw MapStateError(.expectation, "\(name): \(text)")
    }
    try await SnapshotReference(drawn).keepingPictures(of: folder).write(to: folder)
  }
}
