import MapFilter

/// The names of coordinate columns.
///
/// Names are compared without case, accents, and units such as `(m)`.
enum CSVCoordinateNames {
  /// Names of a column with well-known text; the first one found is used.
  static let texts = ["wkt", "geom", "geometry", "the_geom"]

  /// Further names of a column with well-known binary.
  static let binaries = ["wkb", "wkb_geometry"]

  /// Names that mean longitude and latitude, the most common first.
  private static let degrees = [
    (SwappedColumns.longitudes, SwappedColumns.latitudes),
    (["laengengrad", "langengrad"], ["breitengrad"]),
    (["longitud", "longitudine", "lengtegraad"], ["latitud", "latitudine", "breedtegraad"]),
  ]
  /// Names that mean longitude and latitude, or the length and the width of a thing.
  private static let lengths = [(["lange", "laenge"], ["breite"])]

  /// Names of coordinates whose spatial reference only the caller knows.
  private static let plane = [
    ("easting", "northing"), ("eastings", "northings"), ("rechtswert", "hochwert"), ("ostwert", "nordwert"),
    ("point_x", "point_y"), ("x_coord", "y_coord"), ("coord_x", "coord_y"), ("xcoord", "ycoord"),
    ("coordx", "coordy"), ("coordenada_x", "coordenada_y"), ("x_coordinate", "y_coordinate"),
    ("x_koordinate", "y_koordinate"), ("xkoordinate", "ykoordinate"), ("x_koord", "y_koord"),
    ("utm_x", "utm_y"),
    ("x_utm", "y_utm"), ("utm_e", "utm_n"), ("utm_easting", "utm_northing"), ("utm_ost", "utm_nord"),
    ("east", "north"), ("ost", "nord"), ("este", "norte"), ("est", "nord"), ("oost", "noord"), ("rw", "hw"),
    ("rechts", "hoch"), ("x_lambert", "y_lambert"), ("lambert_x", "lambert_y"), ("x_l93", "y_l93"),
  ]
  /// Letters that are coordinates only in one case: a column `n` beside `E` holds something else.
  private static let letters = [("E", "N"), ("e", "n"), ("O", "N"), ("o", "n")]

  /// Whether a name is the German one of a longitude or latitude, so that `O` in its values is east.
  static func isGerman(_ name: String) -> Bool {
    ["lange", "laenge", "breite", "langengrad", "laengengrad", "breitengrad"].contains(key(name))
  }

  /// Returns a name in lower case without accents, and without a unit at its end.
  private static func key(_ name: String) -> String {
    let folded = UnicodeFolding.withoutAccents(name.lowercased())
    let plain = folded.prefix { $0 != "(" && $0 != "[" }
    let words = plain.split { $0 == " " || $0 == "-" || $0 == "." || $0 == "_" }
    return words.isEmpty ? folded : words.joined(separator: "_")
  }

  private static func pair(_ keys: [String], _ xNames: [String], _ yNames: [String]) -> (x: Int, y: Int)? {
    func first(_ candidates: [String]) -> Int? {
      candidates.lazy.compactMap { keys.firstIndex(of: $0) }.first
    }
    guard let x = first(xNames), let y = first(yNames) else { return nil }
    return (x, y)
  }

  /// Returns the columns of longitude and latitude.
  static func degreeColumns(_ names: [String]) -> (x: Int, y: Int)? {
    let keys = names.map(key)
    return degrees.lazy.compactMap { pair(keys, $0, $1) }.first
  }

  /// Returns the columns whose names mean longitude and latitude, or length and width.
  private static func lengthColumns(_ names: [String]) -> (x: Int, y: Int)? {
    let keys = names.map(key)
    return lengths.lazy.compactMap { pair(keys, $0, $1) }.first
  }

  /// Returns the columns `x` and `y`.
  static func planeColumns(_ names: [String]) -> (x: Int, y: Int)? { pair(names.map(key), ["x"], ["y"]) }

  /// Returns the columns of coordinates with an unknown spatial reference, the most likely first.
  private static func possibleColumns(_ names: [String]) -> [(x: Int, y: Int)] {
    let keys = names.map(key)
    return plane.compactMap { pair(keys, [$0], [$1]) } + letters.compactMap { pair(names, [$0], [$1]) }
  }

  /// The columns of coordinates in a table.
  enum Choice {
    /// Longitude and latitude, or if `mayBeLengths` is true the length and the width of a thing.
    case degrees(x: Int, y: Int, mayBeLengths: Bool)
    case unknownUnit(x: Int, y: Int)
    /// Columns that are only read if the caller names them.
    case possible(x: Int, y: Int)
  }

  /// Chooses the columns by their names; nil without any.
  ///
  /// - Parameters:
  ///   - hasReference: Whether the caller states the spatial reference.
  ///   - areNumbers: Returns whether two columns hold numbers.
  ///   - areDegrees: Returns whether all values of two columns can be degrees.
  static func choice(
    _ names: [String], hasReference: Bool, areNumbers: (Int, Int) -> Bool, areDegrees: (Int, Int) -> Bool
  ) -> Choice? {
    if let (x, y) = degreeColumns(names) { return .degrees(x: x, y: y, mayBeLengths: false) }
    if let (x, y) = planeColumns(names) { return .unknownUnit(x: x, y: y) }
    if let (x, y) = lengthColumns(names), areDegrees(x, y) {
      return .degrees(x: x, y: y, mayBeLengths: true)
    }
    guard let (x, y) = possibleColumns(names).first(where: { areNumbers($0.x, $0.y) }) else { return nil }
    return hasReference ? .unknownUnit(x: x, y: y) : .possible(x: x, y: y)
  }

  /// Returns the warning about columns that may hold coordinates and are not read as such.
  static func hint(_ x: String, _ y: String) -> String {
    "fields \(x), \(y): not read as coordinates; name them with --x and --y, and their spatial reference with "
      + "--source-reference"
  }
}
