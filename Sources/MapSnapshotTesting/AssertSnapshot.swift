public import MapSnapshots
public import MapState
import XCTest

/// Asserts in XCTest that a view matches its reference image.
///
/// The images of a failure are written below the temporary folder, because XCTest has no attachments on Linux.
/// Reference files and recording work as for `expectSnapshot`.
public func assertSnapshot(
  of view: ViewState, named name: String, tolerance: SnapshotTolerance = SnapshotTolerance(),
  because reason: String? = nil, isBlank: Bool = false, file: StaticString = #filePath, line: UInt = #line
) async {
  let judgement = await SnapshotJudgement(
    of: view, named: name, tolerance: tolerance, reason: reason, isBlank: isBlank, filePath: file)
  guard let message = judgement.message else { return }
  let place = judgement.writeAttachments().map { "\nimages: \($0)" } ?? ""
  XCTFail(message + place, file: file, line: line)
}

/// Asserts in XCTest that a map view matches its reference image.
public func assertSnapshot(
  of view: MapView, named name: String, tolerance: SnapshotTolerance = SnapshotTolerance(),
  because reason: String? = nil, isBlank: Bool = false, file: StaticString = #filePath, line: UInt = #line
) async {
  await view.load()
  await assertSnapshot(
    of: view.freeze(), named: name, tolerance: tolerance, because: reason, isBlank: isBlank, file: file,
    line: line)
}
