import MapJSON

import MapJSON

/// The key of a request without its secrets: requests with equal keys get the same answer.
struct ExchangeKey: Hashable, Sendable {
  let method: String
  let url: String
  let form: String
  /// The field `Range`; empty for all of the content.
  let range: String

  init(method: String, url: String, form: String, range: String = "") {
    (self.method, self.url, self.form, self.range) = (method, url, form, range)
  }

  /// Returns the key of a request and the secrets that were removed from it.
  static func of(_ request: HTTPRequest) -> (key: ExchangeKey, secrets: [String]) {
    let (path, query) = split(request.url)
    let (clean, inQuery) = SecretNames.redacting(query)
    let (form, inForm) = SecretNames.redacting(String(decoding: request.body, as: UTF8.self))
    let key = ExchangeKey(
      method: request.method.rawValue, url: path + clean, form: form, range: request.rangeField ?? "")
    return (key, inQuery + inForm)
  }

  private static func split(_ url: String) -> (path: String, query: String) {
    guard let mark = url.firstIndex(of: "?") else { return (url, "") }
    return (String(url[...mark]), String(url[url.index(after: mark)...]))
  }

  /// The name of the exchange's files: host and path for users, and a number that distinguishes requests.
  ///
  /// - Source: the number is a 64-bit FNV-1a hash; equal numbers for two requests of one host and path are
  ///   practically impossible.
  var fileName: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    let text = "\(method) \(url) \(form)" + (range.isEmpty ? "" : " \(range)")
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    let words = url.split(separator: "?")[0].split(separator: "/").dropFirst().suffix(4).joined(
      separator: "-")
    let plain = words.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) ? $0 : "-" }
    return String(plain.suffix(80)) + "-" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The request with its parameters for an error message, limited in length.
  var summary: String {
    let query = url.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
    let asked = [query, form, range].filter { !$0.isEmpty }.joined(separator: " and ")
    return method + (asked.isEmpty ? "" : " " + (asked.count > 300 ? asked.prefix(300) + "…" : asked[...]))
  }
}

/// A request and its answer as files: `NAME.exchange.json`, and the body beside it as received.
struct ServiceExchange {
  static let suffix = ".exchange.json"

  let key: ExchangeKey
  let response: HTTPResponse
  /// The position among requests with the same key, from 1.
  let turn: Int

  /// The header fields that layers may read; others, such as cookies, may be secrets.
  static let fields = ["content-type", "content-crs", "link", "retry-after"]
  /// The header fields that readers of byte ranges need, too.
  static let rangeFields = ["content-range", "etag", "last-modified"]

  var bodyName: String {
    let type = response.header["content-type"]?.lowercased() ?? ""
    let kind =
      type.contains("json")
      ? "json" : type.contains("protobuf") ? "pbf" : type.contains("text") ? "txt" : "bin"
    return "\(key.fileName)-\(turn).body.\(kind)"
  }

  var name: String { "\(key.fileName)-\(turn)\(Self.suffix)" }

  /// The bytes of the exchange's JSON file.
  var json: [UInt8] {
    var object: JSONObject = ["method": .string(key.method), "url": .string(key.url)]
    if !key.form.isEmpty { object["form"] = .string(key.form) }
    if !key.range.isEmpty { object["range"] = .string(key.range) }
    var header = JSONObject()
    for name in Self.fields + (key.range.isEmpty ? [] : Self.rangeFields) {
      header[name] = response.header[name].map { .string($0) }
    }
    object["turn"] = .number(turn)
    object["status"] = .number(response.status)
    object["answeredAt"] = .string(ExchangeKey.of(HTTPRequest(get: response.url)).key.url)
    object["header"] = .object(header)
    object["body"] = .string(bodyName)
    return JSONValue.object(object).bytes(style: .pretty) + [0x0A]
  }
}
