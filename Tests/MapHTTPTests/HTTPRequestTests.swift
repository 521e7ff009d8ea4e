import MapHTTP
import Testing

@Suite struct HTTPRequestTests {
  private static func read(_ head: String) throws(HTTPFault) -> HTTPRequest {
    try HTTPRequest(head: Array(head.replacing("\n", with: "\r\n").utf8))
  }

  @Test("A request has a decoded path, decoded parameters in order and headers in lower case")
  func reads() throws {
    let request = try Self.read(
      "GET /maps/world%20cities/image?size=10x20&where=a%3D%27b+c%27&where= HTTP/1.1\nHost: localhost:80\nACCEPT:  a \nAccept: b"
    )
    #expect(request.method == "GET")
    #expect(request.path == ["maps", "world cities", "image"])
    #expect(request.query.map(\.name) == ["size", "where", "where"])
    #expect(request.query.map(\.value) == ["10x20", "a='b c'", ""])
    #expect(request.headers == ["host": "localhost:80", "accept": "a, b"])
    #expect(request.keepsAlive)
  }

  @Test(
    "The connection stays open as HTTP/1.1 and the header say",
    arguments: [
      ("HTTP/1.1", "", true), ("HTTP/1.1", "close", false), ("HTTP/1.0", "", false),
      ("HTTP/1.0", "keep-alive", true),
    ])
  func keepsAlive(version: String, connection: String, expected: Bool) throws {
    let request = try Self.read(
      "GET / \(version)\nHost: a" + (connection.isEmpty ? "" : "\nConnection: \(connection)"))
    #expect(request.keepsAlive == expected)
  }

  /// A request that is refused, and its status.
  private static let refused: [(String, Int)] = [
    ("", 400), ("GET", 400), ("GET /", 400), ("GET  / HTTP/1.1", 400), ("GET / HTTP/1.1 x", 400),
    ("GE T / HTTP/1.1", 400), ("G(T / HTTP/1.1", 400), ("GET / HTTP/2.0", 505), ("GET / http/1.1", 505),
    ("GET http:///a HTTP/1.1", 400), ("GET * HTTP/1.1", 400), ("GET a HTTP/1.1", 400),
    ("GET /a#b HTTP/1.1", 400), ("GET /a\\b HTTP/1.1", 400), ("GET //a HTTP/1.1", 400),
    ("GET /a/ HTTP/1.1", 400), ("GET /a//b HTTP/1.1", 400), ("GET /../a HTTP/1.1", 400),
    ("GET /./a HTTP/1.1", 400), ("GET /%2e%2e/a HTTP/1.1", 400), ("GET /a%2fb HTTP/1.1", 400),
    ("GET /a%5cb HTTP/1.1", 400), ("GET /a%00 HTTP/1.1", 400), ("GET /a%0 HTTP/1.1", 400),
    ("GET /a%zz HTTP/1.1", 400), ("GET /%ff HTTP/1.1", 400), ("GET /%c0%ae HTTP/1.1", 400),
    ("GET /?a=%7f HTTP/1.1", 400), ("GET /?a=%1b HTTP/1.1", 400), ("GET /é HTTP/1.1", 400),
    ("GET / HTTP/1.1\nHost", 400), ("GET / HTTP/1.1\n: a", 400), ("GET / HTTP/1.1\nHost : a", 400),
    ("GET / HTTP/1.1\nHost: a\n b", 400), ("GET / HTTP/1.1\nHost: a\nHost: a", 400),
    ("GET / HTTP/1.1\nHost: a\nContent-Length: 1", 400), ("PUT / HTTP/1.1\nHost: a\nContent-Length: 1", 405),
    ("GET / HTTP/1.1\nHost: a\nContent-Length: 0\nContent-Length: 0", 400),
    ("GET / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked", 400),
    ("GET /?\(String(repeating: "a&", count: 101)) HTTP/1.1", 400),
  ]

  @Test("Malformed and ambiguous requests are refused")
  func refuses() {
    #expect(Self.refused.count == 40)
    for (head, status) in Self.refused {
      do throws(HTTPFault) {
        _ = try Self.read(head)
        Issue.record("accepted: \(head)")
      } catch {
        #expect(error.status == status, "\(head): \(error.message)")
      }
    }
  }

  @Test("The host of a target replaces that of the header")
  func absoluteForm() throws {
    for (target, path) in [("http://b:80", []), ("HTTP://b:80/", []), ("http://b:80/c?d=e", ["c"])] {
      let request = try Self.read("GET \(target) HTTP/1.1\nHost: a")
      #expect(request.path == path && request.headers["host"] == "b:80", "\(target)")
      #expect(request.query.map(\.name) == (path.isEmpty ? [] : ["d"]))
    }
  }

  @Test("A line that ends with only one of CR and LF is refused")
  func lineEnds() {
    for head in ["GET / HTTP/1.1\nHost: a", "GET / HTTP/1.1\rHost: a", "GET / HTTP/1.1\r\nA: b\nHost: a"] {
      #expect(throws: HTTPFault.self) { try HTTPRequest(head: Array(head.utf8)) }
    }
  }
}
