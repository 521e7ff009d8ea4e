/// The web address of an object in an object store: `s3://BUCKET/KEY`, `gs://BUCKET/KEY` or `az://CONTAINER/KEY`.
package struct ObjectAddress: Sendable {
  /// The web address.
  package let url: String
  /// The signature of its requests; nil for public objects.
  package let signature: AWSSignature?

  /// Whether an address is that of an object.
  package static func isObject(_ address: String) -> Bool {
    ["s3://", "gs://", "az://"].contains { address.lowercased().hasPrefix($0) }
  }

  /// Finds the web address by the settings of the environment.
  ///
  /// - Source: AWS, "Virtual hosting of buckets"; Google Cloud, "Request endpoints"; Azure, "Naming and referencing
  ///   containers, blobs, and metadata".
  /// - Throws: ``ServiceError``.
  package init(_ address: String, environment: [String: String]) throws(ServiceError) {
    func error(_ reason: String) -> ServiceError { ServiceError(reason, at: address, kind: .refused) }
    let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[1].isEmpty, !parts[2].isEmpty, !parts[3].isEmpty else {
      throw error("is no object; write it as s3://BUCKET/KEY")
    }
    let bucket = String(parts[2])
    let isName = bucket.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-._".utf8.contains(byte)
    }
    guard isName, !bucket.hasPrefix("."), !bucket.contains("..") else {
      throw error("its bucket has other characters than a-z, 0-9, -, . and _")
    }
    // A key is text, in which no character has a meaning.
    let key = String(parts[3]).split(separator: "/", omittingEmptySubsequences: false).map { part in
      PercentEncoding.encode(String(part))
    }
    guard !key.contains("."), !key.contains("..") else { throw error("its key has a part . or ..") }
    let path = key.joined(separator: "/")
    switch parts[0].lowercased() {
    case "gs:": (url, signature) = ("https://storage.googleapis.com/\(bucket)/\(path)", nil)
    case "az:":
      guard let account = environment["AZURE_STORAGE_ACCOUNT"], !account.isEmpty,
        account.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) })
      else { throw error("needs the name of an account in AZURE_STORAGE_ACCOUNT") }
      (url, signature) = ("https://\(account).blob.core.windows.net/\(bucket)/\(path)", nil)
    case "s3:":
      let profile = try AWSProfile(environment, for: address)
      url = try Self.url(bucket, path, profile)
      signature = profile.keys.map { AWSSignature(keys: $0, region: profile.region) }
    default: throw error("is no object of s3, gs or az")
    }
  }

  private static func url(
    _ bucket: String, _ path: String, _ profile: AWSProfile
  ) throws(ServiceError) -> String {
    if let endpoint = profile.endpoint {
      let address = try WebAddress(endpoint)
      var base = address.path
      while base.hasSuffix("/") { base.removeLast() }
      guard profile.putsBucketInHost else { return "\(address.origin)\(base)/\(bucket)/\(path)" }
      let port = address.port.map { ":\($0)" } ?? ""
      return "\(address.scheme)://\(bucket).\(address.host)\(port)\(base)/\(path)"
    }
    let domain = profile.region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    let host = "s3.\(profile.region).\(domain)"
    // The certificate of the host holds for one name before it.
    return bucket.contains(".") || bucket.contains("_")
      ? "https://\(host)/\(bucket)/\(path)" : "https://\(bucket).\(host)/\(path)"
  }
}
