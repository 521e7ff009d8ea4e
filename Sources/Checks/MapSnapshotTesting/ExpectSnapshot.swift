// The tolerance is in the signatures.
@_exported public import struct MapSnapshots.SnapshotTolerance
public import MapState
public import Testing

/// Expects that a view matches its reference image.
///
/// A difference is an issue that names layer, class and property, with the images attached. The images are also written
/// below the folder in the environment variable `MAPSTATE_ARTIFACTS`, if it is set.
///
/// The reference files are beside the test's file, in `Snapshots/FILE/NAME`. They are written only as
/// ``SnapshotRecording`` says: by the environment variable `MAPSTATE_RECORD`, or by the trait `.record(_:)`. A test that
/// records fails: a run cannot pass by recording.
///
/// - Parameters:
///   - view: the view to draw.
///   - name: the name of the snapshot, unique in the test's file; without one, that of the test's function.
///   - tolerance: the allowed difference; by default one step of a channel and no pixel beyond it.
///   - reason: the reason for a wider tolerance, required in that case.
///   - isBlank: whether the image is expected to have a single colour.
/// - Cost: two images.
public func expectSnapshot(
  of view: ViewState, named name: String? = nil, tolerance: SnapshotTolerance = SnapshotTolerance(),
  because reason: String? = nil, isBlank: Bool = false, testName: String = #function,
  filePath: StaticString = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) async {
  let judgement = await SnapshotJudgement(
    of: view, named: name, tolerance: tolerance, reason: reason, isBlank: isBlank, test: testName,
    place: SnapshotJudgement.Place(file: "\(filePath)", line: sourceLocation.line))
  guard let message = judgement.message else { return }
  for (name, bytes) in judgement.attachments {
    Attachment.record(bytes, named: name, sourceLocation: sourceLocation)
  }
  let images = judgement.writeArtifacts().map { "\nimages: \($0)" } ?? ""
  Issue.record(Comment(rawValue: message + images), sourceLocation: sourceLocation)
}

/// Expects that a map view matches its reference image, after its layers are loaded.
///
/// See ``expectSnapshot(of:named:tolerance:because:isBlank:testName:filePath:sourceLocation:)-(ViewState,_,_,_,_,_,_,_)``.
public func expectSnapshot(
  of view: MapView, named name: String? = nil, tolerance: SnapshotTolerance = SnapshotTolerance(),
  because reason: String? = nil, isBlank: Bool = false, testName: String = #function,
  filePath: StaticString = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) async {
  await view.load()
  await expectSnapshot(
    of: view.freeze(), named: name, tolerance: tolerance, because: reason, isBlank: isBlank,
    testName: testName,
    filePath: filePath, sourceLocation: sourceLocation)
}
