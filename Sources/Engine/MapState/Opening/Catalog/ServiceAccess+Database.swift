import MapFeatures
import MapReaders

#if Services
  import FoundationEssentials
  import MapDatabases
  import MapServices
#endif

extension ServiceAccess {
  /// Returns the table of a database at an address, and its name; its rows are in memory unless there are many.
  ///
  /// Several addresses with spaces between them are the parts of one table.
  ///
  /// - Parameter isNamedByDocument: whether a document contains the address.
  /// - Throws: ``MapStateError`` of kind service, or of kind input for rows that cannot be shown.
  func databaseTable(
    at url: String, isNamedByDocument: Bool, fields: FieldSelection, reading: ReadingOptions
  ) async throws(MapStateError) -> (source: any FeatureSource, name: String) {
    #if Services
      let parts = SourceAddress.parts(of: url)
      let request = FileRequest(fields: fields, reading: reading)
      do {
        guard parts.count < 2 else {
          var layers: [DatabaseLayer] = []
          for part in parts {
            let (address, access) = try databaseAccess(to: part, isNamedByDocument)
            layers.append(
              try await DatabaseTable.openPart(
                address, access, fields: request.wanted, options: reading, operations: .installed))
          }
          let joined = try DatabaseParts(layers)
          return (try await ServiceSource(joined, operations: .installed), joined.metadata.name)
        }
        let (address, access) = try databaseAccess(to: url, isNamedByDocument)
        let table = try await DatabaseTable.open(
          address, access, fields: request.wanted, options: reading, operations: .installed)
        switch table {
        case .whole(let contents): return try whole(contents, at: SourceAddress.shown(url), reading)
        case .asked(let layer):
          return (try await ServiceSource(layer, operations: .installed), layer.metadata.name)
        }
      } catch {
        throw (error as? MapStateError) ?? MapStateError(error)
      }
    #else
      throw MapStateError(
        .input,
        "\(SourceAddress.shown(url)): this build has no services; give a stand-in for it with --services FILE"
      )
    #endif
  }
}

#if Services
  extension ServiceAccess {
    /// Returns a parsed address, and the rules for it.
    private func databaseAccess(
      to url: String, _ isNamedByDocument: Bool
    ) throws(ServiceError) -> (DatabaseAddress, DatabaseAccess) {
      let (address, shown) = (try DatabaseAddress(url), SourceAddress.shown(url))
      if let databaseRefusal { throw ServiceError(databaseRefusal, at: shown, kind: .refused) }
      let names =
        address.isSocket || address.host.isEmpty
        ? ["localhost"] : address.host.split(separator: ",").map(String.init)
      if let refusal = names.lazy.compactMap(hosts.refusal).first {
        throw ServiceError(refusal, at: shown, kind: .refused)
      }
      let environment = ProcessInfo.processInfo.environment
      var access = DatabaseAccess(environment: environment)
      access.credentials = try credentials(environment, for: shown)
      access.isNamedByDocument = isNamedByDocument
      access.allowsPrivateAddresses = allowsPrivateAddresses
      access.allowsPlainConnections = allowsPlainHTTP
      access.limits = limits
      access.report = statementReport
      return (address, access)
    }

    /// Returns a table with all its rows.
    private func whole(
      _ contents: DatabaseTable.Contents, at shown: String, _ reading: ReadingOptions
    ) throws(MapStateError) -> (source: any FeatureSource, name: String) {
      let place = "\(shown)#\(contents.name)"
      let table = try FileTable(name: contents.name, columns: contents.columns.noting(reading))
        .placed(reading, place).noting(reading).of(contents.kind, place)
      let kinds = table.columns?.geometries.map(\.kind.rawValue) ?? []
      guard kinds.count < 2 else {
        throw MapStateError(
          .input,
          "\(place): has geometries of several kinds (\(kinds.joined(separator: ", "))); a layer shows one: name it "
            + "after the table, as in #\(contents.name)/\(kinds[0])")
      }
      return (try FileTable.onlySource(of: [table], path: place), contents.name)
    }
  }
#endif
