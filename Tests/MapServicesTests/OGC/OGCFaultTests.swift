import MapFeatures
import MapServices
import MapTestSupport
import Testing

/// The error that users see for each fault of a service: one line with the address and the fault.
@Suite struct OGCFaultTests {
  struct Fault: CustomTestStringConvertible, Sendable {
    let name: String
    /// The message, without the address of the stub before it.
    let line: String
    var feature = #""n":1"#
    var count = 1500
    /// The end of the address whose answer is replaced.
    let at: String
    let change: @Sendable (HTTPResponse) -> HTTPResponse

    init(
      _ name: String, at: String, _ line: String, change: @escaping @Sendable (HTTPResponse) -> HTTPResponse
    ) {
      (self.name, self.at, self.line, self.change) = (name, at, line, change)
    }

    /// An answer with a part of its text replaced.
    init(_ name: String, at: String, _ line: String, replacing part: String, by other: String) {
      self.init(name, at: at, line) { response in
        let text = String(decoding: response.body, as: UTF8.self)
        return OGCStub.response(text.replacing(part, with: other), at: response.url)
      }
    }

    /// A different answer.
    init(
      _ name: String, at: String, _ line: String, status: Int = 200, type: String = "application/json",
      body: String
    ) {
      self.init(name, at: at, line) { OGCStub.response(body, status: status, type: type, at: $0.url) }
    }

    var testDescription: String { name }
  }

  private static let items = "/collections/places/items"
  private static let second = "offset=1000"

