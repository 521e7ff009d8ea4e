import MapCairo
import MapDrawing
import MapModel
import MapVector

extension MapPage {
  /// Returns the page as a PDF document with one page, in vectors; a view pixel is 1/96 inch.
  ///
  /// Text is text, with an embedded font. The document has the title, the subtitle as its subject, and the attribution as
  /// its author. It describes the map for people who do not see it, and contains the position of the map on the ground.
  ///
  /// - Throws: ``MapStateError``.
  public func pdfData() async throws(MapStateError) -> [UInt8] { try await Self.pdfData(of: [self]) }

  /// Returns a PDF document with a page for each map.
  ///
  /// - Throws: ``MapStateError``.
  public static func pdfData(of pages: [MapPage]) async throws(MapStateError) -> [UInt8] {
    var drawn: [PDFPage] = []
    for page in pages {
      let lists = try await page.displayLists(joinsTiles: true)
      let description = try await page.describe().summary
      do {
        drawn.append(
          PDFPage(
            map: try lists.map.applyingEffects(), origin: lists.origin, page: lists.page,
            pixelRatio: page.map.pixelRatio, alternative: description, ground: page.map.groundOfPDF))
      } catch {
        throw MapStateError(error)
      }
    }
    return PDFWriter.document(drawn, pages.first?.information ?? PDFWriter.Information())
  }

  private var information: PDFWriter.Information {
    PDFWriter.Information(
      title: layout.title, author: layout.attribution ? map.attribution : "", subject: layout.subtitle)
  }
}
