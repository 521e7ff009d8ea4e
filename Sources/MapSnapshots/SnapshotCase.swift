import MapState
