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
      let object =
        ObjectAddress.isObject(url)
        ? try ObjectAddress(url, environment: ProcessInfo.processInfo.environment) : nil
      return try transfer(at: url, object, isNamedByDocument)
    }

    /// Returns the objects of a folder with the access to them.
    ///
    /// - Throws: `ServiceError`.
    func objects(
      below url: String, isNamedByDocument: Bool
    ) async throws(ServiceError) -> [(name: String, object: ListedObject, transfer: FileTransfer)] {
      let folder = try ObjectAddress(url, environment: ProcessInfo.processInfo.environment)
      let access = try transfer(at: url, folder, isNamedByDocument)
      let objects = try await ObjectList.objects(
        of: folder.bucket, below: folder.key, form: folder.listForm, client: access.client)
      return objects.compactMap { object in
        guard ObjectAddress.isUsable(object.key), !object.key.hasSuffix("/") else { return nil }
        let name = String(object.key.dropFirst(folder.key.count))
        return (name, object, access.of(folder.url(of: object.key), place: SourceAddress.shown(url) + name))
      }
    }

    private func transfer(
      at url: String, _ object: ObjectAddress?, _ isNamedByDocument: Bool
    ) throws(ServiceError) -> FileTransfer {
      var access = self
      access.limits.responseBytes = downloadBytes
      // Each file has memory of its own, so that it does not wait for answers of services.
      access.memory = ResponseMemory(limit: downloadBytes + ResponseMemory.shared.limit)
      let (client, address, _) = try access.client(
        for: object?.url ?? url, secretsOf: nil, isNamedByDocument: isNamedByDocument,
        keeping: { !Self.looksLikePage($0) }, keptFor: 0, signature: object?.signature)
      return FileTransfer(
        client: client, url: address, place: SourceAddress.shown(url),
        budget: FetchBudget(limit: downloadBytes), memory: access.memory, report: requestReport)
    }

    /// Whether a content is a web page, such as that of a login.
    private static func looksLikePage(_ bytes: [UInt8]) -> Bool {
      let start = String(decoding: bytes.prefix(256), as: UTF8.self).lowercased()
      return ["<!doctype html", "<html"].contains { start.drop(while: \.isWhitespace).hasPrefix($0) }
    }
  }
#endif
