extension Envelope {
  /// The world copies in which data of this extent lie: 0 from -180° to 180°, 1 east of it and -1 west of it.
  ///
  /// Data exactly on the antimeridian are in world copy 0 only. So are data in a spatial reference without world
  /// copies.
  ///
  /// - Source: design decision; uncut data continue past 180°, but never farther than one and a half world widths.
  public var worldsReached: ClosedRange<Int> {
    guard !isEmpty, let half = Self.worldWidth(of: spatialReference).map({ $0 / 2 }) else { return 0...0 }
    return (xMin < -half ? -1 : 0)...(xMax > half ? 1 : 0)
  }

  /// Returns the envelope moved east by a number of world widths; unchanged in a spatial reference without world
  /// copies.
  ///
  /// - Error: rounding of the sides.
  public func moved(worlds: Int, of reference: SpatialReference?) -> Envelope {
    guard worlds != 0, let width = Self.worldWidth(of: reference) else { return self }
    return moved(east: Double(worlds) * width)
  }

  /// Returns the envelope moved by whole world widths; see ``moved(x:by:)``.
  package func moved(east shift: Double) -> Envelope {
    guard shift != 0 else { return self }
    return Envelope(
      xMin: Self.moved(x: xMin, by: shift), yMin: yMin, xMax: Self.moved(x: xMax, by: shift), yMax: yMax,
      spatialReference: spatialReference)
  }

  /// Returns the width of the world in x; nil in a spatial reference without world copies.
  package static func worldWidth(of reference: SpatialReference?) -> Double? {
    switch reference {
    case .some(.wgs84): 360
    case .some(.webMercator): 2 * WebMercator.halfWorld
    default: nil
    }
  }

  /// Returns an x moved by whole world widths.
  ///
  /// A number with nine decimals in degrees, or six in metres, keeps exactly that many decimals. Therefore 275.1 and
  /// -84.9 degrees are equal after a move.
  ///
  /// - Error: one rounding.
  package static func moved(x: Double, by shift: Double) -> Double {
    let sum = x + shift
    let scale = abs(shift) < 1e6 ? 1e9 : 1e6
    let decimal = (sum * scale).rounded() / scale
    return abs(decimal - sum) <= max(x.ulp, sum.ulp, abs(shift) < 1e6 ? 0 : shift.ulp) ? decimal : sum
  }
}
