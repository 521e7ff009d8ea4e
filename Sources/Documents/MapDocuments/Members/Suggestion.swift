import MapJSON

extension [String: DocumentObject] {
  /// Returns `; did you mean "simple"?` for a word that is nearly one of the keys; empty text for all others.
  func suggestion(for word: String) -> String {
    guard self[word] == nil else { return "" }
    return NearestName.of(word, among: keys.sorted()).map { "; did you mean \"\($0)\"?" } ?? ""
  }
}
