import MapModel
import MapScript
import MapState

/// The symbols and classes that a request asks for.
struct MapStyling {
  var request = StyleRequest()
  var changes: [ClassChange] = []
}

/// The images of a series: one for each feature of a layer, or one for each step of time.
enum SeriesSubject {
  case features(layer: String, field: String?, mutesOthers: Bool)
  case time(TimeStep)
}
