// Written by Scripts/make/ramps.

import MapModel

/// The colours of many text values.
enum DistinctColors {
  /// The colours on light ground, from the most frequent value; the first nine are distinguishable with colour blindness.
  ///
  /// - Source: the first nine: Paul Tol, "Colour Schemes", technical note SRON/EPS/TN/09-002, scheme *muted*; a grey is
  ///   reserved for all other values. Design decision: sand, cyan and teal are darker, so that points and lines are seen on
  ///   land and water, and differ from the grey; brown replaces olive, which is too near to sand on thin lines. Each further
  ///   colour is that of a grid in sRGB that differs most (CIEDE2000) from those before it, the grey, and the land and water
  ///   of the basemap.
  static let onLight = colors(
    """
    CC6677 332288 BFBB6B 117733 3D88D9 882255 39B8CC 553300 AA4499 FF7800 FFB4F0 00D296 005A69 B40000 96784B
    0F2D00 696978 FFB4A5 A578FF FFB400 4BA500 3C4BFF 5A5A00 789678 5A0F0F FF3C2D 4B3C3C FF4BD2 A587A5 008787
    5A695A 004B87 87E100 875A4B C3C3F0 878700 D2A578 0F2D2D 3C1E3C B45A00 B400FF 1EB4FF 5A4B78 96D2C3 C31E4B
    3C3C2D C3785A 005A4B C38700 7869B4 788787 8796B4 A5D296 8700A5 D2B4C3 00A587 1E2D4B F00087 875A69 FF87B4
    2D87A5 875A00 695A3C 873C00
    """)
  /// The colours on dark ground, all of them light.
  ///
  /// - Source: design decision: of the colours of published schemes that have a contrast of 3 to the ground, the nine that
  ///   readers confuse least, with colour blindness and without; each further colour as on light ground.
  static let onDark = colors(
    """
    99DDFF EE6677 EEDD88 A58AFF BBCC33 FFAABB AAAA00 CC79A7 FFFFFF 00A587 E17800 0087D2 00FF96 A5A596 2D9600
    D20FF0 00FFF0 FF1E00 E1D2FF 96783C E1B496 C3E1C3 4BA5B4 FFB400 A57869 8787A5 78875A FF96FF 78C369 87FF00
    F00087 FF8769 78A5FF B4B4C3 F0D2D2 788787 FFFF00 C3FFFF D2FFA5 00B4FF A5C3C3 5A78F0 4BD2A5 9669C3 788700
    967887 C3A569 00D2E1 FF4BD2 FFF0D2 C3A5C3 C39696 5A8778 968778 FFA55A C3693C C38700 87B496 B4B4FF B4C387
    1E87A5 D2E1FF E1C300 96FFD2
    """)

  private static func colors(_ text: String) -> [Color] {
    text.split(whereSeparator: \.isWhitespace).compactMap { Color(text: "#\($0)") }
  }
}
