import Dispatch
import Glibc
import MapState
import Synchronization

/// Ctrl-C: a file under way is finished or cleaned up first, then the tool ends with 130.
@MainActor enum StopSignal {
  // Kept, since a source that nobody holds stops watching.
  private static var source: (any DispatchSourceSignal)?

  static func install() {
    // A reader that goes away is an error of the write, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT, SIG_IGN)
    let watcher = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    watcher.setEventHandler { @Sendable in
      FileAccess.writing.withLock { (_: inout Void) -> Void in _exit(130) }
    }
    watcher.resume()
    source = watcher
  }
}
