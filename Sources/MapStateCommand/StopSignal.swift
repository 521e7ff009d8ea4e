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
    // A queue of its own gets a thread even while painting keeps every core busy; a global one has to wait.
    let queue = DispatchQueue(label: "mapstate.stop", qos: .userInteractive)
    let watcher = DispatchSource.makeSignalSource(signal: SIGINT, queue: queue)
    watcher.setEventHandler { @Sendable in
      FileAccess.writing.withLock { (_: inout Void) -> Void in _exit(130) }
    }
    watcher.resume()
    source = watcher
  }
}
