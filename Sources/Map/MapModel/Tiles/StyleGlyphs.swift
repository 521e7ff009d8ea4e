import Synchronization

/// The glyph files of a style, which are read in batches when drawings have missed them.
///
/// Drawing asks without waiting: for a file that is not known yet, it gets none. Then ``readMissed()`` reads all files
/// that were asked for, and the texts are shaped again.
package final class StyleGlyphs: Sendable {
  /// A glyph file.
  package struct Name: Hashable, Comparable, Sendable {
    /// The names of the fonts with commas between them.
    package let stack: String
    /// The first of its 256 characters, divided by 256.
    package let range: Int

    /// Creates a name.
    package init(stack: String, range: Int) { (self.stack, self.range) = (stack, range) }

    /// Whether `a` is before `b`: by the stack, and then by the range.
    package static func < (a: Name, b: Name) -> Bool { (a.stack, a.range) < (b.stack, b.range) }
  }

  /// The bytes of a file, nil for one that does not exist, or the reason why it cannot be read.
  package typealias Answer = Result<[UInt8]?, StyleGlyphError>

  private struct State {
    var answers: [Name: Answer] = [:]
    var missed: Set<Name> = []
    var byteCount = 0
    var version = 0
  }

  private let read: @Sendable ([Name]) async -> [Name: Answer]
  private let state = Mutex(State())

  /// The greatest size of all files in bytes, and their greatest number.
  ///
  /// - Source: design decision; a file takes up to 300 KB, and a view needs some dozens.
  private static let (byteLimit, countLimit) = (64 << 20, 4096)

  /// Creates the files behind a function that reads several of them.
  package init(_ read: @escaping @Sendable ([Name]) async -> [Name: Answer]) { self.read = read }

  /// The number of batches read so far; texts that were shaped at an earlier number may lack glyphs.
  package var version: Int { state.withLock { $0.version } }

  /// Returns the bytes of a file; nil for one that does not exist, or that was not read yet.
  ///
  /// - Throws: ``StyleGlyphError`` for a file that cannot be read.
  package func bytes(stack: String, range: Int) throws(StyleGlyphError) -> [UInt8]? {
    let name = Name(stack: stack, range: range)
    let answer = state.withLock { state -> Answer? in
      if state.answers[name] == nil { state.missed.insert(name) }
      return state.answers[name]
    }
    guard let answer else { return nil }
    return try answer.get()
  }

  /// Returns the bytes of a file that was read; nil for another one, for which it does not ask.
  package func readBytes(stack: String, range: Int) -> [UInt8]? {
    let answer = state.withLock { $0.answers[Name(stack: stack, range: range)] }
    return (try? answer?.get()) ?? nil
  }

  /// Reads the files that were asked for; returns whether there were any.
  ///
  /// Beyond the limits, files are not read but have an error.
  package func readMissed() async -> Bool {
    let (names, room) = state.withLock { ($0.missed.sorted(), Self.countLimit - $0.answers.count) }
    guard !names.isEmpty else { return false }
    let found = await read(Array(names.prefix(max(0, room))))
    state.withLock { state in
      for name in names where state.answers[name] == nil {
        let answer =
          found[name]
          ?? .failure(StyleGlyphError("\(name.stack): is one of more than \(Self.countLimit), the limit"))
        if case .success(let bytes?) = answer { state.byteCount += bytes.count }
        state.answers[name] =
          state.byteCount <= Self.byteLimit
          ? answer
          : .failure(
            StyleGlyphError("\(name.stack): all are larger than \(Self.byteLimit >> 20) MiB, the limit"))
      }
      state.missed.subtract(names)
      state.version += 1
    }
    return true
  }

  /// Forgets the files that could not be read, so that the next drawing asks for them again.
  package func forgetFailures() {
    state.withLock { state in
      state.answers = state.answers.filter { if case .failure = $0.value { false } else { true } }
    }
  }
}

/// The error for a glyph file that cannot be read.
package struct StyleGlyphError: Error, Hashable, CustomStringConvertible {
  /// The file and the reason, in one line.
  package let description: String

  /// Creates an error.
  package init(_ description: String) { self.description = description }
}
