// The interface is implemented in Swift, in MapStateC; this target has only its header.
