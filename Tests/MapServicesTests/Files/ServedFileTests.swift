import Foundation
import MapServices
import MapTestSupport
import Synchronization
import Testing

@Suite("Files by byte ranges")
struct ServedFileTests {
  private let server: RangeServer
  private let bytes: [UInt8]

  init() throws {
    server = try RangeServer()
    bytes = try server.write(1_000_000, to: "data.bin")
  }

  @Test("A small file takes one request, and a missing or empty file is no hang")
  func small() async throws {
    let small = try server.write(5000, to: "small.bin")
    _ = try server.write(0, to: "empty.bin")
    for (name, expected) in [("small", small), ("empty", [])] {
      guard case .whole(let whole, _) = try await server.open("/ranges/\(name).bin") else {
        Issue.record("\(name) was not fetched whole")
        continue
      }
      #expect(whole == expected)
    }
    let requests = try await server.requests()
    #expect(requests.map(\.range) == ["bytes=0-65535", "bytes=0-65535"])
    await #expect(throws: ServiceError.self) { try await server.open("/ranges/none.bin") }
  }

  @Test("A Parquet file is opened by its last bytes, which are not fetched again")
  func lastBytes() async throws {
    let parquet = try server.write(1_000_000, ending: "PAR1", to: "data.parquet")
    guard case .parts(let file) = try await server.open("/ranges/data.parquet", asking: .end) else {
      Issue.record("the file was fetched whole")
      return
    }
    #expect(file.size == 1_000_000 && file.isParquet)
    for range in [934_464..<1_000_000, 999_990..<1_000_000, 4..<100] {
      #expect(try file.bytes(range) == Array(parquet[range]))
    }
    let requests = try await server.requests()
    #expect(requests.map(\.range) == ["bytes=-65536", "bytes=4-16387"])
    #expect(requests.reduce(0) { $0 + $1.sent } == 65_536 + 16_384)
    // Files that fit into the first request.
    let small = try server.write(5000, ending: "PAR1", to: "small.parquet")
    _ = try server.write(0, to: "empty.parquet")
    for (name, expected) in [("small", small), ("empty", [])] {
      guard case .whole(let whole, true) = try await server.open("/ranges/\(name).parquet", asking: .end)
      else {
        Issue.record("\(name) was not fetched whole")
        continue
      }
      #expect(whole == expected)
    }
    #expect(try await server.requests().map(\.range) == ["bytes=-65536", "bytes=-65536"])
  }

  @Test(
    "A file whose last bytes are no footer, or are not given, is asked for its first bytes",
    arguments: ["ranges/data.bin", "azure/p.parquet", "reversed/p.parquet", "refusing/p.parquet"])
  func withoutLastBytes(path: String) async throws {
    _ = try server.write(1_000_000, ending: "PAR1", to: "p.parquet")
    guard case .parts(let file) = try await server.open("/\(path)", asking: .end) else {
      Issue.record("the file was fetched whole")
      return
    }
    #expect(file.head.count == 65_536 && file.size == 1_000_000)
    #expect(try await server.requests().map(\.range) == ["bytes=-65536", "bytes=0-65535"])
  }

