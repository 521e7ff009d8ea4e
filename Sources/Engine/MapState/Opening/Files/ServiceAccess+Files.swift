#if Services
  import FoundationEssentials
  import MapServices
  import MapSystem

  extension ServiceAccess {
    /// Returns the access to a file on a server.
    ///
    /// Its answers are kept in the cache of tiles; the server is asked whether they have changed, unless it allows
    /// their use for some time.
    /// - Throws: `ServiceError` for an invalid address, or for credentials that cannot be read.
    func transfer(
      at url: String, isNamedByDocument: Bool
    ) throws(ServiceError) -> FileTransfer {
      var access = self
      access.limits.responseBytes = downloadBytes
      // Each file has memory of its own, so that it does not wait for answers of services.
      access.memory = ResponseMemory(limit: downloadBytes + ResponseMemory.shared.limit)
      let object =
        ObjectAddress.isObject(url)
        ? try ObjectAddress(url, environment: ProcessInfo.processInfo.environment) : nil
      let (client, address, _) = try access.client(
        for: object?.url ?? url, secretsOf: nil, isNamedByDocument: isNamedByDocument,
        keeping: { !Self.looksLikePage($0) }, keptFor: 0, signature: object?.signature)
      return FileTransfer(
        client: client, url: address, place: SourceAddress.shown(url), limit: downloadBytes,
        report: requestReport)
    }

    /// Whether a content is a web page, such as that of a login.
    private static func looksLikePage(_ bytes: [UInt8]) -> Bool {
      let start = String(decoding: bytes.prefix(256), as: UTF8.self).lowercased()
      return ["<!doctype html", "<html"].contains { start.drop(while: \.isWhitespace).hasPrefix($0) }
    }
  }
#endif
