import Dispatch
import Glibc
import MapState
import MapSystem
import Synchronization

/// Ends the tool with 130 on Ctrl-C, after a file that is being written is complete or removed.
enum StopSignal {
  /// Begins to watch, until the source that is returned has no owner.
  static func install() -> any DispatchSourceSignal {
    // A closed pipe becomes an error of the write instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    // A blocked signal waits for the source, also one that comes before the source watches. All threads of the tool
    // inherit the mask.
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGINT)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    // A queue of its own gets a thread even while painting uses every core; a global queue has to wait.
    let queue = DispatchQueue(label: "mapstate.stop", qos: .userInteractive)
    let watcher = DispatchSource.makeSignalSource(signal: SIGINT, queue: queue)
    watcher.setEventHandler { @Sendable in
      FileAccess.writing.withLock { (_: inout Void) -> Void in
        PrivateFolder.removeAll()
        _exit(130)
      }
    }
    watcher.resume()
    return watcher
  }

  /// Waits without end.
  ///
  /// The thread takes all signals but Ctrl-C, also those that the parent process had blocked, such as that of `timeout`.
  static func wait() -> Never {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGINT)
    while true { unsafe sigsuspend(&set) }
  }
}
