import MapServices
import Testing

/// The error that users see for each fault of a Web Feature Service.
@Suite struct WFSFaultTests {
  struct Fault: CustomTestStringConvertible, Sendable {
    /// The value of `request` whose answer is replaced.
    let request: String
    let line: String
    var status = 200
    var type = "text/xml"
    let body: String

    var testDescription: String { line }
  }

  static let faults = [
    Fault(
      request: "GetFeature",
      line: "answered with status 200 but an error: NoApplicableCode: the table is away",
      body: WFSStub.exception("the table\n is away", code: "NoApplicableCode")),
    Fault(
      request: "GetFeature", line: "answered 400: InvalidParameterValue: no such type", status: 400,
      body: WFSStub.exception("no such type")),
    Fault(request: "GetFeature", line: "answered 500", status: 500, type: "text/plain", body: "down"),
    Fault(
      request: "GetFeature", line: "answered with a web page, but features were requested", type: "text/html",
      body: "<!DOCTYPE html><html><body>Sign in</body></html>"),
    Fault(request: "GetFeature", line: "answered without content", body: " \n"),
    Fault(
      request: "GetFeature",
      line: "answered with GML that cannot be read: line 1, column 30: the file ends within the element "
        + "<wfs:FeatureCollection>",
      body: "<wfs:FeatureCollection a='1'>"),
    Fault(
      request: "GetFeature",
      line: "stopped in the middle of its answer: NoApplicableCode: the connection to the database broke",
      body: """
        <wfs:FeatureCollection numberMatched="5" numberReturned="0"><wfs:truncatedResponse>
        \(WFSStub.exception("the connection to the database broke", code: "NoApplicableCode").drop { $0 != ">" }.dropFirst())
        </wfs:truncatedResponse></wfs:FeatureCollection>
        """),
    Fault(
      request: "GetFeature", line: "answered with 0 features on a page that states 3",
      body: "<wfs:FeatureCollection numberMatched=\"5\" numberReturned=\"3\"/>"),
    Fault(
      request: "GetCapabilities", line: "answers as WFS 1.0.0; 2.0 and 1.1 are read",
      body: "<WFS_Capabilities version=\"1.0.0\"/>"),
    Fault(
      request: "GetCapabilities",
      line: "answered with <WMS_Capabilities>, not with the capabilities of a WFS",
      body: "<WMS_Capabilities version=\"1.3.0\"/>"),
    Fault(
      request: "DescribeFeatureType", line: "answered with a web page, but a schema was requested",
      body: "<html></html>"),
  ]

  @Test("Each fault is an error of one line with the address", arguments: faults)
  func lines(_ fault: Fault) async throws {
    var settings = WFSStub.Settings()
    settings.json = ""
    settings.change = { parameters, response in
      guard parameters["request"] == fault.request else { return nil }
      return WFSStub.xml(fault.body, status: fault.status, type: fault.type, at: response.url)
    }
    let error = await #expect(throws: ServiceError.self) { _ = try await WFSStub(settings).opened() }
    #expect(error?.description == "\(WFSStub.root): \(fault.line)")
  }
}