  @Test("A server without byte ranges sends a Parquet file whole, within the limit")
  func wholeParquet() async throws {
    let parquet = try server.write(1_000_000, ending: "PAR1", to: "p.parquet")
    guard case .whole(let whole, false) = try await server.open("/whole/p.parquet", asking: .end) else {
      Issue.record("the file was not fetched whole")
      return
    }
    #expect(whole == parquet)
    let error = await #expect(throws: ServiceError.self) {
      try await server.open("/whole/p.parquet", limit: 100_000, asking: .end)
    }
    #expect(error?.reason.contains("no byte ranges") == true, "\(String(describing: error))")
    let denied = await #expect(throws: ServiceError.self) {
      try await server.open("/denied/p.parquet", asking: .end)
    }
    #expect(denied?.reason.contains("403 (AccessDenied)") == true, "\(String(describing: denied))")
  }

  @Test("Announced ranges are merged, fetched together, and read without further requests")
  func announced() async throws {
    let file = try await server.parts("/ranges/data.bin")
    #expect(file.size == 1_000_000)
    let ranges = [
      500_000..<500_040, 520_000..<520_100, 800_000..<800_001, 10..<20, 60_000..<70_000,
    ]
    try file.announce(ranges)
    for range in ranges { #expect(try file.bytes(range) == Array(bytes[range])) }
    let requests = try await server.requests()
    // The first bytes were fetched when the file was opened.
    #expect(
      requests.compactMap(\.range).sorted() == [
        "bytes=0-65535", "bytes=500000-520099", "bytes=65536-69999", "bytes=800000-800000",
      ])
    #expect(requests.reduce(0) { $0 + $1.sent } == 65_536 + 20_100 + 4464 + 1)
  }

  @Test("Ranges that follow each other are read ahead, and others are not")
  func readAhead() async throws {
    let file = try await server.parts("/ranges/data.bin")
    #expect(try file.bytes(900_000..<900_010) == Array(bytes[900_000..<900_010]))
    var place = 200_000
    while place < 700_000 {
      #expect(try file.bytes(place..<place + 5000) == Array(bytes[place..<place + 5000]))
      place += 5000
    }
    let requests = try await server.requests()
    #expect(requests.dropFirst().first?.range == "bytes=900000-916383")
    // One hundred ranges take few requests, each about twice the one before.
    #expect(requests.count < 14, "\(requests.map { $0.range ?? "" })")
    #expect(requests.reduce(0) { $0 + $1.sent } < 1_000_000)
  }

  @Test("The whole file is passed on in order, within the limit")
  func whole() async throws {
    let file = try await server.parts("/ranges/data.bin")
    var read: [UInt8] = []
    let progress = Mutex<[Int]>([])
    try await file.pass { count in
      progress.withLock { $0.append(count) }
    } to: {
      read += $0
    }
    #expect(read == bytes)
    #expect(progress.withLock { $0 } == [1_000_000])
    let limited = try await server.parts("/ranges/data.bin", limit: 500_000)
    let error = await #expect(throws: ServiceError.self) {
      try await limited.pass { _ in
      } to: { _ in
      }
    }
    #expect(error?.reason.contains("--max-download") == true, "\(String(describing: error))")
    #expect(throws: ServiceError.self) { try limited.bytes(0..<600_000) }
  }

  /// A fault of the server, and the words of its error, for requests after the first.
  @Test(
    "A fault of a server is an error that names it",
    arguments: [
      ("changing", "changed"), ("shrinking", "changed"), ("shifted", "was asked for bytes"),
      ("short", "connection ended"), ("lying", "sent"), ("long", "larger than"), ("late", "whole file"),
      ("broken", "500"),
    ])
  func faults(mode: String, words: String) async throws {
    let file = try await server.parts("/\(mode)/data.bin")
    let error = #expect(throws: ServiceError.self) { try file.bytes(700_000..<700_100) }
    #expect(error?.reason.contains(words) == true, "\(String(describing: error))")
    // Bytes of one version may still be read.
    #expect(try file.bytes(0..<10) == Array(bytes[0..<10]))
  }

  @Test(
    "A file that cannot be opened is an error that names the cause",
    arguments: [
      ("loop", "redirects more than 10 times"), ("page", "web page"), ("huge", "valid size"),
      ("star", "valid size"), ("unplaced", "Content-Range"), ("denied", "403 (AccessDenied)"),
      ("region", "AWS_REGION=eu-west-1"),
    ])
  func unopened(mode: String, words: String) async throws {
    let error = await #expect(throws: ServiceError.self) { try await server.open("/\(mode)/data.bin") }
    #expect(error?.reason.contains(words) == true, "\(String(describing: error))")
  }

  @Test("A server without byte ranges sends the whole file, within the limit")
  func withoutRanges() async throws {
    guard case .whole(let whole, _) = try await server.open("/whole/data.bin") else {
      Issue.record("the file was not fetched whole")
      return
    }
    #expect(whole == bytes)
    let error = await #expect(throws: ServiceError.self) {
      try await server.open("/whole/data.bin", limit: 100_000)
    }
    #expect(error?.reason.contains("no byte ranges") == true, "\(String(describing: error))")
    #expect(error?.reason.contains("--max-download") == true, "\(String(describing: error))")
  }

  @Test("A redirect leads to the file, and a file without a tag is read")
  func redirected() async throws {
    for mode in ["moved", "untagged"] {
      let file = try await server.parts("/\(mode)/data.bin")
      #expect(try file.bytes(300_000..<300_010) == Array(bytes[300_000..<300_010]))
      #expect(try file.bytes(600_000..<600_010) == Array(bytes[600_000..<600_010]))
      // Later parts are asked at the address to which the first request led.
      let paths = try await server.requests().map(\.path)
      #expect(
        paths
          == (mode == "moved"
            ? ["/moved/data.bin"] + Array(repeating: "/ranges/data.bin", count: 3)
            : Array(repeating: "/untagged/data.bin", count: 3)))
    }
  }

  @Test("A file whose redirect leads elsewhere later is found again")
  func expiredRedirect() async throws {
    let file = try await server.parts("/expiring/data.bin")
    for start in [200_000, 400_000, 600_000] {
      #expect(try file.bytes(start..<start + 10) == Array(bytes[start..<start + 10]))
    }
    let paths = try await server.requests().map(\.path)
    #expect(paths.count { $0.hasPrefix("/expiring") } > 1, "\(paths)")
  }

  @Test("A cancelled task ends the wait for a slow server, and a range outside of the file is an error")
  func slow() async throws {
    let file = try await server.parts("/ranges/data.bin")
    #expect(throws: ServiceError.self) { try file.bytes(-1..<5) }
    let task = Task { try await server.open("/slow/data.bin") }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    let error = await #expect(throws: ServiceError.self) { try await task.value }
    #expect(error?.kind == .cancelled, "\(String(describing: error))")
  }

  @Test("Each request is reported, with the requests and bytes so far")
  func reported() async throws {
    let lines = Mutex<[String]>([])
    guard
      case .parts(let file) = try await server.open(
        "/ranges/data.bin", report: { line in lines.withLock { $0.append(line) } })
    else { return }
    try file.announce([200_000..<200_100, 700_000..<700_100])
    #expect(
      lines.withLock { $0 }.map { $0.split(separator: ": ").last.map { String($0) } } == [
        "bytes 0-65535, 64 KB; in all 1 request, 64 KB of 976.6 KB",
        "2 ranges, 200 bytes; in all 3 requests, 64.2 KB of 976.6 KB",
      ])
  }
}
