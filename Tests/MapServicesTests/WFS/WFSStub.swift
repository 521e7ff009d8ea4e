import MapFeatures
import MapFilter
import MapServices
import MapSystem
import Synchronization

/// An in-memory Web Feature Service, with the forms of answers that GeoServer and MapServer write.
final class WFSStub: HTTPTransport {
  static let root = "https://wfs.example/ows"

  /// A city of the stub.
  struct City: Sendable {
    let id: Int
    var name: String
    var rank: Int
    var x: Double
    var y: Double
  }

  struct Settings: Sendable {
    var cities = WFSStub.cities(25)
    var version = "2.0.0"
    /// The format of features besides GML; empty for none.
    var json = "application/json"
    /// The default spatial reference, and others.
    var references = ["urn:ogc:def:crs:EPSG::4326"]
    /// The greatest number of features of an answer.
    var cap = 1000
    /// Whether pages and answers to `hits` state the number of matching features.
    var pagesStateNumber = true
    var hitsStateNumber = true
    var pages = "TRUE"
    /// Whether the service follows `startIndex`.
    var startsAtIndex = true
    /// The id of a feature; nil for none.
    var id: @Sendable (City) -> String? = { "cities.\($0.id)" }
    /// The ids in GeoJSON.
    var hasJSONIDs = true
    /// The name of the spatial reference in GML answers, and whether their positions have north first.
    var answered = (name: "urn:ogc:def:crs:EPSG::4326", isNorthFirst: true)
    /// Whether boxes are taken as east first, against their spatial reference.
    var exchangesBoxes = false
    /// Whether filters are refused.
    var refusesFilters = false
    var bounds = "38 -2,92 52"
    /// Whether the schema declares the properties.
    var isDeclared = true
    /// Replaces an answer; nil keeps it.
    var change: @Sendable ([String: String], HTTPResponse) -> HTTPResponse? = { _, _ in nil }
  }

  let settings: Settings
  private let log = Mutex<[[String: String]]>([])

  init(_ settings: Settings = Settings()) { self.settings = settings }

  /// The parameters of all requests so far, with names in lower case.
  var requests: [[String: String]] { log.withLock { $0 } }

  /// Cities in a grid that no exchange of coordinates maps to itself, every fifth of rank 1.
  static func cities(_ count: Int) -> [City] {
    (0..<count).map { index in
      City(
        id: index + 1, name: "City \(index + 1)", rank: index % 5 + 1, x: Double(40 + index % 50),
        y: Double(index / 50))
    }
  }

