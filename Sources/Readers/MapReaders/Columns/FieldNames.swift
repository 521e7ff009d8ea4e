/// The names of fields in files that may leave a name empty or use it twice.
enum FieldNames {
  /// Returns different names that are not empty, in linear time: `a`, `a` and an empty name become `a`, `a_2`
  /// and `field3`.
  static func distinct(_ names: [String]) -> [String] {
    // For each name in use, the number to try for its next duplicate.
    var numbers: [String: Int] = [:]
    return names.enumerated().map { index, written in
      let wanted = written.isEmpty ? "field\(index + 1)" : written
      var name = wanted
      if var number = numbers[wanted] {
        repeat {
          name = "\(wanted)_\(number)"
          number += 1
        } while numbers[name] != nil
        numbers[wanted] = number
      }
      numbers[name] = 2
      return name
    }
  }
}
