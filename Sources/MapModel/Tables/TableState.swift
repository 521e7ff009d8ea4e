package import MapFeatures
import Synchronization

/// What the members of every ``FeatureTable`` work on: its content, its name and the layer that shows it.
///
/// Made by the tables themselves.
public final class TableState: Sendable {
  package struct Content: Sendable {
    /// What is drawn and asked; without fields until the table is loaded.
    package var source: any FeatureSource
    package var name: String
    /// Where the table keeps time.
    package var timeInfo: TimeInfo?
    /// How the source says that it is drawn.
    package var drawing = SourceDrawing()
    /// True where the clauses of queries are CQL2; expressions and display filters of layers are SQL on every table.
    package var takesCQL2 = false
    /// Why no question can be asked: the table was told to be what it cannot.
    package var refusal: (any Error)?
    /// The address or path that a document can name it by; nil for rows in memory.
    package var url: String?
    /// What its document said of it.
    package var origin: WebMapLayer?
    package weak var layer: FeatureLayer?
    /// What a layer holds from before it is made to its end.
    fileprivate weak var owner: (any AnyObject & Sendable)?
  }

  /// Where the rows come from, and the table's name there.
  package typealias Opening = @Sendable () async throws -> (any FeatureSource, name: String)

  package let content: ModelState<Content>
  let loader: Loader
  /// How it is read; nil for rows that were there from the start.
  private let open: Opening?

  /// A table whose content is there.
  package convenience init(name: String, source: any FeatureSource) {
    self.init(
      Content(source: source, name: name, timeInfo: TimeInfo(onlyDateOf: source.schema)), isLoaded: true,
      open: nil)
  }

  /// A table that is read when it is first asked for.
  ///
  /// - Parameter takesCQL2: true reads the where clauses of its queries as CQL2.
  package convenience init(name: String, takesCQL2: Bool = false, open: @escaping Opening) {
    self.init(
      Content(source: InMemorySource(.nothing), name: name, takesCQL2: takesCQL2), isLoaded: false, open: open
    )
  }

  private init(_ start: Content, isLoaded: Bool, open: Opening?) {
    let content = ModelState(start)
    (self.content, self.open) = (content, open)
    loader = Loader(isLoaded: isLoaded) {
      guard let open else { return }
      let (source, name) = try await open()
      let metadata = source.metadata
      let drawing = SourceDrawing(metadata)
      content.update {
        ($0.source, $0.name, $0.drawing) = (source, name, drawing)
        $0.timeInfo = metadata.timeInfo ?? TimeInfo(onlyDateOf: source.schema)
      }
    }
  }

  /// True when the rows are there.
  package var isLoaded: Bool { loader.isLoaded }

  /// The same content in a table that no layer shows: there at once where it is here, else read when it is asked for.
  ///
  /// - Parameter open: how the other table is read, where it is not as this one.
  package func clone(open other: Opening? = nil) -> TableState {
    ModelGate.withLock {
      var copy = content.snapshot
      (copy.layer, copy.owner) = (nil, nil)
      copy.origin?.mark = DocumentMark()
      return TableState(copy, isLoaded: isLoaded, open: other ?? open)
    }
  }

  /// The rows of the table as they are now.
  package var source: any FeatureSource { content.snapshot.source }

  /// Puts other rows in the place of those that are there.
  package func replace(_ source: any FeatureSource) { content.update { $0.source = source } }

  /// Gives the table to a layer that is being made; false when it is in one already.
  func claim(by owner: any AnyObject & Sendable) -> Bool {
    content.update {
      guard $0.owner == nil else { return false }
      $0.owner = owner
      return true
    }
  }
}

extension FeatureColumns {
  /// No fields and no rows.
  package static let nothing = FeatureColumns(
    schema: FeatureSchema(fields: [], geometryKind: nil, spatialReference: nil), columns: [], geometry: nil,
    rowCount: 0)
}

extension TimeInfo {
  /// The one field of dates of a table that says nothing of time: it can mean nothing else.
  package init?(onlyDateOf schema: FeatureSchema) {
    let dates = schema.fields.filter { [.date, .dateOnly].contains($0.fieldType) }
    guard dates.count == 1 else { return nil }
    self.init(startField: dates[0].name)
  }
}
