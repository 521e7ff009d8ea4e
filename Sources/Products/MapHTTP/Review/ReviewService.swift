import MapJSON
import MapSnapshots
import MapState
import MapSystem
import Synchronization

/// The answers of the server of a review: a page, the failed cases, their images, and decisions.
package final class ReviewService: Sendable {
  private let origin: OriginCheck
  /// The review; one request reads or changes its files at a time.
  private let review: Mutex<SnapshotReview>

  /// Creates the answers for a review.
  package init(_ review: SnapshotReview, origin: OriginCheck) {
    self.review = Mutex(review)
    self.origin = origin
  }

  /// Answers a request.
  package func answer(_ request: HTTPRequest) -> HTTPResponse {
    do {
      let request = try origin.admit(request)
      var response = try response(to: request)
      if request.path.first != nil { response.headers.append(("Cache-Control", "no-store")) }
      response.compress(for: request)
      return response
    } catch {
      return HTTPFault(error).response
    }
  }

  private func response(to request: HTTPRequest) throws -> HTTPResponse {
    let (first, rest) = (request.path.first ?? "", Array(request.path.dropFirst()))
    if let decision = ["accept": SnapshotReview.Decision.accepted, "reject": .rejected][first], !rest.isEmpty
    {
      try origin.checkWriting(request)
      let asked = try RequestParameter.decode(
        request.query, [RequestParameter("report", .text, "Revision of the report that was looked at.")])
      let name = rest.joined(separator: "/")
      try review.withLock { try $0.decide(decision, name, revision: asked["report"]?.string) }
      return HTTPResponse(json: ["case": .string(name), "decision": .string(decision.rawValue)])
    }
    guard ["GET", "HEAD"].contains(request.method) else {
      throw HTTPFault(405, "\(request.method): only GET and HEAD are allowed")
    }
    _ = try RequestParameter.decode(request.query, [])
    switch (first, rest.count) {
    case ("", 0): return LocalPage.response(PackageResources.review_html)
    case ("health", 0):
      return HTTPResponse(json: ["status": "ok", "release": .string("\(Release.version)")])
    case ("report.json", 0): return HTTPResponse(json: try review.withLock { try $0.list() })
    case ("images", 2...):
      return try review.withLock {
        try $0.image(rest[0], of: rest.dropFirst().joined(separator: "/"))
      }
    default: throw HTTPFault(404, "no such path; see /")
    }
  }
}
