import MapReaders

/// An object in a list of a store of objects.
package struct ListedObject: Hashable, Sendable {
  /// The key, as text.
  package let key: String
  /// The size in bytes.
  package let size: Int
  /// The tag of its content; empty without one.
  package let tag: String

  package init(key: String, size: Int, tag: String) { (self.key, self.size, self.tag) = (key, size, tag) }
}

/// The list of the objects of a bucket whose keys begin with a text, in pages.
///
/// - Source: Amazon S3 API Reference, `ListObjectsV2`, which Google Cloud Storage answers, too.
package enum ObjectList {
  /// The greatest number of objects.
  ///
  /// - Source: design decision, as for names in folders of this machine.
  package static let most = 200_000

  /// Returns the objects below a folder, in the order of their keys.
  ///
  /// - Throws: ``ServiceError``, also for more than ``most`` objects.
  package static func objects(
    of bucket: String, below prefix: String, client: ServiceClient
  ) async throws(ServiceError) -> [ListedObject] {
    var objects: [ListedObject] = []
    var token: String?
    repeat {
      var parameters = [("list-type", "2"), ("encoding-type", "url"), ("prefix", prefix)]
      if let token { parameters.append(("continuation-token", token)) }
      var request = HTTPRequest(get: bucket, parameters)
      request.largestBody = 16 << 20
      let response = try await client.response(to: request)
      guard response.status == 200 else { throw ServiceError(response.refusal, at: bucket) }
      let page: Page
      do { page = try Page(response.body) } catch {
        throw ServiceError("answered with no list of objects (\(error))", at: bucket)
      }
      objects += page.objects.filter { $0.key.hasPrefix(prefix) }
      guard objects.count <= most else {
        throw ServiceError("has more than \(most) objects below this key, the limit", at: bucket)
      }
      // A server that repeats a page would never end.
      guard page.next == nil || page.next != token && !page.objects.isEmpty else {
        throw ServiceError("repeats a page of its list of objects", at: bucket)
      }
      token = page.next
    } while token != nil
    return objects.sorted { $0.key < $1.key }
  }

  /// The fault of a list.
  struct Fault: Error, CustomStringConvertible { let description: String }

  /// A page of a list.
  struct Page {
    private(set) var objects: [ListedObject] = []
    /// The token of the next page; nil for the last one.
    private(set) var next: String?

    /// Reads a page.
    init(_ bytes: [UInt8]) throws {
      var scanner = XMLScanner(bytes)
      guard try scanner.next() == .start, scanner.name == "ListBucketResult" else {
        throw Fault(description: "it is not a ListBucketResult")
      }
      var (isEncoded, written) = (false, [(key: String, size: Int, tag: String)]())
      try scanner.elements { scanner throws(ReadFault) in
        switch scanner.name {
        case "EncodingType": isEncoded = try Self.text(&scanner) == "url"
        case "NextContinuationToken":
          let text = try Self.text(&scanner)
          next = text.isEmpty ? nil : text
        case "Contents":
          var (key, size, tag) = ("", -1, "")
          try scanner.elements { scanner throws(ReadFault) in
            switch scanner.name {
            case "Key": key = try Self.text(&scanner)
            case "Size": size = Int(try Self.text(&scanner)) ?? -1
            case "ETag": tag = try Self.text(&scanner)
            default: break
            }
          }
          written.append((key, size, tag))
        default: break
        }
      }
      guard written.allSatisfy({ !$0.key.isEmpty && (0...ServedFile.largestSize).contains($0.size) }) else {
        throw Fault(description: "an object has no key or no valid size")
      }
      objects = written.map { object in
        // In forms, `+` is a space.
        let key = isEncoded ? PercentEncoding.decode(object.key) ?? object.key : object.key
        return ListedObject(key: key, size: object.size, tag: object.tag)
      }
    }

    private static func text(_ scanner: inout XMLScanner) throws(ReadFault) -> String {
      String(decoding: try scanner.elementText(), as: UTF8.self)
    }
  }
}
