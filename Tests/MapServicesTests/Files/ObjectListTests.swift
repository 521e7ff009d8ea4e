import Foundation
import MapServices
import MapTestSupport
import Testing

@Suite("Lists of objects")
struct ObjectListTests {
  private let server: RangeServer

  init() throws {
    server = try RangeServer()
    let parts = server.folder.appendingPathComponent("a b")
    try FileManager.default.createDirectory(at: parts, withIntermediateDirectories: true)
    for index in 0..<5 {
      try Data(count: index).write(to: parts.appendingPathComponent("part+\(index).parquet"))
    }
    _ = try server.write(10, to: "other.bin")
  }

  private func objects(
    _ mode: String, below prefix: String, _ form: ObjectList.Form
  ) async throws -> [ListedObject] {
    try await ObjectList.objects(
      of: "\(server.server.address)/\(mode)/maps", below: prefix, form: form,
      client: FaultyServer.network(seconds: 600))
  }

  @Test("All pages are read, and keys have their characters", arguments: [ObjectList.Form.s3, .azure])
  func pages(form: ObjectList.Form) async throws {
    let objects = try await objects("ranges", below: "a b/", form)
    #expect(objects.map(\.key) == (0..<5).map { "a b/part+\($0).parquet" })
    #expect(objects.map(\.size) == Array(0..<5))
    #expect(objects.allSatisfy { $0.tag == "\"v1\"" })
    #expect(try await server.requests().count == 3)
    #expect(try await self.objects("ranges", below: "none/", form).isEmpty)
  }

  @Test(
    "A list that never ends, and an answer without a list, are errors",
    arguments: [
      ("repeated", "repeats a page"), ("unlisted", "no list of objects"), ("denied", "403 (AccessDenied)"),
    ])
  func faults(mode: String, words: String) async throws {
    for form in [ObjectList.Form.s3, .azure] {
      let error = await #expect(throws: ServiceError.self) { try await objects(mode, below: "a b/", form) }
      #expect(error?.reason.contains(words) == true, "\(String(describing: error))")
    }
  }

  @Test("A file of a list is read without a first request, and one that has changed since is an error")
  func listed() async throws {
    let bytes = try server.write(200_000, to: "large.bin")
    let url = "\(server.server.address)/ranges/maps/large.bin"
    func file(size: Int) -> ServedFile {
      let transfer = FileTransfer(
        client: FaultyServer.network(seconds: 600, bytes: 1 << 24), url: url, place: url,
        budget: FetchBudget(limit: 1 << 24), report: nil)
      return ServedFile(transfer, listed: ListedObject(key: "large.bin", size: size, tag: "\"v1\""))
    }
    let whole = file(size: 200_000)
    try await ServedFile.fetchEnds(of: [whole], count: 1000)
    #expect(try whole.bytes(199_500..<200_000) == Array(bytes[199_500...]))
    #expect(try await server.requests().map(\.range) == ["bytes=199000-199999"])
    let other = file(size: 100_000)
    let error = #expect(throws: ServiceError.self) { try other.bytes(0..<10) }
    #expect(error?.isOfChangedFile == true, "\(String(describing: error))")
  }
}
