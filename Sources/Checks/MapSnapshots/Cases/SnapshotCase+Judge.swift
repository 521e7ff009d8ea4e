import MapImages
import MapState
import MapSystem

/// The comparison of a drawn case with its reference: the image, the record and the expected numbers.
extension SnapshotCase {
  /// Compares a drawn case with the case's reference image, record and expected numbers.
  ///
  /// - Throws: `MapStateError`.
  func judge(_ drawn: DrawnSnapshot) async throws(MapStateError) -> SnapshotResult {
    let details = try await Self.details(of: drawn)
    if let missing = drawn.missing, let reference = try? SnapshotReference(in: folder) {
      let text =
        "the document no longer has \(missing), which the case shows; change \"only\" or remove the case"
      return try await explain(.styleDiffers(text), drawn, reference, difference(from: reference, drawn))
    }
    if let text = blankFailure(drawn, details) {
      // The record explains why nothing is drawn; without a readable reference, the message is all.
      guard let reference = try? SnapshotReference(in: folder) else {
        return try await explain(.blank(text), drawn, nil)
      }
      return try await explain(.blank(text), drawn, reference, difference(from: reference, drawn))
    }
    let reference: SnapshotReference
    do {
      guard let found = try SnapshotReference(in: folder) else {
        return try await explain(
          .noReference("record it with: mapstate snapshot record --missing"), drawn, nil)
      }
      reference = found
    } catch  where error.kind == .expectation {
      let isWhole = SnapshotReference.fileNames.allSatisfy { FileAccess.exists("\(folder)/\($0)") }
      let outcome = isWhole ? SnapshotOutcome.staleReference("\(error)") : .noReference("\(error)")
      return try await explain(outcome, drawn, nil)
    }
    return try await judge(drawn, details, against: reference)
  }

  /// Returns the differing pixels; nil for equal images and for images of different sizes.
  private func difference(
    from reference: SnapshotReference, _ drawn: DrawnSnapshot
  ) throws(MapStateError) -> ImageDifference? {
    let comparison = ImageComparison(
      expected: reference.picture, actual: drawn.bitmap, metric: tolerance.metric,
      mask: try mask(ImageSize(drawn.bitmap)))
    return if case .differs(let found) = comparison { found } else { nil }
  }

  /// Returns the contents of an image; over a basemap or on a page, only the owners of pixels show whether a feature
  /// is drawn.
  static func details(of drawn: DrawnSnapshot) async throws(MapStateError) -> PictureDetails {
    try await PictureDetails(drawn, paintsOwners: drawn.view.basemap != nil || drawn.page != nil)
  }

  /// Returns a message if the case shows nothing and is not declared blank, or the reverse.
  func blankFailure(_ drawn: DrawnSnapshot, _ details: PictureDetails) -> String? {
    let view = drawn.view
    // A map without layers shows its basemap, and tiles and overlays have no features to count.
    let hasOnlyLayers =
      !view.layers.isEmpty && view.overlays.isEmpty
      && !view.tileLayers.contains { $0.section == .operational && $0.isShown(atScale: view.viewpoint.scale) }
    let isEmpty = hasOnlyLayers && !details.showsFeature
    guard (drawn.isBlank || isEmpty) != isBlank else { return nil }
    if isBlank { return "the case is declared blank, but features are drawn" }
    return drawn.isBlank
      ? "all pixels have one colour; if this is intended, declare the case blank"
      : "no feature is drawn; if this is intended, declare the case blank"
  }

  /// Compares a drawn case with a reference image, its record and the case's expected numbers.
  ///
  /// - Throws: `MapStateError`.
  func judge(
    _ drawn: DrawnSnapshot, against reference: SnapshotReference
  ) async throws(MapStateError) -> SnapshotResult {
    try await judge(drawn, Self.details(of: drawn), against: reference)
  }

