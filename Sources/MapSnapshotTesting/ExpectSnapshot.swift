// The tolerance is in the signatures.
@_exported public import struct MapSnapshots.SnapshotTolerance
public import MapState
public import Testing

/// Expects that a view matches its reference image.
///
/// A difference is an issue that names layer, class and feature, with the images attached. The reference files are
/// beside the test's file, in `Snapshots/FILE/NAME`. They are written only if the environment variable
/// `MAPSTATE_RECORD` is `missing`, `failed` or `all`. A test that records fails: a run
/// cannot pass by recording.
///
/// - Parameters:
///   - view: the view to draw.
///   - name: the name of the snapshot, unique in the test's file.
///   - tolerance: the allowed difference; by default one step of a channel and no pixel beyond it.
///   - reason: the reason for a wider tolerance, required in that case.
///   - isBlank: whether the image is expected to have a single colour.
/// - Cost: two images.
public func expectSnapshot(
  of view: ViewState, named name: String, tolerance: SnapshotTolerance = SnapshotTolerance(),
  because reason: String? = nil, isBlank: Bool = false, filePath: StaticString = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  let judgement = await SnapshotJudgement(
    of: view, named: name, tolerance: tolerance, reason: reason, isBlank: isBlank, filePath: filePath)
  guard let message = judgement.message else { return }
  for (name, bytes) in judgement.attachments {
    Attachment.record(bytes, named: name, sourceLocation: sourceLocation)
  }
  Issue.record(Comment(rawValue: message), sourceLocation: sourceLocation)
}

/// Expects that a map view matches its reference image.
///
/// See ``expectSnapshot(of:named:tolerance:because:isBlank:filePath:sourceLocation:)-(ViewState,_,_,_,_,_,_)``.
public func expectSnapshot(
  of view: MapView, named name: String, tolerance: SnapshotTolerance = SnapshotTolerance(),
  because reason: String? = nil, isBlank: Bool = false, filePath: StaticString = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  await view.load()
  await expectSnapshot(
    of: view.freeze(), named: name, tolerance: tolerance, because: reason, isBlank: isBlank,
    filePath: filePath, sourceLocation: sourceLocation)
}
