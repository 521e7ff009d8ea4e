import Synchronization

/// A count of the filter texts that a task and its children parse, for tests.
package final class ParsedTexts: Sendable {
  /// The count of the current task; nil for none.
  @TaskLocal package static var current: ParsedTexts?
  private let counts = Mutex<[String: Int]>([:])

  package init() {}

  /// Returns the number of times that a text was parsed.
  package subscript(text: String) -> Int { counts.withLock { $0[text] ?? 0 } }

  static func record(_ text: String) { current?.counts.withLock { $0[text, default: 0] += 1 } }
}
