import FoundationEssentials
import MapSnapshots
import MapState

/// When references are written: only the environment says so, never a test's own code.
enum RecordMode: String {
  case never, missing, failed, all

  /// What `MAPSTATE_RECORD` says; nil for a word that is none of them.
  static var current: RecordMode? {
    guard let word = ProcessInfo.processInfo.environment["MAPSTATE_RECORD"], !word.isEmpty else {
      return .never
    }
    return RecordMode(rawValue: word)
  }
}

/// What an expectation found: nothing, or a message and the pictures to it.
struct SnapshotJudgement {
  /// Nil when all is as it was.
  private(set) var message: String?
  private(set) var attachments: [(name: String, bytes: [UInt8])] = []
  private let name: String

  /// One proof a process that a planted change is found.
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
      if let failure = await Self.selfCheck.value { throw MapError(.expectation, failure) }
      guard let mode = RecordMode.current else {
        throw MapError(.usage, "MAPSTATE_RECORD is none of never, missing, failed, all")
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
        message = "recorded \(folder): look at it, then run again without MAPSTATE_RECORD"
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

  /// The reference's folder: beside the test's file, by the file's name and the snapshot's.
  private static func folder(of name: String, filePath: StaticString) throws(MapError) -> String {
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw MapError(.usage, "\"\(name)\" cannot be the name of a snapshot: it names a folder")
    }
    let path = "\(filePath)"
    return "\(FilePath.folder(of: path))/Snapshots/\(FilePath.stem(of: path))/\(name)"
  }

  private static func message(_ result: SnapshotResult, folder: String) -> String {
    var lines = ["\(result.name): \(result.outcome.word)\(result.outcome.detail.map { ": \($0)" } ?? "")"]
    if case .noReference = result.outcome {
      lines[0] = "\(result.name): there is no reference in \(folder); MAPSTATE_RECORD=missing writes it"
    }
    lines += result.changes.prefix(10).map { "  \($0.description)" }
    lines += result.numbers.map { "  \($0)" }
    return lines.joined(separator: "\n")
  }

  /// Writes the pictures into a folder of their own; nil when there are none or it cannot be.
  func writeAttachments() -> String? {
    guard !attachments.isEmpty else { return nil }
    let folder = FileManager.default.temporaryDirectory.path + "/mapstate-snapshots"
    do {
      try FileAccess.makeFolder(folder)
      try FileAccess.write(attachments.map { ($0.bytes, "\(folder)/\($0.name)") })
    } catch {
      return nil
    }
    return folder
  }
}
