/// The form of the pages of a service: how they are requested, read and followed.
///
/// By default, pages are those of an OGC API, each with a link to the next one.
struct OGCPageForm: Sendable {
  /// The media types that are requested.
  var types = OGCPages.types
  /// Reads a page.
  var read: @Sendable (HTTPResponse) throws(ServiceError) -> OGCFeaturePage = {
    (response) throws(ServiceError) in try OGCFeaturePage(response)
  }
  /// Returns the request after a page, given the first request and the number of features received for it.
  var next: @Sendable (OGCFeaturePage, HTTPRequest, Int) throws(ServiceError) -> HTTPRequest? = {
    (page, _, _) throws(ServiceError) in try page.links.request(to: "next")
  }
  /// Whether features without an id are numbered in the service's order.
  var numbersFeatures = false
  /// The end of an error about a repeated feature.
  var hint = ""
}
