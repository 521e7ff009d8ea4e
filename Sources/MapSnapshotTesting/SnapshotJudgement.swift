import FoundationEssentials
import MapSnapshots
import MapState
import MapSystem

/// The mode for writing reference files.
///
/// Only the environment sets it, never the code of a test.
enum RecordMode: String {
  case never, missing, failed, all

  /// The mode in `MAPSTATE_RECORD`; nil for an unknown word.
  static var current: RecordMode? {
    guard let word = ProcessInfo.processInfo.environment["MAPSTATE_RECORD"], !word.isEmpty else {
      return .never
    }
    return RecordMode(rawValue: word)
  }
}

/// The result of an expectation: nothing, or a message with images.
struct SnapshotJudgement {
  /// The message of a failure; nil if the view matches.
  private(set) var message: String?
  private(set) var attachments: [(name: String, bytes: [UInt8])] = []
  private let name: String

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
    of view: ViewState, named name: String, tolerance: SnapshotTolerance, reason: String?, isBlank: Bool,
    filePath: StaticString
  ) async {
    self.name = name
    do {
      if let failure = await Self.selfCheck.value { throw MapStateError(.expectation, failure) }
      guard let mode = RecordMode.current else {
        throw MapStateError(.usage, "MAPSTATE_RECORD is none of never, missing, failed, all")
      }
      for layer in view.layers {
        guard let reason = layer.unloadedReason else { continue }
        throw MapStateError(.input, "layer \"\(layer.name)\": \(reason)")
      }
      let folder = try Self.folder(of: name, filePath: filePath)
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
  private static func folder(of name: String, filePath: StaticString) throws(MapStateError) -> String {
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw MapStateError(.usage, "\"\(name)\" is not a valid snapshot name: it names a folder")
    }
    let path = "\(filePath)"
    return "\(FilePath.folder(of: path))/Snapshots/\(FilePath.stem(of: path))/\(name)"
  }

  private static func message(_ result: SnapshotResult, folder: String) -> String {
    var lines = ["\(result.name): \(result.outcome.word)\(result.outcome.detail.map { ": \($0)" } ?? "")"]
    if case .noReference = result.outcome {
      lines[0] = "\(result.name): no reference in \(folder); MAPSTATE_RECORD=missing writes it"
    }
    lines += result.changes.prefix(10).map { "  \($0.description)" }
    lines += result.numbers.map { "  \($0)" }
    return lines.joined(separator: "\n")
  }

  /// Writes the images into their own folder and returns it; nil if there are none or writing fails.
  func writeAttachments() -> String? {
    guard !attachments.isEmpty else { return nil }
    let folder = FileManager.default.temporaryDirectory.path + "/mapstate-snapshots-\(UUID().uuidString)"
    do {
      try FileAccess.makeFolder(folder)
      try FileAccess.write(attachments.map { ($0.bytes, "\(folder)/\($0.name)") })
    } catch {
      return nil
    }
    return folder
  }
}
