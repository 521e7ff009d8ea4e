import MapImages
import MapJSON
import MapModel
import MapServices
import MapState
import Testing

/// Faults of services of images: each is a warning, and the layer is left out.
@Suite struct ImageFaultTests {
  /// A fault of a server, and the warning.
  struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    let status: Int
    let body: [UInt8]
    let warning: String
    var testDescription: String { name }

    init(_ name: String, status: Int = 200, _ body: String, _ warning: String) {
      self.init(name, status: status, bytes: Array(body.utf8), warning)
    }

    init(_ name: String, status: Int = 200, bytes: [UInt8], _ warning: String) {
      (self.name, self.status, self.body, self.warning) = (name, status, bytes, warning)
    }
  }

  private static func png(_ width: Int, _ height: Int) throws -> [UInt8] {
    try Bitmap(width: width, height: height, pixels: [UInt8](repeating: 255, count: width * height * 4))
      .pngData()
  }

  static func faults() throws -> [Fault] {
    let whole = try png(200, 150)
    return [
      Fault("500", status: 500, "", "was answered with status 500"),
      Fault("404", status: 404, "<html>no</html>", "was answered with status 404"),
      Fault("empty", "", "is empty"),
      Fault("HTML", "<!DOCTYPE html><html><body>Sign in</body></html>", "is HTML, not an image"),
      Fault("text", "mapserv(): no map", "is not a PNG, JPEG or WebP image"),
      Fault(
        "GeoServer",
        """
        <?xml version="1.0" encoding="UTF-8" standalone="no"?><!DOCTYPE ServiceExceptionReport SYSTEM
        "https://gs.example.com/schemas/wms/1.1.1/WMS_exception_1_1_1.dtd"><ServiceExceptionReport version="1.1.1" >
        <ServiceException code="LayerNotDefined" locator="layers">
              Could not find layer topp:nothing
        </ServiceException></ServiceExceptionReport>
        """, "was refused: LayerNotDefined: Could not find layer topp:nothing"),
      Fault(
        "MapServer",
        """
        <?xml version='1.0' encoding="UTF-8"?><ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc">
        <ServiceException code="InvalidCRS">
        msWMSLoadGetMapParams(): WMS server error. Invalid CRS given : EPSG:1.
        </ServiceException></ServiceExceptionReport>
        """,
        "was refused: InvalidCRS: msWMSLoadGetMapParams(): WMS server error. Invalid CRS given : EPSG:1."),
      Fault(
        "OWS",
        """
        <ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/1.1"><ows:Exception exceptionCode="NoApplicableCode">
        <ows:ExceptionText>down &amp; out</ows:ExceptionText></ows:Exception></ows:ExceptionReport>
        """, "was refused: NoApplicableCode: down & out"),
      Fault(
        "ArcGIS", #"{"error":{"code":499,"message":"Token Required","details":["Sign in"]}}"#,
        "was refused: Token Required; Sign in"),
      Fault("other size", bytes: try png(100, 150), "is 100x150 pixels; expected 200x150"),
      Fault(
        "half", bytes: Array(whole.prefix(whole.count / 2)), "is not a readable PNG: the data end too early"),
      Fault("GIF", "GIF89a", "is not a PNG, JPEG or WebP image"),
    ]
  }

  @Test(
    "A wrong answer is a warning with its reason, and nothing of the layer is drawn", arguments: try faults())
  func answers(_ fault: Fault) async throws {
    let server = ImageServer { _ in
      HTTPResponse(status: fault.status, header: [:], body: fault.body, url: "")
    }
    let document = try await server.open(
      #"{"title":"A","layerType":"WMS","url":"https://a.example.com/wms?key=8c1f09d27e","visibleLayers":["x"]}"#
    )
    let drawn = try await ImageServer.draw(document)
    #expect(
      drawn.image.report.allWarnings == [
        "layer \"A\": https://a.example.com/wms: not drawn: the image \(fault.warning)"
      ])
    #expect(drawn.image.bitmap[100, 75].blue == 255)
  }

  @Test("One image of several that fails leaves out the layer")
  func partial() async throws {
    let server = ImageServer { parameters in
      parameters["WIDTH"] == "50" ? HTTPResponse(status: 503, header: [:], body: [], url: "") : nil
    }
    let document = try await server.open(
      #"{"title":"A","layerType":"WMS","url":"https://a.example.com/wms","visibleLayers":["x"],"maxWidth":150}"#
    )
    let drawn = try await ImageServer.draw(document)
    #expect(drawn.image.report.allWarnings.count == 1)
    #expect(drawn.image.bitmap[10, 75].blue == 255)
  }

  @Test("A transparent image inside the stated extent is reported")
  func transparent() async throws {
    let nothing = try Bitmap(width: 200, height: 150).pngData()
    let server = ImageServer { _ in HTTPResponse(status: 200, header: [:], body: nothing, url: "") }
    for (extent, count) in [("[[20,50],[30,70]]", 1), ("[[-20,-50],[0,0]]", 0), ("null", 0)] {
      let document = try await server.open(
        """
        {"title":"A","layerType":"WMS","url":"https://a.example.com/wms","visibleLayers":["x"],"extent":\(extent)}
        """)
      let warnings = try await ImageServer.draw(document).image.report.allWarnings
      #expect(warnings.count == count)
      #expect(warnings.allSatisfy { $0.contains("the image is transparent") })
    }
  }

  @Test(
    "A layer that can have no image is reported with its path",
    arguments: [
      (
        #""url":"https://a.example.com/wms""#,
        ": not drawn: https://a.example.com/wms: no layer of the service is named in"
      ),
      (#""url":"https://a.example.com/wms","visibleLayers":[]"#, "named in \"visibleLayers\""),
      (
        #""url":"https://a.example.com/wms","visibleLayers":["x"],"version":"2.0""#,
        "version \"2.0\" of WMS is not read"
      ),
      (#""visibleLayers":["x"]"#, ".url: missing: the layer is not drawn"),
    ])
  func members(_ members: String, _ expected: String) async throws {
    let document = try await ImageServer().open(#"{"title":"A","layerType":"WMS",\#(members)}"#)
    #expect(document.warnings.count == 1)
    #expect(document.warnings.allSatisfy { $0.description.hasPrefix("$.operationalLayers[0]") })
    #expect(document.warnings.allSatisfy { $0.description.contains(expected) }, "\(document.warnings)")
  }
}
