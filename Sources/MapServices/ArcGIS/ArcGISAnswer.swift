import MapJSON

/// The answer of an ArcGIS service, which may contain an error whatever its HTTP status.
struct ArcGISAnswer: Sendable {
  let response: HTTPResponse
  let url: String

  /// Returns the content as a JSON object.
  ///
  /// - Throws: ``ServiceError`` if the content reports an error, is a web page or is not a JSON object.
  func json() throws(ServiceError) -> JSONNode {
    let parsed = try? JSONValue(parsing: response.body)
    if let error = parsed?["error"] { throw fault(Self.reason(error)) }
    guard (200..<300).contains(response.status) else { throw fault("HTTP \(response.status)\(hint)") }
    if let parsed {
      guard parsed.object != nil else { throw malformed("expected an object, found \(parsed.kind.phrase)") }
      return JSONNode(parsed)
    }
    if isMarkup { throw fault("it answers with a web page\(title), not with JSON; it may ask to sign in") }
    do { _ = try JSONValue(parsing: response.body) } catch { throw malformed("no JSON: \(error)") }
    throw malformed("no JSON")
  }

  /// Returns the content as protocol buffers; a JSON answer is read as an error.
  func buffer() throws(ServiceError) -> [UInt8] {
    let isText = response.header["content-type"]?.contains("json") ?? false
    if isText || !(200..<300).contains(response.status) || response.body.first == UInt8(ascii: "{")
      || isMarkup
    {
      _ = try json()
      throw malformed("JSON, but protocol buffers were requested")
    }
    return response.body
  }

  /// Returns the error for a malformed answer.
  func malformed(_ reason: String) -> ServiceError { fault("its answer is malformed: \(reason)") }

  func fault(_ reason: String) -> ServiceError { ServiceError(reason.onOneLine(upTo: 500), at: url) }

  /// Runs a reader over the content, and translates its errors.
  func read<Value>(_ body: () throws(JSONDecodingError) -> Value) throws(ServiceError) -> Value {
    do { return try body() } catch {
      // An error about the whole document needs no path.
      if error.path == .root, case .invalid(let reason) = error.reason { throw fault(reason) }
      throw malformed("\(error)")
    }
  }

  // MARK: Errors

  /// Returns the text of an error object.
  ///
  /// - Source: ArcGIS REST API: `code`, `message`, `details`, each optional.
  private static func reason(_ error: JSONValue) -> String {
    let code = error["code"]?.integer
    var words: [String] = []
    if let message = error["message"]?.string { words.append(message) }
    for detail in error["details"]?.array?.compactMap(\.string) ?? [] where !words.contains(detail) {
      words.append(detail)
    }
    if let text = error.string { words.append(text) }
    let text = words.map { $0.onOneLine(upTo: 200) }.filter { !$0.isEmpty }.joined(separator: "; ")
    let number = code.map { "error \($0)" } ?? "an error"
    let answer = "it answers with \(number)\(text.isEmpty ? " without an explanation" : ": \(text)")"
    return switch code {
    case 498: "\(answer); the token is invalid or has expired; give another"
    case 499: "\(answer); give a token for its host in the file that MAPSTATE_CREDENTIALS names"
    default: answer
    }
  }

  private var hint: String {
    switch response.status {
    case 401, 403: "; it may need a token for this host"
    case 404: "; there is nothing at this address"
    default: isMarkup ? title : ""
    }
  }

  private var isMarkup: Bool {
    response.body.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) } == UInt8(ascii: "<")
  }

  /// The title of a web page, in quotes after a space; empty without one.
  private var title: String {
    let text = String(decoding: response.body.prefix(4096), as: UTF8.self)
    guard let start = text.firstRange(of: "<title>"),
      let end = text[start.upperBound...].firstRange(of: "</title>")
    else { return "" }
    let title = String(text[start.upperBound..<end.lowerBound]).onOneLine(upTo: 80)
    return title.isEmpty ? "" : " \"\(title)\""
  }
}

extension String {
  /// Returns the text with white space and control characters reduced to single spaces, cut with an ellipsis at
  /// `limit`.
  func onOneLine(upTo limit: Int) -> String {
    var scalars = String.UnicodeScalarView()
    var isAfterBlank = true
    for scalar in unicodeScalars {
      let isBlank =
        scalar.properties.isWhitespace || [.control, .format].contains(scalar.properties.generalCategory)
      if !isBlank { scalars.append(scalar) } else if !isAfterBlank { scalars.append(" ") }
      isAfterBlank = isBlank
      if scalars.count > limit { return String(scalars) + "…" }
    }
    if isAfterBlank, !scalars.isEmpty { scalars.removeLast() }
    return String(scalars)
  }
}
