public import MapSnapshots
public import MapState
public import Testing

/// Expects that a view looks as it did when it was recorded; what changed is an issue that names layer, class and
/// feature, with the pictures attached.
///
/// The reference lies beside the test's file, in `Snapshots/FILE/NAME`. It is written only while the environment says
/// `MAPSTATE_RECORD=missing`, `failed` or `all`; a test that records fails, so that no run passes by recording.
///
/// - Parameters:
///   - view: what is drawn; each expectation of a file needs a name of its own.
///   - tolerance: how much may differ; one step of a channel and no pixel unless said.
///   - reason: why the tolerance is wider, which must then be said.
///   - isBlank: true for a picture that is to be of one colour.
/// - Cost: two pictures.
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

/// Expects that a map view looks as it did when it was recorded; see
/// ``expectSnapshot(of:named:tolerance:because:isBlank:filePath:sourceLocation:)-(ViewState,_,_,_,_,_,_)``.
public func expectSnapshot(
  of view: MapView, named name: String, tolerance: SnapshotTolerance = SnapshotTolerance(),
  because reason: String? = nil, isBlank: Bool = false, filePath: StaticString = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  await expectSnapshot(
    of: view.freeze(), named: name, tolerance: tolerance, because: reason, isBlank: isBlank,
    filePath: filePath, sourceLocation: sourceLocation)
}
