package import MapDrawing

/// A page of a PDF document: the display list of a map, and the parts over it.
package struct PDFPage: Sendable {
  /// The map.
  let map: DisplayList
  /// The position of the map's top left corner on the page, in output pixels.
  let origin: (x: Double, y: Double)
  /// The page: its size, its colour and the parts over the map.
  let page: DisplayList
  /// Output pixels per view pixel.
  let pixelRatio: Double
  /// A description of the map for people who do not see it; empty for none.
  let alternative: String
  /// The position of the map on the ground; nil if it is unknown.
  let ground: PDFGround?

  /// Creates a page.
  package init(
    map: DisplayList, origin: (x: Double, y: Double), page: DisplayList, pixelRatio: Double,
    alternative: String = "", ground: PDFGround? = nil
  ) {
    (self.map, self.origin, self.page, self.pixelRatio) = (map, origin, page, pixelRatio)
    (self.alternative, self.ground) = (alternative, ground)
  }
}

/// The position of a map on the ground.
package struct PDFGround: Hashable, Sendable {
  /// A corner in degrees.
  package struct Corner: Hashable, Sendable {
    let latitude: Double
    let longitude: Double

    /// Creates a corner.
    package init(latitude: Double, longitude: Double) {
      (self.latitude, self.longitude) = (latitude, longitude)
    }
  }

  /// The corners of the map: lower left, upper left, upper right and lower right, as it is drawn.
  let corners: [Corner]
  /// The EPSG code of the spatial reference.
  let code: Int
  /// Whether the spatial reference has degrees.
  let isGeographic: Bool

  /// Creates a position from the corners in their order.
  package init(corners: [Corner], code: Int, isGeographic: Bool) {
    (self.corners, self.code, self.isGeographic) = (corners, code, isGeographic)
  }

  /// Returns the viewport of a page.
  ///
  /// - Parameter box: left, bottom, right and top of the map, in points from the lower left corner of the page.
  /// - Source: ISO 32000-2:2020, section 12.10.
  func viewport(_ box: [Double]) -> String {
    // Longitudes do not jump within the map, also on both sides of 180 degrees.
    let first = corners.first?.longitude ?? 0
    let places = corners.flatMap { corner in
      [corner.latitude, first + (corner.longitude - first).remainder(dividingBy: 360)]
    }
    var text = VectorText()
    text += "<< /Type /Viewport /BBox ["
    for side in box { text.add(value: side, decimals: 3, after: " ") }
    text +=
      "] /Measure << /Type /Measure /Subtype /GEO /Bounds [0 0 0 1 1 1 1 0] /LPTS [0 0 0 1 1 1 1 0] /GPTS ["
    // A billionth of a degree is a tenth of a millimetre.
    for place in places { text.add(value: place, decimals: 9, after: " ") }
    text += "] /GCS << /Type /\(isGeographic ? "GEOGCS" : "PROJCS") /EPSG \(code) >> >> >>"
    return String(decoding: text.bytes, as: UTF8.self)
  }
}
