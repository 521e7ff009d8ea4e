import FoundationEssentials
import MapSnapshots
import MapState
import MapSystem
import Synchronization

/// The result of an expectation: nothing, or a message with images.
struct SnapshotJudgement {
  /// The message of a failure; nil if the view matches.
  private(set) var message: String?
  private(set) var attachments: [(name: String, bytes: [UInt8])] = []
  private let name: String
  private let place: Place

  /// The position of an expectation in its file.
  struct Place: Hashable {
    let file: String
    let line: Int
  }

  /// The positions of the snapshots of this process, by their folders.
  private static let places = Mutex<[String: Place]>([:])

  /// The self-check, which runs once per process and tests that planted changes are found.
  private static let selfCheck = Task { () async -> String? in
    do {
      try await SnapshotSelfCheck.run()
      return nil
    } catch {
      return "\(error)"
    }
  }

  init(
    of view: ViewState, named givenName: String?, tolerance: SnapshotTolerance, reason: String?,
    isBlank: Bool,
    test: String, place: Place
  ) async {
    let name = givenName ?? String(test.prefix { $0 != "(" })
    self.name = name
    self.place = place
    do {
      if let failure = await Self.selfCheck.value { throw MapStateError(.expectation, failure) }
      guard let mode = SnapshotRecording.current else {
        throw MapStateError(.usage, "MAPSTATE_RECORD is none of never, missing, failed, all")
      }
      for layer in view.layers {
        guard let reason = layer.unloadedReason else { continue }
        throw MapStateError(.input, "layer \"\(layer.name)\": \(reason)")
      }
      let folder = try Self.folder(of: name, place)
      let other = Self.earlierPlace(of: folder, place)
      // A test may compare with the reference of another one, but not by chance, and not overwrite it.
      if givenName == nil { try Self.check(name, other) }
      let snapshot = try SnapshotCase(
        folder: folder, name: name, tolerance: tolerance, reason: reason, isBlank: isBlank)
      let result = await snapshot.verify(view)
      let isRecorded =
        switch mode {
        case .never: false
        case .missing: !snapshot.hasReference
        case .failed: result.outcome.isFailure
        case .all: true
        }
      if isRecorded {
        try Self.check(name, other)
        try await snapshot.record(view)
        message = "recorded \(folder): check the image, then run again without MAPSTATE_RECORD"
      } else if result.outcome.isFailure {
        message = Self.message(result, folder: folder)
        for (file, bytes) in [
          ("expected", result.pictures?.expected), ("actual", result.pictures?.actual),
          ("difference", result.pictures?.difference),
        ] {
          if let bytes { attachments.append(("\(name)-\(file).png", bytes)) }
        }
      }
    } catch {
      message = "\(error)"
    }
  }

  /// Returns the folder of the reference files: beside the test's file, named by the file and the snapshot.
  private static func folder(of name: String, _ place: Place) throws(MapStateError) -> String {
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw MapStateError(.usage, "\"\(name)\" is not a valid snapshot name: it names a folder")
    }
    return "\(FilePath.folder(of: place.file))/Snapshots/\(FilePath.stem(of: place.file))/\(name)"
  }

  /// Returns the first other position of a snapshot with a folder; nil if there is none.
  private static func earlierPlace(of folder: String, _ place: Place) -> Place? {
    let first = places.withLock { places in
      let known = places[folder] ?? place
      places[folder] = known
      return known
    }
    return first == place ? nil : first
  }

  private static func check(_ name: String, _ other: Place?) throws(MapStateError) {
    guard let other else { return }
    throw MapStateError(
      .usage,
      "\"\(name)\" is also the name of the snapshot in line \(other.line); give another one with named:")
  }

  private static func message(_ result: SnapshotResult, folder: String) -> String {
    if case .noReference = result.outcome {
      return "\(result.name): no reference in \(folder); MAPSTATE_RECORD=missing writes it"
    }
    return result.text
  }

  /// Writes the images below the folder of the environment variable `MAPSTATE_ARTIFACTS`, by test file and name, and
  /// returns their folder; nil without the variable, without images, or if writing fails.
  func writeArtifacts() -> String? {
    guard let root = ProcessInfo.processInfo.environment["MAPSTATE_ARTIFACTS"], !root.isEmpty else {
      return nil
    }
    return write(into: "\(root)/\(FilePath.stem(of: place.file))/\(name)")
  }

  /// Writes the images into a new temporary folder and returns it; nil if there are none or writing fails.
  func writeTemporarily() -> String? {
    write(into: FileManager.default.temporaryDirectory.path + "/mapstate-snapshots-\(UUID().uuidString)")
  }

  private func write(into folder: String) -> String? {
    guard !attachments.isEmpty else { return nil }
    do {
      try FileAccess.makeFolder(folder)
      try FileAccess.write(attachments.map { ($0.bytes, "\(folder)/\($0.name)") })
    } catch {
      return nil
    }
    return folder
  }
}
