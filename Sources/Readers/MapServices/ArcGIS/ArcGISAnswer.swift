import MapJSON
import Synchronization

/// The answer of an ArcGIS service, which may contain an error whatever its HTTP status.
struct ArcGISAnswer: Sendable {
  let response: HTTPResponse
  let url: String

  /// Returns the content as a JSON object.
  ///
  /// - Throws: ``ServiceError`` if the content reports an error, is a web page or is not a JSON object.
  func json() throws(ServiceError) -> JSONNode {
    let parsed: JSONValue?
    var fault: JSONSyntaxError?
    do throws(JSONSyntaxError) { parsed = try response.parsed() } catch { (parsed, fault) = (nil, error) }
    if let error = parsed?["error"] { throw self.fault(Self.reason(error)) }
    guard (200..<300).contains(response.status) else { throw self.fault("HTTP \(response.status)\(hint)") }
    if let parsed {
      guard parsed.object != nil else { throw malformed("expected an object, found \(parsed.kind.phrase)") }
      return JSONNode(parsed)
    }
    if isMarkup {
      throw self.fault("it answers with a web page\(title), not with JSON; it may ask to sign in")
    }
    throw malformed(fault.map { "no JSON: \($0)" } ?? "no JSON")
  }

  /// Returns the content as a JSON object, like ``json()``, but with one array empty whose elements are read in
  /// batches.
  ///
  /// The memory for the parsed values is that of one batch, whatever the length of the array.
  ///
  /// - Parameter read: Called with up to a thousand elements, each with its path.
  func json(
    inBatches name: String, _ read: ([JSONNode]) throws(JSONDecodingError) -> Void
  ) throws(ServiceError) -> JSONNode {
    var scanner = JSONScanner(response.body)
    guard (200..<300).contains(response.status), (try? scanner.peekKind()) == .object else {
      return try json()
    }
    var object = JSONObject()
    var fault: JSONDecodingError?
    do throws(JSONSyntaxError) {
      fault = try response.parsing { () throws(JSONSyntaxError) in
        try scanner.beginObject()
        while let token = try scanner.nextMember() {
          let member = token.text(in: scanner.bytes)
          guard object.index(of: member) == nil else {
            throw scanner.error(.duplicateMember(member), at: token.start - 1)
          }
          if member == name, try scanner.peekKind() == .array {
            object[member] = .array([])
            let fault = try batches(&scanner, at: JSONPath.root[name], read)
            guard fault == nil else { return fault }
          } else {
            object[member] = try scanner.readValue(limits: response.limits)
          }
        }
        guard scanner.isAtEnd() else { throw scanner.error(.trailingContent) }
        return nil
      }
    } catch {
      throw malformed("no JSON: \(error)")
    }
    if let error = JSONValue.object(object)["error"] { throw self.fault(Self.reason(error)) }
    return try self.read { () throws(JSONDecodingError) in
      if let fault { throw fault }
      return JSONNode(.object(object))
    }
  }

  /// Reads the elements of an array in batches, and returns the reader's error.
  private func batches(
    _ scanner: inout JSONScanner, at path: JSONPath, _ read: ([JSONNode]) throws(JSONDecodingError) -> Void
  ) throws(JSONSyntaxError) -> JSONDecodingError? {
    try scanner.beginArray()
    var (batch, count, start) = ([JSONNode](), 0, scanner.offset)
    while try scanner.nextElement() {
      batch.append(JSONNode(try scanner.readValue(limits: response.limits), at: path[count]))
      count += 1
      guard batch.count == 1000 || scanner.offset - start > 1 << 20 else { continue }
      do throws(JSONDecodingError) { try read(batch) } catch { return error }
      (batch, start) = ([], scanner.offset)
    }
    guard !batch.isEmpty else { return nil }
    do throws(JSONDecodingError) { try read(batch) } catch { return error }
    return nil
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

extension HTTPResponse {
  /// The limits on values parsed from this answer: at most 96 MiB, which a polygon of 300,000 vertices needs.
  ///
  /// - Source: design decision; with the bytes of all answers, a layer stays near 300 MB.
  var limits: JSONLimits { JSONLimits(memory: min(16 * body.count + (16 << 20), 96 << 20)) }

  /// Parses the content within ``limits``.
  func parsed() throws(JSONSyntaxError) -> JSONValue {
    try parsing { () throws(JSONSyntaxError) in try JSONValue(parsing: body, limits: limits) }
  }

  /// Runs a parser of the content; large answers are parsed one at a time, so that they share ``limits``.
  func parsing<Result: Sendable>(_ body: () throws(JSONSyntaxError) -> Result) throws(JSONSyntaxError)
    -> Result
  {
    guard self.body.count > 2 << 20 else { return try body() }
    return try Self.isParsing.withLock { (_: inout Void) throws(JSONSyntaxError) in try body() }
  }

  private static let isParsing = Mutex(())
}
