/// Conversions of numbers to integers that never trap, since files, services and users may supply any number.
///
/// `Scripts/checks/conversions` finds other conversions.
extension Int {
  /// Creates the integer part of a number; the nearest value when it is out of range, and 0 for NaN.
  @inlinable package init(clamping number: Double) {
    // The least integer is exact as a double; the greatest is not and rounds up.
    if number >= -0x1p63, number < 0x1p63 {
      self.init(number)
    } else {
      self = number > 0 ? .max : number < 0 ? .min : 0
    }
  }
}

extension Int64 {
  /// Creates the integer part of a number; the nearest value when it is out of range, and 0 for NaN.
  @inlinable package init(clamping number: Double) { self.init(Int(clamping: number)) }
}

extension Int32 {
  /// Creates the integer part of a number; the nearest value when it is out of range, and 0 for NaN.
  @inlinable package init(clamping number: Double) {
    if number > -0x1p31, number < 0x1p31 {
      self.init(number)
    } else {
      self = number > 0 ? .max : number < 0 ? .min : 0
    }
  }
}

extension UInt32 {
  /// Creates the integer part of a number; the nearest value when it is out of range, and 0 for NaN.
  @inlinable package init(clamping number: Double) {
    if number > 0, number < 0x1p32 { self.init(number) } else { self = number > 0 ? .max : 0 }
  }

  /// Creates the integer part of a number; the nearest value when it is out of range, and 0 for NaN.
  @inlinable package init(clamping number: Float) {
    if number > 0, number < 0x1p32 { self.init(number) } else { self = number > 0 ? .max : 0 }
  }
}

extension UInt8 {
  /// Creates the integer part of a number; the nearest value when it is out of range, and 0 for NaN.
  @inlinable package init(clamping number: Double) {
    if number > 0, number < 256 { self.init(number) } else { self = number > 0 ? .max : 0 }
  }
}
