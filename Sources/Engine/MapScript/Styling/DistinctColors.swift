// Written by Scripts/make/ramps.

import MapModel

/// The colours of many text values.
enum DistinctColors {
  /// The colours on light ground, from the most frequent value; the first nine are distinguishable with colour blindness.
  ///
  /// - Source: the first nine: Paul Tol, "Colour Schemes", technical note SRON/EPS/TN/09-002, scheme *muted*; a grey is
  ///   reserved for all other values. Design decision: sand, cyan and teal are darker, so that points and lines are seen on
  ///   land and water, and differ from the grey. Each further colour is that of a grid in sRGB that differs most
  ///   (CIEDE2000) from those before it, the grey, and the land and water of the basemap.
  static let onLight = colors(
    """
    CC6677 332288 BFBB6B 117733 3D88D9 882255 39B8CC 999933 AA4499 874B00 FF8700 FFB4F0 00D296 005A69 3C3C0F
    690000 E10000 696978 FFB4A5 A578FF 69E100 3C4BFF 698778 967869 002D1E 4B3C3C 786900 FF4BD2 0FA51E FFC300
    A587A5 004B87 C3C3F0 FF694B B47800 3C1E3C 008796 4B5A4B C3003C 96C3B4 D2A578 B400FF 874B3C 4B2D0F 1EB4FF
    00A596 5A4B78 875A69 004B00 002D3C C35A00 87B478 7869B4 00695A 969678 8796B4 8700A5 695A3C D2B4C3 4B0F1E
    E10078 00E1D2 5A7800 FF87B4
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
