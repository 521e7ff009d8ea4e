import FoundationEssentials
public import Testing

/// A rule for writing reference files: the value of the environment variable `MAPSTATE_RECORD`, or of a trait.
///
/// A test that records fails: a run cannot pass by recording.
public enum SnapshotRecording: String, Sendable {
  /// Writes nothing.
  case never
  /// Writes references that are missing.
  case missing
  /// Writes references of snapshots that fail.
  case failed
  /// Writes all references.
  case all

  /// The rule of the trait of the running test.
  @TaskLocal static var ofTest: SnapshotRecording?

  /// The rule of the environment, or else of the running test; nil for an unknown word in the environment.
  static var current: SnapshotRecording? {
    guard let word = ProcessInfo.processInfo.environment["MAPSTATE_RECORD"], !word.isEmpty else {
      return ofTest ?? .never
    }
    return SnapshotRecording(rawValue: word)
  }
}

/// A trait of tests and suites that write reference files.
public struct SnapshotRecordingTrait: TestTrait, SuiteTrait, TestScoping {
  let recording: SnapshotRecording
  /// Whether the tests inside a suite have the trait, too.
  public var isRecursive: Bool { true }

  /// Runs a test under the rule.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await SnapshotRecording.$ofTest.withValue(recording, operation: function)
  }
}

extension Trait where Self == SnapshotRecordingTrait {
  /// Returns a trait with which a test or suite writes its references, unless `MAPSTATE_RECORD` says otherwise.
  public static func record(_ recording: SnapshotRecording) -> Self { Self(recording: recording) }
}
