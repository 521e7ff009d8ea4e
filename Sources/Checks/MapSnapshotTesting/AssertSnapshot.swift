public import MapSnapshots
public import MapState
import XCTest

/// Asserts in XCTest that a view matches its reference image.
///
/// The images of a failure are written below the folder in the environment variable `MAPSTATE_ARTIFACTS`, or else below
/// the temporary folder, because XCTest has no attachments on Linux. Reference files and recording work as for
/// `expectSnapshot`.
public func assertSnapshot(
  of view: ViewState, named name: String? = nil, tolerance: SnapshotTolerance = SnapshotTolerance(),
  because reason: String? = nil, isBlank: Bool = false, testName: String = #function,
  file: StaticString = #filePath, line: UInt = #line
) async {
  let judgement = await SnapshotJudgement(
    of: view, named: name, tolerance: tolerance, reason: reason, isBlank: isBlank, test: testName,
    place: SnapshotJudgement.Place(file: "\(file)", line: Int(clamping: line)))
  guard let message = judgement.message else { return }
  let images = (judgement.writeArtifacts() ?? judgement.writeTemporarily()).map { "\nimages: \($0)" } ?? ""
  XCTFail(message + images, file: file, line: line)
}

/// Asserts in XCTest that a map view matches its reference image, after its layers are loaded.
public func assertSnapshot(
  of view: MapView, named name: String? = nil, tolerance: SnapshotTolerance = SnapshotTolerance(),
  because reason: String? = nil, isBlank: Bool = false, testName: String = #function,
  file: StaticString = #filePath, line: UInt = #line
) async {
  await view.load()
  await assertSnapshot(
    of: view.freeze(), named: name, tolerance: tolerance, because: reason, isBlank: isBlank,
    testName: testName,
    file: file, line: line)
}
