import MapFeatures
import MapReaders

#if Services
  import FoundationEssentials
  import MapDatabases
  import MapServices
#endif

extension ServiceAccess {
  /// Returns the table of a database at an address, with all its rows in memory, and its name.
  ///
  /// - Parameter isNamedByDocument: whether a document contains the address.
  /// - Throws: ``MapStateError`` of kind service, or of kind input for rows that cannot be shown.
  func databaseTable(
    at url: String, isNamedByDocument: Bool, fields: FieldSelection, reading: ReadingOptions
  ) async throws(MapStateError) -> (source: any FeatureSource, name: String) {
    let shown = SourceAddress.shown(url)
    #if Services
      let contents: DatabaseTable.Contents
      let request = FileRequest(fields: fields, reading: reading)
      do {
        let address = try DatabaseAddress(url)
        if let databaseRefusal { throw ServiceError(databaseRefusal, at: shown, kind: .refused) }
        let environment = ProcessInfo.processInfo.environment
        var access = DatabaseAccess(environment: environment)
        access.credentials = try credentials(environment, for: shown)
        access.isNamedByDocument = isNamedByDocument
        access.allowsPrivateAddresses = allowsPrivateAddresses
        access.allowsPlainConnections = allowsPlainHTTP
        access.limits = limits
        contents = try await DatabaseTable.read(address, access, fields: request.wanted, options: reading)
      } catch {
        throw MapStateError(error)
      }
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
      return (try SourceCatalog.only([table], path: place), contents.name)
    #else
      throw MapStateError(
        .input, "\(shown): this build has no services; give a stand-in for it with --services FILE")
    #endif
  }
}