  private func judge(
    _ drawn: DrawnSnapshot, _ details: PictureDetails, against reference: SnapshotReference
  ) async throws(MapStateError) -> SnapshotResult {
    var wrong: [String] = []
    for expectation in expectations {
      if let failure = try await expectation.failure(in: drawn, folder: folder) { wrong.append(failure) }
    }
    let mask = try mask(ImageSize(drawn.bitmap))
    let comparison = ImageComparison(
      expected: reference.picture, actual: drawn.bitmap, metric: tolerance.metric, mask: mask)
    switch comparison {
    case .sizeDiffers(let expected, let actual):
      return try await explain(
        .sizeDiffers(expected: "\(expected)", actual: "\(actual)"), drawn, reference)
    case .differs(let difference) where !tolerance.allows(difference):
      return try await explain(
        .differs(pixels: difference.differing, largest: difference.largest), drawn, reference, difference)
    case .same, .differs: break
    }
    if !isBlank, let text = vacuity(of: reference.picture, mask) { return result(.vacuous(text)) }
    wrong += changedNumbers(reference.details.record, drawn)
    if comparesRecord {
      let changes = ChangeDescription.changes(
        from: reference.details, to: details, difference: nil
      ) { _, _ in nil }
      if !exactFilters, wrong.isEmpty, try await selectsSame(changes, drawn) {
        return SnapshotResult(
          name: name, title: title, outcome: .equivalent(changes.map(\.cause).joined(separator: "; ")))
      }
      if let outcome = recordOutcome(changes, details, reference, hasNumbers: !wrong.isEmpty) {
        return try await explain(outcome, drawn, reference)
      }
    }
    return wrong.isEmpty ? result(.same) : try await explain(.numbersDiffer(wrong), drawn, reference)
  }

  /// Returns whether all changes are filters that select the same rows of their tables as before.
  private func selectsSame(_ changes: [SnapshotChange], _ drawn: DrawnSnapshot) async throws(MapStateError)
    -> Bool
  {
    guard !changes.isEmpty, changes.allSatisfy(\.isOfFilter) else { return false }
    // The numbers of features of a style's layers would be changes, too.
    for change in changes where change.scope != .style {
      guard let index = drawn.layerNames.firstIndex(where: { $0 == change.layer }) else { return false }
      do {
        let table = try await drawn.view.layers[index].source.whole().columns()
        guard FilterMeaning.selectsSame(change.before ?? "", change.after ?? "", of: table) else {
          return false
        }
      } catch {
        throw MapStateError(error)
      }
    }
    return true
  }

  /// Returns the outcome of comparing the records of equal images; nil if they are equal, or differ only in counts.
  private func recordOutcome(
    _ changes: [SnapshotChange], _ details: PictureDetails, _ reference: SnapshotReference, hasNumbers: Bool
  ) -> SnapshotOutcome? {
    let warnings = PictureRecord.newWarnings(from: reference.details.record, to: details.record)
    if !warnings.isEmpty { return .newWarning(warnings) }
    let hasProperty = changes.contains { $0.property != nil }
    guard hasProperty || !hasNumbers, !changes.isEmpty else { return nil }
    // Another version may describe the same image in other words.
    if reference.isOfOtherVersion, changes.allSatisfy(\.isOfDrawing) { return nil }
    return .styleDiffers("no pixel differs, but \(changes[0].cause)")
  }

  /// Returns a message if an image filled with the most common colour of the reference image would pass; otherwise
  /// nil.
  private func vacuity(of reference: Bitmap, _ mask: ImageMask?) -> String? {
    let common = reference.commonColor
    if showsOthers(reference, than: common, mask) { return nil }
    let pixel = [common.red, common.green, common.blue, common.alpha]
    var pixels = [UInt8]()
    pixels.reserveCapacity(reference.pixels.count)
    for _ in 0..<reference.width * reference.height { pixels += pixel }
    guard let empty = try? Bitmap(width: reference.width, height: reference.height, pixels: pixels) else {
      return nil
    }
    switch ImageComparison(expected: reference, actual: empty, metric: tolerance.metric, mask: mask) {
    case .differs(let difference) where !tolerance.allows(difference): return nil
    default: return "an empty image would pass; reduce the tolerance or the masks"
    }
  }

