import Synchronization

/// The words of the command line, the name of the program first.
///
/// A program in another language that runs the tool has words of its own.
enum CommandWords {
  private static let words = Mutex(CommandLine.arguments)

  /// All words.
  static var all: [String] {
    get { words.withLock { $0 } }
    set { words.withLock { $0 = newValue } }
  }
}
