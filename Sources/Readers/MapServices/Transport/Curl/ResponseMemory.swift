import CCurl

/// A memory budget shared by answers in progress, from their first byte until they have been read.
@safe public final class ResponseMemory: Sendable {
  /// The budget of all answers of the process, 96 MiB.
  ///
  /// - Source: design decision; with a copy for the reader, the answers of a layer stay below 300 MB.
  public static let shared = ResponseMemory(limit: 96 << 20)

  /// The maximum number of bytes of all bodies together.
  public let limit: Int
  // Counted by atomic numbers; freed with its last answer.
  nonisolated(unsafe) let counter: OpaquePointer?

  /// Creates a budget of `limit` bytes.
  public init(limit: Int) {
    self.limit = limit
    unsafe counter = ccurl_memory_make(limit)
  }

  deinit { if let counter = unsafe counter { unsafe ccurl_memory_free(counter) } }

  /// The bytes reserved now, and the highest number reserved at once.
  package var taken: (now: Int, most: Int) {
    guard let counter = unsafe counter else { return (0, 0) }
    var most = 0
    let now = unsafe ccurl_memory_taken(counter, &most)
    return (now, most)
  }

  /// The reservation for one body, released with the last copy of its answer.
  final class Claim: Sendable, Hashable {
    private let memory: ResponseMemory
    private let size: Int

    init(_ size: Int, of memory: ResponseMemory) { (self.size, self.memory) = (size, memory) }

    deinit { if let counter = unsafe memory.counter { unsafe ccurl_memory_release(counter, size) } }

    // Answers are equal whatever budget counts them.
    static func == (_: Claim, _: Claim) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }
}
