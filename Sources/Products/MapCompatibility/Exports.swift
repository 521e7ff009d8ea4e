// Modules that a view framework exports on Apple platforms, so that a model file needs one import.
@_exported public import Foundation
@_exported public import MapState
@_exported public import Observation
