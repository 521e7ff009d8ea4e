public import Foundation

extension Process {
  private static let starting = NSLock()

  /// Starts the process while no other process of the tests starts.
  ///
  /// Foundation detects the end of a process by a socket. A server started at the same instant can inherit
  /// the other end of the socket. Then the end of the process is not detected until the server ends too, and
  /// a wait for the process never returns.
  public func start() throws {
    Self.starting.lock()
    defer { Self.starting.unlock() }
    try run()
  }
}
