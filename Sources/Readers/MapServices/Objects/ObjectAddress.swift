import MapSystem

/// The web address of an object or folder in an object store: `s3://BUCKET/KEY`, `gs://BUCKET/KEY` or
/// `az://CONTAINER/KEY`; the key of a folder is empty or ends with `/`.
package struct ObjectAddress: Sendable {
  /// The web address of the bucket.
  package let bucket: String
  /// The key, as text, in which no character has a meaning.
  package let key: String
  /// The signature of its requests; nil for public objects.
  package let signature: AWSSignature?
  /// The form of the lists of its store.
  package let listForm: ObjectList.Form

  /// Whether an address is that of an object or folder.
  package static func isObject(_ address: String) -> Bool {
    ["s3://", "gs://", "az://"].contains { address.lowercased().hasPrefix($0) }
  }

  /// Whether an address is that of a folder.
  package static func isFolder(_ address: String) -> Bool { isObject(address) && address.hasSuffix("/") }

  /// The web address of the object.
  package var url: String { url(of: key) }

  /// Returns the web address of an object in the bucket.
  package func url(of key: String) -> String {
    let parts = key.split(separator: "/", omittingEmptySubsequences: false)
    return bucket + "/" + parts.map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
  }

  /// Whether a key can be part of an address, in which `.` and `..` are steps.
  package static func isUsable(_ key: String) -> Bool {
    key.split(separator: "/").allSatisfy { $0 != "." && $0 != ".." }
  }

  /// Finds the web address by the settings of the environment.
  ///
  /// - Source: AWS, "Virtual hosting of buckets"; Google Cloud, "Request endpoints"; Azure, "Naming and referencing
  ///   containers, blobs, and metadata".
  /// - Throws: ``ServiceError``.
  package init(_ address: String, environment: [String: String]) throws(ServiceError) {
    func error(_ reason: String) -> ServiceError { ServiceError(reason, at: address, kind: .refused) }
    let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[1].isEmpty, !parts[2].isEmpty else {
      throw error("is no object; write it as \(address.prefix { $0 != ":" })://BUCKET/KEY")
    }
    let name = String(parts[2])
    let isName = name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-._".utf8.contains(byte)
    }
    guard isName, !name.hasPrefix("."), !name.contains("..") else {
      throw error("its bucket has other characters than a-z, 0-9, -, . and _")
    }
    key = String(parts[3])
    guard Self.isUsable(key) else { throw error("its key has a part . or ..") }
    switch parts[0].lowercased() {
    case "gs:":
      (bucket, signature, listForm) = ("https://storage.googleapis.com/\(name)", nil, .s3)
    case "az:":
      (bucket, signature, listForm) = ("\(try Self.azureURL(environment, error))/\(name)", nil, .azure)
    case "s3:":
      let profile = try AWSProfile(environment, for: address)
      bucket = try Self.url(name, profile)
      (signature, listForm) = (profile.keys.map { AWSSignature(keys: $0, region: profile.region) }, .s3)
    default: throw error("is no object of s3, gs or az")
    }
  }

  /// Returns the web address of an account of Azure.
  ///
  /// - Source: the environment variables of the command `az storage`.
  private static func azureURL(
    _ environment: [String: String], _ error: (String) -> ServiceError
  ) throws(ServiceError) -> String {
    if let endpoint = environment["AZURE_STORAGE_SERVICE_ENDPOINT"], !endpoint.isEmpty {
      let address = try WebAddress(endpoint)
      return address.origin + address.path.trimmingSlashes
    }
    guard let account = environment["AZURE_STORAGE_ACCOUNT"], !account.isEmpty,
      account.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) })
    else { throw error("needs the name of an account in AZURE_STORAGE_ACCOUNT") }
    return "https://\(account).blob.core.windows.net"
  }

  private static func url(_ bucket: String, _ profile: AWSProfile) throws(ServiceError) -> String {
    if let endpoint = profile.endpoint {
      let address = try WebAddress(endpoint)
      let base = address.path.trimmingSlashes
      guard profile.putsBucketInHost else { return "\(address.origin)\(base)/\(bucket)" }
      let port = address.port.map { ":\($0)" } ?? ""
      return "\(address.scheme)://\(bucket).\(address.host)\(port)\(base)"
    }
    let domain = profile.region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    let host = "s3.\(profile.region).\(domain)"
    // The certificate of the host holds for one name before it.
    return bucket.contains(".") || bucket.contains("_")
      ? "https://\(host)/\(bucket)" : "https://\(bucket).\(host)"
  }
}

extension String {
  /// The text without the slashes at its end.
  fileprivate var trimmingSlashes: String {
    var text = self
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }
}
