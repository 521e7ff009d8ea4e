import MapReaders
import MapSystem

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
/// - Source: Amazon S3 API Reference, `ListObjectsV2`, which Google Cloud Storage answers, too; Azure Storage REST API
///   Reference, `List Blobs`.
package enum ObjectList {
  /// The form of requests and answers.
  package enum Form: Sendable { case s3, azure }

  /// The greatest number of objects.
  ///
  /// - Source: design decision, as for names in folders of this machine.
  package static let most = 200_000
  /// The greatest number of pages without objects.
  ///
  /// - Source: design decision.
  private static let mostEmptyPages = 100

  /// Returns the objects below a folder, in the order of their keys.
  ///
  /// - Throws: ``ServiceError``, also for more than ``most`` objects.
  package static func objects(
    of bucket: String, below prefix: String, form: Form = .s3, client: ServiceClient
  ) async throws(ServiceError) -> [ListedObject] {
    var objects: [ListedObject] = []
    var (token, emptyPages) = (String?.none, 0)
    repeat {
      var parameters =
        form == .s3
        ? [("list-type", "2"), ("encoding-type", "url")] : [("restype", "container"), ("comp", "list")]
      parameters.append(("prefix", prefix))
      if let token { parameters.append((form == .s3 ? "continuation-token" : "marker", token)) }
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
      // A server that repeats pages would never end. Azure may send pages without objects.
      if page.objects.isEmpty { emptyPages += 1 }
      guard page.next == nil || page.next != token && emptyPages <= mostEmptyPages else {
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
      guard try scanner.next() == .start, ["ListBucketResult", "EnumerationResults"].contains(scanner.name)
      else { throw Fault(description: "it is not a ListBucketResult or EnumerationResults") }
      var (isEncoded, written) = (false, [Written]())
      try scanner.elements { scanner throws(ReadFault) in
        switch scanner.name {
        case "EncodingType": isEncoded = try Self.text(&scanner) == "url"
        case "NextContinuationToken", "NextMarker":
          let text = try Self.text(&scanner)
          next = text.isEmpty ? nil : text
        case "Contents": written.append(try Written(&scanner))
        case "Blobs":
          try scanner.elements { scanner throws(ReadFault) in
            if scanner.name == "Blob" { written.append(try Written(&scanner)) }
          }
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

    /// An object as a list states it.
    private struct Written {
      var (key, size, tag) = ("", -1, "")

      init(_ scanner: inout XMLScanner) throws(ReadFault) {
        var object = self
        try scanner.elements { scanner throws(ReadFault) in
          switch scanner.name {
          case "Key", "Name": object.key = try Page.text(&scanner)
          case "Size": object.size = Int(try Page.text(&scanner)) ?? -1
          case "ETag": object.tag = try Page.text(&scanner)
          case "Properties":
            try scanner.elements { scanner throws(ReadFault) in
              switch scanner.name {
              case "Content-Length": object.size = Int(try Page.text(&scanner)) ?? -1
              // Answers to requests for the object have the tag in quotes.
              case "Etag": object.tag = "\"\(try Page.text(&scanner))\""
              default: break
              }
            }
          default: break
          }
        }
        self = object
      }
    }

    private static func text(_ scanner: inout XMLScanner) throws(ReadFault) -> String {
      String(decoding: try scanner.elementText(), as: UTF8.self)
    }
  }
}
