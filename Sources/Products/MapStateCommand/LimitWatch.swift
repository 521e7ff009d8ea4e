import Dispatch
import Glibc
import MapState
import MapSystem
import Synchronization

/// Ends the process with an error when it exceeds the time or memory that the user allows.
///
/// One watch covers all work, including that of libraries, which checks at single allocations would miss.
///
/// - Error: memory is checked 200 times a second, so the process may briefly hold about 50 MB more.
/// - Cost: one read of `/proc/self/statm` per check, about 2 µs.
enum LimitWatch {
  /// Starts watching; does nothing without a limit.
  static func start(seconds: Double?, memory: ByteCount?) {
    guard seconds != nil || memory != nil else { return }
    let start = ContinuousClock.now
    // A queue of its own gets a thread even while painting uses every core; a global queue has to wait.
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

  /// Prints the error and ends the process, after a file that is being written is complete.
  private static func stop(_ reason: String) {
    let error = MapStateError(.input, "\(CurrentWork.name.map { "\($0): " } ?? "")\(reason)")
    let code = error.kind.exitCode
    StandardError.report(error)
    FileAccess.writing.withLock { (_: inout Void) -> Void in
      PrivateFolder.removeAll()
      _exit(code)
    }
  }

  /// The resident memory of the process in bytes.
  ///
  /// - Source: proc(5): the second number is the number of resident pages.
  private static func residentBytes() -> Int {
    let text = (try? FileAccess.read("/proc/self/statm", limit: 4096)) ?? []
    let fields = text.split(separator: UInt8(ascii: " "))
    guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}

extension Double {
  /// The number, without `.0` when it is whole.
  fileprivate var formatted: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
