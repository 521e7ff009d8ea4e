extension PictureRecord {
  /// Returns the warnings of a record that an earlier one does not have.
  static func newWarnings(from before: PictureRecord, to after: PictureRecord) -> [String] {
    var known: [String: Int] = [:]
    // Numbers in a warning, such as counts of features, depend on the data.
    func shape(_ warning: String) -> String {
      warning.hasPrefix("$") ? warning : warning.filter { !$0.isNumber }
    }
    for warning in before.warnings { known[shape(warning), default: 0] += 1 }
    return after.warnings.filter { warning in
      let key = shape(warning)
      guard let count = known[key], count > 0 else { return true }
      known[key] = count - 1
      return false
    }
  }
}
