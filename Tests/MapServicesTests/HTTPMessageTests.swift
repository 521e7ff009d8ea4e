import MapServices
import Testing

@Suite struct HTTPMessageTests {
  @Test("Query parameters are percent-encoded except unreserved characters")
  func parametersAreEncodedAsUnreservedBytes() {
    let request = HTTPRequest(
      get: "https://a.example/query?f=json", [("where", "NAME = 'Ä+b'"), ("x", "1~2")])
    #expect(request.url == "https://a.example/query?f=json&where=NAME%20%3D%20%27%C3%84%2Bb%27&x=1~2")
  }

  @Test(
    "A service error's address contains no query or credentials",
    arguments: [
      "https://a.example/q?token=secret", "https://user:pass@a.example/q#x", "https://user:pa/ss@a.example/q",
      "https://user:pa#ss@a.example/q?x",
    ])
  func errorsKeepNoSecret(url: String) {
    #expect("\(ServiceError("is down", at: url))" == "https://a.example/q: is down")
  }
}
