/// Differences between pictures.
public struct Bitmap {}
