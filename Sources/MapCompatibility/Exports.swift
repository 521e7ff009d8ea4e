// What came with a view framework on Apple systems, so that a model file needs one import.
@_exported public import Foundation
@_exported public import MapState
@_exported public import Observation
