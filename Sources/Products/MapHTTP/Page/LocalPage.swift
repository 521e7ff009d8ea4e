/// A page of this server, which loads nothing from other hosts and cannot be shown inside another page.
enum LocalPage {
  /// Returns the response with a page; it asks the paths of this server, and nothing else.
  static func response(_ page: [UInt8]) -> HTTPResponse {
    var response = HTTPResponse(page, type: "text/html; charset=utf-8")
    response.headers += [
      ("Cache-Control", "no-cache"), ("Referrer-Policy", "same-origin"),
      (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' blob: data:; "
          + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      ),
    ]
    return response
  }
}
