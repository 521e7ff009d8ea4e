/// Conversions of numbers to integers that never trap: what files, services and users give may be anything.
///
/// `Scripts/check-conversions` finds the others.
extension Int {
  /// The whole part of a number, or the nearest value for one that is out of range; 0 for NaN.
  @inlinable package init(clamping number: Double) {
    // The least is a double itself; the greatest is not, and is rounded up.
    if number >= -0x1p63, number < 0x1p63 {
      self.init(number)
    } else {
      self = number > 0 ? .max : number < 0 ? .min : 0
    }
  }
}

extension Int64 {
  /// The whole part of a number, or the nearest value for one that is out of range; 0 for NaN.
  @inlinable package init(clamping number: Double) { self.init(Int(clamping: number)) }
}

extension Int32 {
  /// The whole part of a number, or the nearest value for one that is out of range; 0 for NaN.
  @inlinable package init(clamping number: Double) {
    if number > -0x1p31, number < 0x1p31 {
      self.init(number)
    } else {
      self = number > 0 ? .max : number < 0 ? .min : 0
    }
  }
}

extension UInt32 {
  /// The whole part of a number, or the nearest value for one that is out of range; 0 for NaN.
  @inlinable package init(clamping number: Double) {
    if number > 0, number < 0x1p32 { self.init(number) } else { self = number > 0 ? .max : 0 }
  }

  /// The whole part of a number, or the nearest value for one that is out of range; 0 for NaN.
  @inlinable package init(clamping number: Float) {
    if number > 0, number < 0x1p32 { self.init(number) } else { self = number > 0 ? .max : 0 }
  }
}

extension UInt8 {
  /// The whole part of a number, or the nearest value for one that is out of range; 0 for NaN.
  @inlinable package init(clamping number: Double) {
    if number > 0, number < 256 { self.init(number) } else { self = number > 0 ? .max : 0 }
  }
}
