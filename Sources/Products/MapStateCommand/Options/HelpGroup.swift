/// The titles of option groups in help, the same for every command.
enum HelpGroup {
  static let output = "Output"
  static let drawing = "Drawing"
  static let style = "Style"
  static let layout = "Legend and titles"
  static let statistics = "Statistics"
  static let features = "Features"
  static let question = "Question"
  static let translation = "Translation"
  static let cases = "Cases"
  static let view = "View"
  static let layers = "Layers"
  static let filters = "Filters"
  static let services = "Files and services"
  static let messages = "Messages"
  static let limits = "Limits"
}
