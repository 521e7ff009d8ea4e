import Dispatch
import Glibc
import MapState
import Synchronization

/// Ends the process with an error once it has taken more time or memory than the user allows.
///
/// One watch covers all work, that of libraries too, where checks at single allocations would leave gaps.
///
/// - Error: memory is looked at 200 times a second, so up to some 50 MB more may be held for a moment.
/// - Cost: one read of `/proc/self/statm` each time, about 2 µs.
enum LimitWatch {
  /// Starts watching; does nothing where there is no limit.
  static func start(seconds: Double?, memory: ByteCount?) {
    guard seconds != nil || memory != nil else { return }
    let start = ContinuousClock.now
    // A queue of its own gets a thread even while painting keeps every core busy; a global one has to wait.
    DispatchQueue(label: "mapstate.limits", qos: .userInteractive).async {
      while true {
        if let seconds, start.duration(to: .now) / .seconds(1) >= seconds {
          stop("not done within the \(seconds.formatted) s of --timeout")
        }
        if let memory, residentBytes() > memory.bytes {
          stop("needs more than the \(memory.text) of --max-memory")
        }
        usleep(5000)
      }
    }
  }

  /// Prints the error and ends the process; a file that is being put in place is finished first.
  private static func stop(_ reason: String) {
    let error = MapError(.input, "\(CurrentWork.name.map { "\($0): " } ?? "")\(reason)")
    let code = error.kind.exitCode
    StandardError.report(error)
    FileAccess.writing.withLock { (_: inout Void) -> Void in _exit(code) }
  }

  /// The memory that the process holds.
  ///
  /// - Source: proc(5): the second number is the resident pages.
  private static func residentBytes() -> Int {
    let text = (try? FileAccess.read("/proc/self/statm", limit: 4096)) ?? []
    let fields = text.split(separator: UInt8(ascii: " "))
    guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}

extension Double {
  /// The number without a fraction of zero.
  fileprivate var formatted: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
