import MapSystem
import Synchronization

/// The access to one file on a server.
package struct FileTransfer: Sendable {
  /// The client, whose largest answer is at least the limit of the budget.
  package let client: ServiceClient
  /// The address, without secrets.
  let url: String
  /// The address without its query, for messages.
  let place: String
  /// The bytes that may be fetched from the file, or from all files of a folder.
  let budget: FetchBudget
  /// The memory of the answers.
  private let memory: ResponseMemory
  /// Receives a line about each request; nil receives none.
  let report: (@Sendable (String) -> Void)?

  package init(
    client: ServiceClient, url: String, place: String, budget: FetchBudget,
    memory: ResponseMemory = .shared, report: (@Sendable (String) -> Void)?
  ) {
    (self.client, self.url, self.place, self.budget) = (client, url, place, budget)
    (self.memory, self.report) = (memory, report)
  }

  /// Returns the access to another file of the same host, within the same budget.
  package func of(_ url: String, place: String) -> FileTransfer {
    FileTransfer(client: client, url: url, place: place, budget: budget, memory: memory, report: report)
  }

  /// Begins to report the bytes of an answer while they arrive, every fifth of a second; returns the end of that.
  func reportArrival() -> @Sendable () -> Void {
    let id = CurrentWork.begin("fetching \(place)")
    let watch = Task { [memory] in
      while (try? await Task.sleep(for: .milliseconds(200))) != nil {
        let count = memory.taken.now
        if count > 0 { CurrentWork.report(ByteText.text(count), of: id) }
      }
    }
    return {
      watch.cancel()
      CurrentWork.end(id)
    }
  }

  /// The limit in messages, with its option.
  var limitText: String { "--max-download (\(ByteText.text(budget.limit)))" }

  func error(_ reason: String, _ kind: ServiceError.Kind = .answer) -> ServiceError {
    ServiceError(reason, at: place, kind: kind)
  }
}

/// The bytes that may be fetched from a file, or from all files of a folder.
package final class FetchBudget: Sendable {
  package let limit: Int
  private let taken = Mutex(0)

  package init(limit: Int) { self.limit = limit }

  /// Takes a number of bytes; false if there are fewer.
  func take(_ count: Int) -> Bool {
    taken.withLock { taken in
      guard count <= limit - taken else { return false }
      taken += count
      return true
    }
  }

  /// Begins anew, before a whole file is fetched.
  func begin() { taken.withLock { $0 = 0 } }
}

/// Numbers of bytes in messages.
package enum ByteText {
  /// Returns a number of bytes with its unit, such as `1.5 MB`; a unit is 1024 of the one before it.
  package static func text(_ count: Int) -> String {
    var (value, unit) = (Double(count), 0)
    while value >= 1024, unit < 4 { (value, unit) = (value / 1024, unit + 1) }
    let tenths = (value * 10).rounded() / 10
    let number = Int(exactly: tenths).map { "\($0)" } ?? "\(tenths)"
    return number + " " + ["bytes", "KB", "MB", "GB", "TB"][unit]
  }
}
