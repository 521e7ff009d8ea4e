import MapDrawing

/// The parts of the pages of a document, by which readers find their way.
///
/// - Source: ISO 32000-1:2008, section 14.8.
struct PDFTags {
  private struct Part {
    let tag: String
    let alternative: String
    let mark: Int
  }

  private var pages: [(number: Int, parts: [Part])] = []

  /// Begins a page with a number in the file.
  mutating func begin(page number: Int) { pages.append((number, [])) }

  /// Returns the operators that open a part.
  ///
  /// - Parameter alternative: a text that replaces the part; empty for none.
  mutating func open(_ tag: String, alternative: String = "") -> String {
    guard !pages.isEmpty else { return "/Artifact BMC\n" }
    let mark = pages[pages.count - 1].parts.count
    pages[pages.count - 1].parts.append(Part(tag: tag, alternative: alternative, mark: mark))
    return "/\(tag) << /MCID \(mark) >> BDC\n"
  }

  /// Returns the operators that open a part of a page by the name of its layer.
  mutating func open(part name: String) -> String {
    switch name {
    case "title": open("H1")
    case "frame": "/Artifact BMC\n"
    case "north arrow": open("Figure", alternative: "North arrow")
    default: open("P")
    }
  }

  /// Writes the tree, and returns its number.
  func write(to file: inout PDFFile) -> Int {
    let (root, document) = (file.reserve(), file.reserve())
    var (kids, parents): ([String], [String]) = ([], [])
    for (index, page) in pages.enumerated() {
      let numbers = page.parts.map { part in
        file.add(
          "<< /Type /StructElem /S /\(part.tag) /P \(document) 0 R /Pg \(page.number) 0 R /K \(part.mark)"
            + (part.alternative.isEmpty ? "" : " /Alt \(PDFFile.string(part.alternative)) /Lang (en)") + " >>"
        )
      }
      // A title is drawn after the map, and read before it.
      let order = zip(page.parts, numbers).filter { $0.0.tag == "H1" }.map(\.1)
      kids += (order + numbers.filter { !order.contains($0) }).map { "\($0) 0 R" }
      parents.append("\(index) [\(numbers.map { "\($0) 0 R" }.joined(separator: " "))]")
    }
    file.write(
      document,
      "<< /Type /StructElem /S /Document /P \(root) 0 R /K [\(kids.joined(separator: " "))] >>")
    file.write(
      root,
      "<< /Type /StructTreeRoot /K \(document) 0 R /ParentTreeNextKey \(pages.count) /ParentTree << /Nums "
        + "[\(parents.joined(separator: " "))] >> >>")
    return root
  }
}
