public import Foundation

extension Process {
  private static let starting = NSLock()

  /// Starts, and no other process of the tests at the same time.
  ///
  /// Foundation learns of a process's end by a socket. A server that starts in the same instant can inherit the other end
  /// of it, and then that end is not seen before the server ends too: whoever waits for the process waits for ever.
  public func start() throws {
    Self.starting.lock()
    defer { Self.starting.unlock() }
    try run()
  }
}
