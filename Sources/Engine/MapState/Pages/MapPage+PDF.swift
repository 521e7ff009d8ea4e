import MapCairo
import MapDrawing
import MapModel

extension MapPage {
  /// Returns the page as a PDF document with one page, in vectors; a view pixel is 1/96 inch.
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
      do {
        drawn.append(
          PDFPage(
            map: try lists.map.applyingEffects(), origin: lists.origin, page: lists.page,
            pixelRatio: page.map.pixelRatio))
      } catch {
        throw MapStateError(error)
      }
    }
    do { return try PDFPainter.document(drawn, title: pages.first?.title ?? "") } catch {
      throw MapStateError(error)
    }
  }
}