  func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    var parameters: [String: String] = [:]
    for (name, value) in request.parameters { parameters[name.lowercased()] = value }
    log.withLock { $0.append(parameters) }
    let answer = answer(parameters, request.url)
    return settings.change(parameters, answer) ?? answer
  }

  static func xml(_ text: String, status: Int = 200, type: String = "text/xml", at url: String)
    -> HTTPResponse
  {
    HTTPResponse(status: status, header: ["content-type": type], body: Array(text.utf8), url: url)
  }

  static func exception(_ text: String, code: String = "InvalidParameterValue") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?><ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/1.1" version="2.0.0">
    <ows:Exception exceptionCode="\(code)"><ows:ExceptionText>\(text)</ows:ExceptionText></ows:Exception></ows:ExceptionReport>
    """
  }

  // MARK: Answers

  private func answer(_ parameters: [String: String], _ url: String) -> HTTPResponse {
    switch parameters["request"] {
    case "GetCapabilities": return Self.xml(capabilities, at: url)
    case "DescribeFeatureType": return Self.xml(schema, at: url)
    case "GetFeature": return features(parameters, url)
    default: return Self.xml(Self.exception("no request"), status: 400, at: url)
    }
  }

  private var capabilities: String {
    let isOld = settings.version.hasPrefix("1.")
    let name = isOld ? "SRS" : "CRS"
    let references = settings.references.enumerated().map { index, reference in
      "<\(index == 0 ? "Default" : "Other")\(name)>\(reference)</\(index == 0 ? "Default" : "Other")\(name)>"
    }
    let corners = settings.bounds.split(separator: ",")
    let bounds =
      corners.count == 2
      ? "<ows:WGS84BoundingBox><ows:LowerCorner>\(corners[0])</ows:LowerCorner><ows:UpperCorner>\(corners[1])</ows:UpperCorner></ows:WGS84BoundingBox>"
      : ""
    let comparisons = [
      "EqualTo", "NotEqualTo", "LessThan", "GreaterThan", "LessThanOrEqualTo", "GreaterThanOrEqualTo",
    ]
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <wfs:WFS_Capabilities xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:ows="http://www.opengis.net/ows/1.1"
        xmlns:fes="http://www.opengis.net/fes/2.0" version="\(settings.version)">
       <ows:OperationsMetadata><ows:Operation name="GetFeature"><ows:Parameter name="outputFormat"><ows:AllowedValues>
        <ows:Value>application/gml+xml; version=3.2</ows:Value>\(settings.json.isEmpty ? "" : "<ows:Value>\(settings.json)</ows:Value>")
        </ows:AllowedValues></ows:Parameter></ows:Operation>
        <ows:Constraint name="ImplementsResultPaging"><ows:NoValues/><ows:DefaultValue>\(settings.pages)</ows:DefaultValue></ows:Constraint>
       </ows:OperationsMetadata>
       <FeatureTypeList xmlns="http://www.opengis.net/wfs/2.0">
        <FeatureType><Name>x:cities</Name><Title>Cities</Title>\(references.joined())\(bounds)</FeatureType>
        <FeatureType><Name>x:roads</Name><Title>Roads</Title>\(references.joined())</FeatureType>
       </FeatureTypeList>
       <fes:Filter_Capabilities><fes:Scalar_Capabilities><fes:ComparisonOperators>
        \(comparisons.map { "<fes:ComparisonOperator name=\"PropertyIs\($0)\"/>" }.joined())
       </fes:ComparisonOperators></fes:Scalar_Capabilities></fes:Filter_Capabilities>
      </wfs:WFS_Capabilities>
      """
  }

  private var schema: String {
    let elements = """
      <xsd:element minOccurs="0" name="geom" type="gml:PointPropertyType"/>
      <xsd:element minOccurs="0" name="name"><xsd:simpleType><xsd:restriction base="xsd:string"><xsd:maxLength value="9"/></xsd:restriction></xsd:simpleType></xsd:element>
      <xsd:element minOccurs="0" name="rank" type="xsd:int"/>
      """
    return """
      <xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:x="urn:x" xmlns:gml="http://www.opengis.net/gml/3.2">
       <xsd:complexType name="citiesType"><xsd:complexContent><xsd:extension base="gml:AbstractFeatureType"><xsd:sequence>
        \(settings.isDeclared ? elements : "")
       </xsd:sequence></xsd:extension></xsd:complexContent></xsd:complexType>
       <xsd:element name="cities" substitutionGroup="gml:AbstractFeature" type="x:citiesType"/>
      </xsd:schema>
      """
  }

  private func features(_ parameters: [String: String], _ url: String) -> HTTPResponse {
    let isOld = settings.version.hasPrefix("1.")
    guard parameters[isOld ? "typename" : "typenames"] == "x:cities" else {
      return Self.xml(Self.exception("no such type"), status: 400, at: url)
    }
    if parameters["filter"] != nil, settings.refusesFilters {
      return Self.xml(
        Self.exception("a filter that is not supported", code: "OperationProcessingFailed"), at: url)
    }
    let found = settings.cities.filter { matches($0, parameters) }
    if parameters["resulttype"] == "hits" {
      let number = settings.hitsStateNumber ? "\(found.count)" : "unknown"
      let text = isOld ? "numberOfFeatures=\"\(number)\"" : "numberMatched=\"\(number)\" numberReturned=\"0\""
      return Self.xml(
        "<wfs:FeatureCollection xmlns:wfs=\"http://www.opengis.net/wfs/2.0\" \(text)/>", at: url)
    }
    let start = settings.startsAtIndex ? parameters["startindex"].flatMap { Int($0) } ?? 0 : 0
    let count = parameters[isOld ? "maxfeatures" : "count"].flatMap { Int($0) } ?? .max
    let page = Array(found.dropFirst(start).prefix(min(count, settings.cap)))
    return parameters["outputformat"] == settings.json && !settings.json.isEmpty
      ? json(page, of: found.count, url) : gml(page, of: found.count, isOld, url)
  }

  private func matches(_ city: City, _ parameters: [String: String]) -> Bool {
    if let filter = parameters["filter"] {
      // The filters of the tests: a rank, and a name, which the service compares without case.
      if let rank = filter.firstMatch(
        of: #/PropertyIsEqualTo.*rank</fes:ValueReference><fes:Literal>(\d+)</#),
        Int(rank.1) != city.rank
      {
        return false
      }
      if let name = filter.firstMatch(of: #/name</fes:ValueReference><fes:Literal>([^<]+)</#),
        name.1.lowercased() != city.name.lowercased()
      {
        return false
      }
    }
    guard let box = parameters["bbox"] else { return true }
    let numbers = box.split(separator: ",").compactMap { Double($0) }
    let isNorthFirst = box.hasSuffix("4326") && !settings.exchangesBoxes
    let (x, y) = isNorthFirst ? (city.y, city.x) : (city.x, city.y)
    return numbers.count == 4 && numbers[0] <= x && x <= numbers[2] && numbers[1] <= y && y <= numbers[3]
  }

  private func json(_ page: [City], of count: Int, _ url: String) -> HTTPResponse {
    let features = page.map { city in
      let id = settings.hasJSONIDs ? settings.id(city).map { "\"id\":\"\($0)\"," } ?? "" : ""
      return
        "{\"type\":\"Feature\",\(id)\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(city.x),\(city.y)]},\"properties\":{\"name\":\"\(city.name)\",\"rank\":\(city.rank)}}"
    }
    let numbers =
      settings.pagesStateNumber
      ? ",\"totalFeatures\":\(count),\"numberMatched\":\(count),\"numberReturned\":\(page.count)" : ""
    let crs = #","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::4326"}}"#
    return HTTPResponse(
      status: 200, header: ["content-type": "application/json"],
      body: Array(
        "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]\(numbers)\(crs)}"
          .utf8),
      url: url)
  }

  private func gml(_ page: [City], of count: Int, _ isOld: Bool, _ url: String) -> HTTPResponse {
    let members = page.map { city in
      let id = settings.id(city).map { " gml:id=\"\($0)\"" } ?? ""
      let (first, second) = settings.answered.isNorthFirst ? (city.y, city.x) : (city.x, city.y)
      let feature = """
        <x:cities\(id)><gml:boundedBy><gml:Envelope srsName="\(settings.answered.name)"><gml:lowerCorner>0 0</gml:lowerCorner>
        <gml:upperCorner>0 0</gml:upperCorner></gml:Envelope></gml:boundedBy>
        <x:geom><gml:Point srsName="\(settings.answered.name)" srsDimension="2"><gml:pos>\(first) \(second)</gml:pos></gml:Point></x:geom>
        <x:name>\(city.name)</x:name><x:rank>\(city.rank)</x:rank></x:cities>
        """
      return isOld ? feature : "<wfs:member>\(feature)</wfs:member>"
    }
    let number = settings.pagesStateNumber ? "\(count)" : "unknown"
    let numbers =
      isOld
      ? "numberOfFeatures=\"\(page.count)\"" : "numberMatched=\"\(number)\" numberReturned=\"\(page.count)\""
    let content = isOld ? "<gml:featureMembers>\(members.joined())</gml:featureMembers>" : members.joined()
    return Self.xml(
      """
      <?xml version="1.0" encoding="UTF-8"?><wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0"
       xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:x="urn:x" \(numbers)>\(content)</wfs:FeatureCollection>
      """, type: "application/gml+xml; version=3.2", at: url)
  }
}

extension WFSStub {
  /// The stub's type of features, opened.
  func opened(_ address: String = "\(root)?service=WFS#x:cities") async throws -> WFSFeatureType {
    try await WFSFeatureType.open(address, client: ServiceClient(transport: self))
  }

  /// The names of the features of a layer that match a query.
  static func names(_ layer: WFSFeatureType, _ query: FeatureQuery) async throws -> [String] {
    let found = try await layer.features(query)
    let place = found.schema.index(ofField: "name") ?? 0
    return (0..<found.rowCount).map { row in
      guard case .text(let text) = found.columns[place].value(at: row) else { return "" }
      return text
    }
  }
}