  /// Returns whether more pixels than the tolerance allows differ from a colour, whatever the mask adds; false if another
  /// comparison must decide.
  private func showsOthers(_ image: Bitmap, than color: PixelColor, _ mask: ImageMask?) -> Bool {
    guard case .channel(let allowed) = tolerance.metric, tolerance.windowPixels == nil else { return false }
    var differing = 0
    for pixel in 0..<image.width * image.height {
      let at = pixel * 4
      // Transparent pixels are equal.
      guard image.pixels[at + 3] > 0, color.alpha > 0 else { continue }
      func step(_ channel: Int, _ value: UInt8) -> Int { abs(Int(image.pixels[at + channel]) - Int(value)) }
      guard
        max(step(0, color.red), step(1, color.green), step(2, color.blue)) > Int(allowed)
          + Int(mask?.allowed[pixel] ?? 0)
      else { continue }
      differing += 1
      if differing > tolerance.pixels { return true }
    }
    return false
  }

  /// Returns the compared funnel stages that differ from the record, one line per layer.
  private func changedNumbers(_ record: PictureRecord, _ drawn: DrawnSnapshot) -> [String] {
    guard counts != .none else { return [] }
    // Layers of styles have no stages.
    let styles = drawn.view.tileLayers.filter(\.entersIDImages).map { "\($0.name)#" }
    let recorded = record.layers.filter { layer in
      !layer.isLabels && !styles.contains { layer.name.hasPrefix($0) }
    }
    guard recorded.map(\.name) == drawn.layerNames else {
      let names = [recorded.map(\.name), drawn.layerNames].map { $0.joined(separator: ", ") }
      return ["layers \(names[0]) → \(names[1])"]
    }
    return zip(recorded, drawn.report.layers).compactMap { before, after in
      let stages = before.funnel.compactMap { old -> String? in
        // A record of an earlier version has fewer stages.
        guard let new = after.funnel?.stages.first(where: { $0.name == old.name }) else { return nil }
        let count = new.count ?? 0
        guard counts == .exact || old.name == "drawn" || old.name == "edge" else { return nil }
        return old.count == count ? nil : "\(old.name) \(old.count) → \(count)"
      }
      guard !stages.isEmpty else { return nil }
      let text = stages.joined(separator: ", ")
      return "layer \"\(before.name)\": \(text)"
    }
  }

  /// Returns the outcome with images and, if there is a reference image, the changes from it.
  private func explain(
    _ outcome: SnapshotOutcome, _ drawn: DrawnSnapshot, _ reference: SnapshotReference?,
    _ difference: ImageDifference? = nil
  ) async throws(MapStateError) -> SnapshotResult {
    let new = try await SnapshotReference(drawn)
    var changes: [SnapshotChange] = []
    var numbers: [String] = []
    if let reference {
      var texts: [String: FeatureTexts] = [:]
      do {
        for (name, layer) in zip(drawn.layerNames, drawn.view.layers) {
          texts[name] = FeatureTexts(try await layer.source.whole().shownColumns(on: .webMercator))
        }
      } catch {
        throw MapStateError(error)
      }
      let known = texts
      changes = ChangeDescription.changes(from: reference.details, to: new.details, difference: difference) {
        layer, id in
        known[layer]?.attributes(ofID: id).map { fields in
          fields.filter { !$0.value.isEmpty }.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        }
      }
      numbers = changedNumbers(reference.details.record, drawn)
    }
    var outcome = outcome
    if case .differs(let pixels, let largest) = outcome, let reference, reference.isOfOtherVersion,
      numbers.isEmpty, changes.allSatisfy(\.isOfDrawing)
    {
      let record = reference.details.record
      outcome = .engineDiffers(
        from: record.drawnBy, to: new.details.record.drawnBy, pixels: pixels, largest: largest)
    }
    do {
      let marked = reference.flatMap { DifferencePicture($0.picture, drawn.bitmap, difference) }
      let pictures = SnapshotPictures(
        expected: try reference?.picture.pngData(), actual: try drawn.bitmap.pngData(),
        difference: try marked?.picture.pngData(), spots: marked?.spots ?? [],
        slightPixels: marked?.slightPixels ?? 0,
        // An image of a class that no longer exists cannot become the reference.
        reference: drawn.missing == nil ? try new.files() : [])
      return SnapshotResult(
        name: name, title: title, outcome: outcome, changes: changes, numbers: numbers, pictures: pictures)
    } catch {
      throw MapStateError(error)
    }
  }
}