  static let faults: [Fault] = [
    Fault(
      "problem", at: items, "\(items): answered 500: Internal error: the database is away", status: 500,
      type: "application/problem+json",
      body: #"{"title":"Internal error","status":500,"detail":"the database\n is away"}"#),
    Fault(
      "code and description", at: "/places", "/collections/places: answered 403: Forbidden: not for you",
      status: 403,
      body: #"{"code":"Forbidden","description":"not for you"}"#),
    Fault(
      "no such collection", at: "/places", "/collections: has no collection \"places\"; available: roads",
      status: 404, body: ""),
    Fault("bare status", at: items, "\(items): answered 503", status: 503, type: "text/plain", body: "down"),
    Fault(
      "page for people", at: items, "\(items): answered with a web page, but JSON was requested",
      type: "text/html", body: "<!DOCTYPE html><html></html>"),
    Fault(
      "landing page for people", at: "/ogc", ": answered with a web page, but JSON was requested",
      body: "  <html></html>"),
    Fault("nothing", at: items, "\(items): answered without content", body: " \n"),
    Fault(
      "garbage", at: items,
      "\(items): answered with invalid JSON: line 1, column 1: expected a value, found \"g\"",
      body: "garbage"),
    Fault(
      "cut off", at: items,
      "\(items): answered with invalid JSON: line 1, column 41: the text ends inside a JSON value",
      body: #"{"type":"FeatureCollection","features":["#),
    Fault(
      "error as if good", at: items, "\(items): answered with status 200 but an error: Oops: no index",
      body: #"{"code":"Oops","description":"no index"}"#),
    Fault(
      "no features", at: items, "\(items): answered without the array \"features\"",
      body: #"{"type":"Feature"}"#),
    Fault(
      "features no array", at: items, "\(items): answered without the array \"features\"",
      body: #"{"features":{}}"#),
    Fault(
      "next page for people", at: items, "\(items): its next page is a web page, not data",
      replacing: #"offset=1000","type":"application/geo+json""#, by: #"offset=1000","type":"text/html""#),
    Fault(
      "fewer than said", at: second, "\(items): stated 1500 matching features, but sent 1499"
    ) { response in
      let lost =
        #"{"type":"Feature","id":1500,"properties":{"n":1},"geometry":{"type":"Point","coordinates":[10.0,50.0]}}"#
      let text = String(decoding: response.body, as: UTF8.self).replacing("," + lost, with: "")
      return OGCStub.response(text.replacing("Returned\":500", with: "Returned\":499"), at: response.url)
    },
    Fault(
      "page says another number", at: second,
      "\(items): answered with 500 features on a page that states 400",
      replacing: #""numberReturned":500"#,
      by: #""numberReturned":400"#),
    Fault(
      "another number on a later page", at: second,
      "\(items): stated 1500 matching features, and 1499 on a later page: the data changed while being read",
      replacing: #""numberMatched":1500"#, by: #""numberMatched":1499"#),
    Fault(
      "more than said", at: items, "\(items): stated 700 matching features, but sent 1000",
      replacing: #""numberMatched":1500"#, by: #""numberMatched":700"#),
    Fault(
      "a feature twice", at: second, "\(items): sent the feature 1000 twice", replacing: #""id":1001,"#,
      by: #""id":1000,"#),
    Fault(
      "no id", at: second, "\(items): sends features without an id, which is needed to distinguish them",
      replacing: #""id":1001,"#, by: ""),
    Fault(
      "next leads back", at: second, "\(items): its link to the next page leads back to a page already read",
      replacing: #""links":[]"#, by: #""links":[{"rel":"next","href":"items?limit=10000&offset=1000"}]"#),
    Fault(
      "next leads to http", at: items,
      "\(items): its link \"next\" leads to http://api.example: links to other hosts are only followed over https",
      replacing: #""href":"items?limit=10000&offset=1000""#, by: #""href":"http://api.example/ogc/more""#),
    Fault(
      "next is no address", at: items, "file:///etc/passwd: is neither http nor https",
      replacing: #""href":"items?limit=10000&offset=1000""#, by: #""href":"file:///etc/passwd""#),
    Fault(
      "coordinate", at: second,
      "\(items): sent a feature that cannot be read: a position needs two numbers, found one",
      replacing: "[10.0,50.0]",
      by: "[10]"),
    Fault(
      "mixed kinds", at: second,
      "\(items): sent features that do not fit in one table: a polyline among points: a table holds one kind of geometry, so split the data by kind",
      replacing: "\"Point\",\"coordinates\":[10.0,50.0]",
      by: "\"LineString\",\"coordinates\":[[1,2],[3,4]]"),
    Fault(
      "another reference", at: items,
      "\(items): answered in the spatial reference http://www.opengis.net/def/crs/EPSG/0/25832, but http://www.opengis.net/def/crs/OGC/1.3/CRS84 was requested"
    ) {
      HTTPResponse(
        status: 200, header: ["content-crs": "<http://www.opengis.net/def/crs/EPSG/0/25832>"], body: $0.body,
        url: $0.url)
    },
    Fault(
      "not a collection", at: "/places",
      "/collections/places: answered with JSON that describes no collection",
      body: "[]"),
  ]

  @Test("Each fault of an OGC server is a one-line error as documented", arguments: faults)
  func isOneLine(_ fault: Fault) async throws {
    var settings = OGCStub.Settings()
    settings.features = (1...fault.count).map { OGCStub.feature("\($0)", fault.feature) }
    settings.change = { request, response in
      request.url.split(separator: "?")[0].hasSuffix(fault.at) && !request.url.contains(Self.second)
        || request.url.hasSuffix(fault.at) ? fault.change(response) : nil
    }
    if fault.name == "no such collection" {
      settings.change = { request, response in
        if request.url.hasSuffix("/places") { return fault.change(response) }
        return request.url.hasSuffix("/collections")
          ? OGCStub.response(#"{"collections":[{"id":"roads"}]}"#, at: request.url) : nil
      }
    }
    let stub = OGCStub(settings)
    do {
      _ = try await stub.opened()
      Issue.record("no error")
    } catch {
      let line = "\(error)"
      #expect(line == (fault.line.hasPrefix("file:") ? "" : OGCStub.root) + fault.line)
      #expect(!line.contains("\n"))
    }
  }

  @Test("The fault table has 26 rows")
  func theTableIsRead() { #expect(Self.faults.count == 26) }

  @Test("A hundred empty pages in a row are an error")
  func endlessEmptyPagesEnd() async throws {
    var settings = OGCStub.Settings()
    settings.change = { request, _ in
      guard request.url.contains("/items") else { return nil }
      let number = request.url.split(separator: "=").last.flatMap { Int($0) } ?? 0
      return OGCStub.response(
        #"{"features":[],"links":[{"rel":"next","href":"items?page=\#(number + 1)"}]}"#, at: request.url)
    }
    let stub = OGCStub(settings)
    await #expect(
      throws: ServiceError(
        "sent 100 empty pages in a row", at: OGCStub.root + Self.items)
    ) {
      try await stub.opened()
    }
    #expect(stub.requests.count < 120)
  }

  @Test("Pages of one feature without end are an error")
  func endlessSmallPages() async throws {
    var settings = OGCStub.Settings()
    settings.change = { request, _ in
      guard request.url.contains("/items") else { return nil }
      let number = Int(request.url.split(separator: "=").last ?? "") ?? 0
      return OGCStub.response(
        #"{"features":[\#(OGCStub.feature("\(number)"))],"links":[{"rel":"next","href":"items?page=\#(number + 1)"}]}"#,
        at: request.url)
    }
    let stub = OGCStub(settings)
    let error = await #expect(throws: ServiceError.self) { try await stub.opened() }
    #expect(error?.reason == "sent only 1000 features on 1000 pages, and names more")
    #expect(stub.requests.count < 1020)
  }

  @Test("A page of millions of features without members is refused before it is stored")
  func smallFeatures() async throws {
    var settings = OGCStub.Settings()
    let features = (0..<20_000).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    settings.change = { request, _ in
      request.url.contains("/items")
        ? OGCStub.response(#"{"features":[\#(features)]}"#, at: request.url) : nil
    }
    let error = await #expect(throws: ServiceError.self) { try await OGCStub(settings).opened() }
    #expect(error?.reason.contains("features of less than 40 bytes") == true, "\(error?.reason ?? "")")
  }

  @Test("Fetching more features than the limit is an error")
  func featuresHaveALimit() async throws {
    var settings = OGCStub.Settings()
    settings.features = OGCStub.features(2500)
    var limits = ServiceLimits()
    limits.features = 1500
    let client = ServiceClient(transport: OGCStub(settings), limits: limits)
    await #expect(
      throws: ServiceError(
        "has more features than the limit of 1500", at: OGCStub.root + Self.items)
    ) {
      try await OGCFeatureCollection.open(OGCStub.root + "/collections/places", client: client)
    }
  }

  @Test("Damaged pages give an error or an answer and never trap")
  func damagedPagesNeverTrap() async throws {
    var generator = SeededGenerator(seed: 7)
    let page =
      #"{"type":"FeatureCollection","features":[\#(OGCStub.feature("1", #""a":1,"b":"x""#)),\#(OGCStub.feature("2", #""a":2.5,"b":null"#, at: nil))],"numberMatched":2,"numberReturned":2,"links":[{"rel":"next","href":"items?p=1"}]}"#
    let signs = Array(#"{}[]":,0-9.e\u"#.utf8)
    var (answers, errors) = (0, 0)
    for _ in 0..<3000 {
      var bytes = Array(page.utf8)
      for _ in 0...Int.random(in: 0..<4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[place] = signs[Int.random(in: 0..<signs.count, using: &generator)]
        case 2: bytes.remove(at: place)
        default: bytes.insert(bytes[place], at: place)
        }
      }
      let damaged = bytes
      var settings = OGCStub.Settings()
      settings.change = { request, _ in
        guard request.url.contains("/items") else { return nil }
        return request.url.contains("?p=")
          ? OGCStub.response(#"{"features":[]}"#, at: request.url)
          : HTTPResponse(status: 200, header: [:], body: damaged, url: request.url)
      }
      do {
        _ = try await OGCStub(settings).opened()
        answers += 1
      } catch { errors += 1 }
    }
    #expect(answers > 100, "\(answers) answers, \(errors) errors")
    #expect(errors > 1000, "\(answers) answers, \(errors) errors")
  }
}
