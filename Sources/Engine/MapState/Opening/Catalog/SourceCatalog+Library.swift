import MapDocuments
import MapFeatures
import MapReaders
import MapSystem

#if Geospatial
  import MapGeospatial
#endif

extension SourceCatalog {
  #if Geospatial
    /// The readable formats, for messages.
    static var formats: String {
      "GeoJSON, NDJSON, CSV, XLSX, ODS, KML, Esri JSON, Arrow, Parquet, web map JSON, \(VectorFile.formats)"
    }

    /// Returns the tables in a file that no built-in reader supports, recognised by its content or else its ending.
    ///
    /// - Throws: ``MapStateError``.
    static func libraryTables(
      _ path: String, _ request: FileRequest
    ) throws(MapStateError) -> [FileTable] {
      guard let real = FileAccess.realPath(path) else { return [] }
      // The library also opens files beside this one, and would block on a pipe.
      do { try FileAccess.checkCompanions(of: real) } catch { throw MapStateError(error) }
      if case .file(let head) = FileAccess.look(at: real), head.starts(with: "SQLite format 3\0".utf8) {
        let indexed = try indexedTable(path, request) { _, all in
          IndexedGeoPackage(real, layer: request.fragment, fields: request.wanted, all: all)
        }
        if let indexed { return [indexed] }
      }
      func read(_ layer: String?) throws(VectorFileError) -> FileTable {
        let layer = try VectorFile.read(real, layer: layer, fields: request.wanted, options: request.reading)
        let isShapefile = ["shp", "dbf", "shx"].contains(FilePath.pathExtension(of: path))
        let usesEncoding = isShapefile || layer.usesEncoding
        var columns = usesEncoding ? layer.table : layer.table.noting(request.reading)
        if request.indexUse == .checking {
          let faults = IndexedGeoPackage.indexFaults(real, layer: layer.name, columns)
          columns = columns.adding(indexWarning(faults: faults))
        }
        do throws(MapStateError) {
          return try FileTable(name: layer.name, columns: columns).placed(request.reading, path).noting(
            request.reading)
        } catch {
          throw VectorFileError(description: "\(error)".replacing("\(path): ", with: ""))
        }
      }
      do throws(VectorFileError) {
        guard let fragment = request.fragment else {
          do throws(VectorFileError) { return [try read(nil)] } catch {
            guard error.holdsSeveralLayers, let choice = request.choice else { throw error }
            return try several(VectorFile.layerNames(in: real, options: request.reading).names, choice, read)
          }
        }
        do throws(VectorFileError) { return [try read(fragment)] } catch {
          let (layer, kind) = FileRequest.parts(of: fragment, known: [])
          guard let kind else { throw error }
          let table = try read(layer)
          do throws(MapStateError) { return [try table.of(kind, path)] } catch {
            throw VectorFileError(description: "\(error)".replacing("\(path): ", with: ""))
          }
        }
      } catch {
        guard !error.isOfAnotherFormat else {
          throw MapStateError(.input, UnreadFormat.message(path, readable: formats))
        }
        throw MapStateError(
          error.isAboutChoice ? .usage : .input,
          error.isAboutChoice ? error.description : "\(path): \(error)", cause: error)
      }
    }

    /// Reads the chosen layers of several; all of them if the choice names others, such as a kind of geometry.
    private static func several(
      _ names: [String], _ choice: LayerChoice, _ read: (String) throws(VectorFileError) -> FileTable
    ) throws(VectorFileError) -> [FileTable] {
      let layers = names.map { WebMapLayer(id: $0, title: $0, url: $0) }
      let known = LayerNames(layers: names.map { ($0, $0) })
      var chosen = Set(names.indices)
      do throws(MapStateError) { chosen = try choice.indexes(among: layers, known) } catch {
        if error.kind == .usage, choice.names.isEmpty {
          throw VectorFileError(choice: error.description)
        }
      }
      var tables: [FileTable] = []
      for (index, name) in names.enumerated() {
        tables.append(chosen.contains(index) ? try read(name) : FileTable(name: name, columns: nil))
      }
      return tables
    }
  #else
    /// The readable formats, for messages.
    static var formats: String {
      "GeoJSON, NDJSON, CSV, XLSX, ODS, KML, Esri JSON, Arrow, Parquet, FlatGeobuf, web map JSON (no others, because this build does not include GDAL)"
    }

    static func libraryTables(
      _ path: String, _ request: FileRequest
    ) throws(MapStateError) -> [FileTable] {
      throw MapStateError(.input, UnreadFormat.message(path, readable: formats))
    }
  #endif
}
