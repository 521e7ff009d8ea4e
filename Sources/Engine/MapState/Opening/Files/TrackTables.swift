/// The tables of a GPX file that are not drawn unless they are asked for.
///
/// Each line of a track or route is listed a second time as its points, and the points would cover the line.
struct TrackTables {
  /// The tables of points, each with the table of their lines.
  private static let lines = ["track_points": "tracks", "route_points": "routes"]
  /// The names that every GPX file has.
  private static let names = Set(["route_points", "track_points", "routes", "tracks", "waypoints"])

  /// The names of the hidden tables; none if the tables are not those of a GPX file.
  let hidden: Set<String>

  init(_ tables: [FileTable]) {
    let rows = Dictionary(tables.map { ($0.name, $0.columns?.rowCount ?? 0) }) { first, _ in first }
    guard Set(rows.keys) == Self.names, rows.values.contains(where: { $0 > 0 }) else {
      hidden = []
      return
    }
    hidden = Set(
      rows.keys.filter { name in rows[name] == 0 || Self.lines[name].map { rows[$0] != 0 } ?? false })
  }
}
