import Synchronization

/// The counters of a server.
final class ServerMetrics: Sendable {
  private struct Counts {
    var byStatus: [Int: Int] = [:]
    var seconds = 0.0
    var bytes = 0
  }

  private let counts = Mutex(Counts())

  /// Counts a request.
  func add(_ request: ServedRequest) {
    counts.withLock { counts in
      counts.byStatus[request.status, default: 0] += 1
      counts.seconds += request.seconds
      counts.bytes += request.bytes
    }
  }

  /// Returns the counters in the text format of Prometheus, version 0.0.4.
  func text(running: Int, waiting: Int, openings: Int, blocks: (bytes: Int, drawn: Int)) -> String {
    let counts = counts.withLock { $0 }
    var lines = ["# TYPE mapstate_requests_total counter"]
    for (status, count) in counts.byStatus.sorted(by: { $0.key < $1.key }) {
      lines.append("mapstate_requests_total{status=\"\(status)\"} \(count)")
    }
    lines += [
      "# TYPE mapstate_request_seconds_total counter", "mapstate_request_seconds_total \(counts.seconds)",
      "# TYPE mapstate_response_bytes_total counter", "mapstate_response_bytes_total \(counts.bytes)",
      "# TYPE mapstate_documents_opened_total counter", "mapstate_documents_opened_total \(openings)",
      "# TYPE mapstate_tile_blocks_drawn_total counter", "mapstate_tile_blocks_drawn_total \(blocks.drawn)",
      "# TYPE mapstate_tile_bytes_kept gauge", "mapstate_tile_bytes_kept \(blocks.bytes)",
      "# TYPE mapstate_requests_running gauge", "mapstate_requests_running \(running)",
      "# TYPE mapstate_requests_waiting gauge", "mapstate_requests_waiting \(waiting)",
    ]
    return lines.map { $0 + "\n" }.joined()
  }
}
