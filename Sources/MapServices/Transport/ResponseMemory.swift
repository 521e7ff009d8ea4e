import CCurl

/// Memory that answers share from their first byte until they are read: what is under way at once has one limit.
@safe public final class ResponseMemory: Sendable {
  /// The memory of all answers of the process.
  ///
  /// - Source: design decision; with a copy for the reader the answers of a layer stay below 300 MB.
  public static let shared = ResponseMemory(limit: 96 << 20)

  /// How many bytes all bodies may have together.
  public let limit: Int
  // Counted by atomic numbers; freed with its last answer.
  nonisolated(unsafe) let counter: OpaquePointer?

  /// Memory for bodies of so many bytes together.
  public init(limit: Int) {
    self.limit = limit
    unsafe counter = ccurl_memory_make(limit)
  }

  deinit { if let counter = unsafe counter { unsafe ccurl_memory_free(counter) } }

  /// The bytes that are taken now, and the most that were taken at once.
  package var taken: (now: Int, most: Int) {
    guard let counter = unsafe counter else { return (0, 0) }
    var most = 0
    let now = unsafe ccurl_memory_taken(counter, &most)
    return (now, most)
  }

  /// The room of one body, given back with the last copy of its answer.
  final class Claim: Sendable, Hashable {
    private let memory: ResponseMemory
    private let size: Int

    init(_ size: Int, of memory: ResponseMemory) { (self.size, self.memory) = (size, memory) }

    deinit { if let counter = unsafe memory.counter { unsafe ccurl_memory_release(counter, size) } }

    // An answer is the same whoever counts it.
    static func == (_: Claim, _: Claim) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }
}
