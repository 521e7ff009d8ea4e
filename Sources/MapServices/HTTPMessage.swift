/// A question to a service, without secrets: those are added on the last step of its way.
public struct HTTPRequest: Hashable, Sendable {
  /// How it is asked.
  public enum Method: String, Hashable, Sendable {
    case get = "GET"
    case post = "POST"
  }

  /// How it is asked.
  public let method: Method
  /// The address, percent-encoded, with its query.
  public let url: String
  /// Fields of the header, beside those that every request has.
  public var header: [String: String] = [:]
  /// What is sent; empty for `GET`.
  public let body: [UInt8]

  /// Asks for an address, with parameters added to those that it has.
  public init(get url: String, _ parameters: [(name: String, value: String)] = []) {
    let separator = url.contains("?") ? "&" : "?"
    self.url = parameters.isEmpty ? url : url + separator + Self.form(parameters)
    (method, body) = (.get, [])
  }

  /// Sends parameters as a form, for questions that are too long for an address.
  public init(post url: String, _ parameters: [(name: String, value: String)]) {
    (self.url, method, body) = (url, .post, Array(Self.form(parameters).utf8))
    header = ["Content-Type": "application/x-www-form-urlencoded"]
  }

  /// Names and values as a form has them.
  ///
  /// - Source: RFC 3986, 2.3, what is unreserved; a blank is `%20`, which forms and addresses both read.
  private static func form(_ parameters: [(name: String, value: String)]) -> String {
    parameters.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&")
  }

  private static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }
}

/// A service's answer, whatever its status.
public struct HTTPResponse: Hashable, Sendable {
  /// The status, 200 for a good answer.
  public let status: Int
  /// The fields of the header by name in lower case; of several the last.
  public let header: [String: String]
  /// The content, unpacked.
  public let body: [UInt8]
  /// Where it came from after redirects, against which links are resolved.
  public let url: String

  /// An answer.
  public init(status: Int, header: [String: String], body: [UInt8], url: String) {
    (self.status, self.header, self.body, self.url) = (status, header, body, url)
  }
}
