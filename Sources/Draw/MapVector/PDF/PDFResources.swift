import MapDrawing
import MapGeometry
import MapImages
import MapModel

/// The objects to which the drawing operators of a document refer by names, each written once.
struct PDFResources {
  var file = PDFFile()
  var font = PDFFont()
  /// The number of the dictionary that all pages and groups share.
  let object: Int
  private var states: [String: String] = [:]
  private var stateNames: [String] = []
  private var forms: [Int] = []
  private var images: [[UInt8]: Int] = [:]

  init() { object = file.reserve() }

  /// Returns the name of the state with an opacity of 0 to 1, and a blend mode.
  mutating func alpha(_ alpha: Double, _ mode: BlendMode? = nil) -> String {
    let value = min(max(alpha, 0), 1).thousandths
    let entries = "/ca \(value) /CA \(value)" + (mode.map { " /BM /\($0.nameInPDF)" } ?? "")
    if let name = states[entries] { return name }
    let name = "s\(stateNames.count)"
    states[entries] = name
    stateNames.append("/\(name) << \(entries) >>")
    return name
  }

  /// Writes a group, and returns its name.
  mutating func group(_ content: PDFContent, width: Double, height: Double) -> String {
    let number = file.addStream(
      "/Type /XObject /Subtype /Form /BBox [0 0 \(width.thousandths) \(height.thousandths)] /Resources \(object) 0 R "
        + "/Group << /S /Transparency /CS /DeviceRGB /I true >> ", content.bytes)
    return name(ofForm: number)
  }

  private mutating func name(ofForm number: Int) -> String {
    forms.append(number)
    return "x\(forms.count - 1)"
  }

  /// Writes an image, and returns its name; equal images are written once.
  mutating func image(_ bitmap: Bitmap) -> String {
    let size = "/Width \(bitmap.width) /Height \(bitmap.height) "
    let key = Array(size.utf8) + bitmap.pixels
    if let known = images[key] { return "x\(known)" }
    var colors: [UInt8] = []
    var alphas: [UInt8] = []
    colors.reserveCapacity(bitmap.pixels.count / 4 * 3)
    let isOpaque = bitmap.isOpaque
    for pixel in stride(from: 0, to: bitmap.pixels.count, by: 4) {
      for channel in 0..<3 { colors.append(bitmap.pixels[pixel + channel]) }
      if !isOpaque { alphas.append(bitmap.pixels[pixel + 3]) }
    }
    let common = "/Type /XObject /Subtype /Image \(size)/BitsPerComponent 8 /Interpolate true "
    let mask =
      isOpaque
      ? "" : "/SMask \(file.addStream(common + "/ColorSpace /DeviceGray ", alphas)) 0 R "
    let number = file.addStream(common + "/ColorSpace /DeviceRGB \(mask)", colors)
    images[key] = forms.count
    return name(ofForm: number)
  }

  /// Writes the font and the shared dictionary.
  mutating func write() {
    font.write(to: &file)
    let objects = forms.enumerated().map { "/x\($0) \($1) 0 R" }.joined(separator: " ")
    let letters = font.object.map { "/Font << /f \($0) 0 R >> " } ?? ""
    file.write(
      object,
      "<< /ExtGState << \(stateNames.joined(separator: " ")) >> \(letters)/XObject << \(objects) >> >>")
  }
}

extension BlendMode {
  /// The name of the mode in PDF, such as `ColorDodge`; meaningless for modes that PDF lacks.
  fileprivate var nameInPDF: String {
    rawValue.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
