import MapImages
import MapState
import MapSystem

/// The reference of a case, as recorded: an image, a record of its contents, and an image of the pixels' owners.
struct SnapshotReference: Sendable {
  /// The names of the reference's files in a case's folder.
  static let fileNames = ["reference.png", "reference.json", "reference-owners.png"]

  private(set) var picture: Bitmap
  private(set) var details: PictureDetails
  /// The encoded images, if they are not encoded again.
  private var pictureBytes: [UInt8]?
  private var ownerBytes: [UInt8]?

  /// Creates the reference of a drawn case.
  ///
  /// - Throws: `MapStateError`.
  init(_ drawn: DrawnSnapshot) async throws(MapStateError) {
    picture = drawn.bitmap
    details = try await PictureDetails(drawn)
  }

  /// Whether another version of MapState drew the reference.
  var isOfOtherVersion: Bool { details.record.drawnBy != "\(Release.version)" }

  /// Reads the reference in a folder; nil if none of its files exists.
  ///
  /// - Throws: `MapStateError`; of kind expectation if one of its files is missing or does not match the image.
  init?(in folder: String) throws(MapStateError) {
    let missing = Self.fileNames.filter { !FileAccess.exists("\(folder)/\($0)") }
    if missing.count == Self.fileNames.count { return nil }
    guard missing.isEmpty else {
      throw MapStateError(.expectation, "\(missing.joined(separator: " and ")) of the reference is missing")
    }
    picture = try Self.picture(at: "\(folder)/reference.png")
    let record: PictureRecord
    do {
      record = try PictureRecord(parsing: FileAccess.read("\(folder)/reference.json"))
    } catch let error as FileError {
      throw MapStateError(error)
    } catch let error as PictureRecord.StaleRecordError {
      throw MapStateError(.expectation, "reference.json \(error.message)")
    } catch {
      throw MapStateError(.input, "\(folder)/reference.json: \(error)")
    }
    let owners = try Self.picture(at: "\(folder)/reference-owners.png")
    guard record.pixels == StableHash.hexadecimal(of: picture.pixels), owners.width == picture.width,
      owners.height == picture.height
    else {
      throw MapStateError(.expectation, "reference.png does not match reference.json; record both again")
    }
    guard record.owners == StableHash.hexadecimal(of: owners.pixels) else {
      throw MapStateError(
        .expectation, "reference-owners.png does not match reference.json; record both again")
    }
    details = PictureDetails(record: record, owners: owners)
  }

  private static func picture(at path: String) throws(MapStateError) -> Bitmap {
    do { return try Bitmap(pngData: FileAccess.read(path)) } catch let error as FileError {
      throw MapStateError(error)
    } catch {
      throw MapStateError(.input, "\(path): \(error)")
    }
  }

  /// Returns the reference with the image files that a folder has, where they are equal within the default tolerance.
  ///
  /// A new record then changes no image that looks the same.
  func keepingPictures(of folder: String) -> SnapshotReference {
    func equal(_ name: String, _ new: Bitmap) -> (bytes: [UInt8], picture: Bitmap)? {
      guard let bytes = try? FileAccess.read("\(folder)/\(name)"), let old = try? Bitmap(pngData: bytes),
        old.width == new.width, old.height == new.height
      else { return nil }
      switch ImageComparison(expected: old, actual: new) {
      case .same: return (bytes, old)
      default: return nil
      }
    }
    var kept = self
    if let found = equal(Self.fileNames[0], picture) {
      (kept.picture, kept.pictureBytes) = (found.picture, found.bytes)
    }
    if details.owners.pixels == equal(Self.fileNames[2], details.owners)?.picture.pixels {
      kept.ownerBytes = equal(Self.fileNames[2], details.owners)?.bytes
    }
    kept.details = PictureDetails(
      record: details.record.with(pixels: StableHash.hexadecimal(of: kept.picture.pixels)),
      owners: details.owners)
    return kept
  }

  /// Returns the files by name.
  ///
  /// - Throws: `MapStateError`.
  func files() throws(MapStateError) -> [(name: String, bytes: [UInt8])] {
    do {
      return [
        ("reference.png", try pictureBytes ?? picture.pngData()),
        ("reference.json", Array(details.record.text.utf8)),
        ("reference-owners.png", try ownerBytes ?? details.owners.pngData()),
      ]
    } catch {
      throw MapStateError(error)
    }
  }

  /// Writes all files into a folder, or none.
  ///
  /// - Throws: `MapStateError`.
  func write(to folder: String) throws(MapStateError) {
    let files = try files().map { (bytes: $0.bytes, path: "\(folder)/\($0.name)") }
    do { try FileAccess.write(files) } catch { throw MapStateError(error) }
  }
}
