import FoundationEssentials
import Testing

/// A PNG written by another program, and its pixels.
struct PNGFixture: CustomTestStringConvertible {
  let testDescription: String
  let png: [UInt8]
  /// 13 by 9 pixels, RGBA of 8 bits.
  let pixels: [UInt8]

  private init(_ name: String, png: String, pixels: String) {
    testDescription = name
    self.png = Self.bytes(png)
    self.pixels = Self.bytes(pixels)
  }

  private static func bytes(_ text: String) -> [UInt8] {
    [UInt8](Data(base64Encoded: text.filter { !$0.isWhitespace }) ?? Data())
  }

  /// Images of random pixels in all colour types.
  ///
  /// Source: written by Pillow 13.0.0; those with interlacing, gamma or 16-bit RGB by a script of 20 lines
  /// over Python's zlib, checked with Pillow where they have 8 bits or less. The pixels are the written ones,
  /// with 16 bits scaled by 255 / 65,535 to the nearest.
  static let all: [PNGFixture] = [
    PNGFixture(
      "palette of 1 bits",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAQMAAADTtDQpAAAABlBMVEWlTcoYJTCJOrmLAAAAJElEQVR4nGNoU2BU
        zGdQ/MGUdoHpkgYT3wsGlQeM7ycycusCAGw1CDvtdu6BAAAAAElFTkSuQmCC
        """,
      pixels: """
        GCUw/6VNyv+lTcr/pU3K/6VNyv8YJTD/GCUw/6VNyv+lTcr/pU3K/xglMP+lTcr/pU3K/6VNyv+lTcr/GCUw/6VN
        yv+lTcr/pU3K/6VNyv8YJTD/GCUw/6VNyv+lTcr/GCUw/6VNyv+lTcr/pU3K/xglMP+lTcr/pU3K/6VNyv+lTcr/
        GCUw/xglMP8YJTD/GCUw/xglMP8YJTD/GCUw/6VNyv+lTcr/pU3K/6VNyv8YJTD/GCUw/xglMP8YJTD/GCUw/6VN
        yv+lTcr/GCUw/6VNyv8YJTD/pU3K/xglMP8YJTD/pU3K/6VNyv8YJTD/GCUw/xglMP8YJTD/GCUw/6VNyv+lTcr/
        GCUw/xglMP+lTcr/pU3K/xglMP8YJTD/GCUw/xglMP8YJTD/pU3K/xglMP8YJTD/pU3K/6VNyv8YJTD/pU3K/6VN
        yv8YJTD/pU3K/6VNyv8YJTD/GCUw/xglMP+lTcr/pU3K/xglMP8YJTD/GCUw/6VNyv8YJTD/GCUw/xglMP8YJTD/
        GCUw/6VNyv+lTcr/pU3K/6VNyv+lTcr/pU3K/6VNyv+lTcr/GCUw/6VNyv8YJTD/GCUw/6VNyv+lTcr/GCUw/xgl
        MP8YJTD/
        """),
    PNGFixture(
      "palette of 1 bits, clear colours",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAQMAAADTtDQpAAAABlBMVEWlTcoYJTCJOrmLAAAAAnRSTlNAGwyPS9EA
        AAAkSURBVHicY2hTYFTMZ1D8wZR2gemSBhPfCwaVB4zvJzJy6wIAbDUIO+127oEAAAAASUVORK5CYII=
        """,
      pixels: """
        GCUwG6VNykClTcpApU3KQKVNykAYJTAbGCUwG6VNykClTcpApU3KQBglMBulTcpApU3KQKVNykClTcpAGCUwG6VN
        ykClTcpApU3KQKVNykAYJTAbGCUwG6VNykClTcpAGCUwG6VNykClTcpApU3KQBglMBulTcpApU3KQKVNykClTcpA
        GCUwGxglMBsYJTAbGCUwGxglMBsYJTAbGCUwG6VNykClTcpApU3KQKVNykAYJTAbGCUwGxglMBsYJTAbGCUwG6VN
        ykClTcpAGCUwG6VNykAYJTAbpU3KQBglMBsYJTAbpU3KQKVNykAYJTAbGCUwGxglMBsYJTAbGCUwG6VNykClTcpA
        GCUwGxglMBulTcpApU3KQBglMBsYJTAbGCUwGxglMBsYJTAbpU3KQBglMBsYJTAbpU3KQKVNykAYJTAbpU3KQKVN
        ykAYJTAbpU3KQKVNykAYJTAbGCUwGxglMBulTcpApU3KQBglMBsYJTAbGCUwG6VNykAYJTAbGCUwGxglMBsYJTAb
        GCUwG6VNykClTcpApU3KQKVNykClTcpApU3KQKVNykClTcpAGCUwG6VNykAYJTAbGCUwG6VNykClTcpAGCUwGxgl
        MBsYJTAb
        """),
    PNGFixture(
      "palette of 2 bits",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAgMAAACUFE75AAAADFBMVEXpyMvMyTX2zR9hImojVe7vAAAANklEQVR4
        nGO4xKjgwMSx/r4DkwVLKgOT+NOfBxgf3GR0Y0lXuMjAeJeNz5/R3eg4A+OVoyLBAD3nDkY4UjXNAAAAAElFTkSu
        QmCC
        """,
      pixels: """
        YSJq/8zJNf/pyMv/9s0f/+nIy//pyMv/6cjL/8zJNf/pyMv/9s0f/+nIy//pyMv/zMk1/2Eiav/MyTX/9s0f//bN
        H//2zR//YSJq/+nIy//pyMv/YSJq/2Eiav9hImr/YSJq//bNH//pyMv/zMk1/+nIy//2zR//9s0f/2Eiav/MyTX/
        6cjL/8zJNf/2zR//zMk1/+nIy//2zR//6cjL//bNH//2zR//zMk1//bNH//MyTX/9s0f/8zJNf/MyTX/zMk1/2Ei
        av/MyTX/zMk1/2Eiav/2zR//6cjL/+nIy//2zR//YSJq//bNH//MyTX/9s0f/2Eiav/2zR//9s0f/+nIy//MyTX/
        6cjL/8zJNf9hImr/zMk1//bNH//MyTX/YSJq/+nIy/9hImr/9s0f/+nIy//pyMv/YSJq/8zJNf9hImr/zMk1/2Ei
        av/2zR//6cjL/2Eiav9hImr/YSJq/+nIy//MyTX/zMk1/8zJNf/pyMv/zMk1/2Eiav/MyTX/YSJq//bNH//MyTX/
        zMk1/+nIy//pyMv/6cjL/8zJNf9hImr/zMk1/8zJNf/pyMv/9s0f/8zJNf/2zR//zMk1//bNH//2zR//YSJq/8zJ
        Nf/pyMv/
        """),
    PNGFixture(
      "palette of 2 bits, clear colours",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAgMAAACUFE75AAAADFBMVEXpyMvMyTX2zR9hImojVe7vAAAABHRSTlO1
        6tdCa+H+IAAAADZJREFUeJxjuMSo4MDEsf6+A5MFSyoDk/jTnwcYH9xkdGNJV7jIwHiXjc+f0d3oOAPjlaMiwQA9
        5w5GOFI1zQAAAABJRU5ErkJggg==
        """,
      pixels: """
        YSJqQszJNerpyMu19s0f1+nIy7XpyMu16cjLtczJNerpyMu19s0f1+nIy7XpyMu1zMk16mEiakLMyTXq9s0f1/bN
        H9f2zR/XYSJqQunIy7XpyMu1YSJqQmEiakJhImpCYSJqQvbNH9fpyMu1zMk16unIy7X2zR/X9s0f12EiakLMyTXq
        6cjLtczJNer2zR/XzMk16unIy7X2zR/X6cjLtfbNH9f2zR/XzMk16vbNH9fMyTXq9s0f18zJNerMyTXqzMk16mEi
        akLMyTXqzMk16mEiakL2zR/X6cjLtenIy7X2zR/XYSJqQvbNH9fMyTXq9s0f12EiakL2zR/X9s0f1+nIy7XMyTXq
        6cjLtczJNephImpCzMk16vbNH9fMyTXqYSJqQunIy7VhImpC9s0f1+nIy7XpyMu1YSJqQszJNephImpCzMk16mEi
        akL2zR/X6cjLtWEiakJhImpCYSJqQunIy7XMyTXqzMk16szJNerpyMu1zMk16mEiakLMyTXqYSJqQvbNH9fMyTXq
        zMk16unIy7XpyMu16cjLtczJNephImpCzMk16szJNerpyMu19s0f18zJNer2zR/XzMk16vbNH9f2zR/XYSJqQszJ
        NerpyMu1
        """),
    PNGFixture(
      "palette of 4 bits",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJBAMAAAAbVLtZAAAAMFBMVEVNCeFdAkxYSPI9H6b3Nh1/YY0VMucOIOKm
        Zo3n9H6EZ+VG1T7I4qEle9slbJs+T7uNneUJAAAAU0lEQVR4nAFIALf/AUgGJVyIBmMBrb43Dv4y4AT8uAi1Waro
        AdjsNi7tva4BAoDwEV3N0wQ/8eaj5i0QAOWLCBAG9+AEWL8L5OrURQQDLK09t64AaFsfudlpuckAAAAASUVORK5C
        YII=
        """,
      pixels: """
        9zYd/6Zmjf/3Nh3/JWyb/w4g4v89H6b/yOKh/z5Pu/9/YY3/DiDi/39hjf8le9v/yOKh/4Rn5f8le9v/FTLn/0bV
        Pv+EZ+X/WEjy/0bVPv9NCeH/hGfl/yVsm/8lbJv/TQnh/8jiof+EZ+X/5/R+/1hI8v89H6b/DiDi/z0fpv9YSPL/
        pmaN/6Zmjf9dAkz/f2GN/6Zmjf/3Nh3/JXvb/6Zmjf/I4qH/9zYd/z5Pu/+EZ+X/WEjy/6Zmjf9dAkz/f2GN/yV7
        2/9YSPL/pmaN/00J4f9YSPL/pmaN/1hI8v8OIOL/WEjy/6Zmjf89H6b/JWyb/00J4f+EZ+X/JXvb/6Zmjf/3Nh3/
        XQJM/w4g4v89H6b/f2GN/6Zmjf9dAkz/f2GN/xUy5//n9H7/5/R+/xUy5//n9H7/JWyb/39hjf+mZo3/RtU+/00J
        4f+mZo3/XQJM/00J4f9NCeH/FTLn/z5Pu/8OIOL/JWyb/z0fpv8le9v/Pk+7/8jiof/n9H7/FTLn/w4g4v+EZ+X/
        FTLn//c2Hf/I4qH/RtU+/10CTP/3Nh3/TQnh/1hI8v+mZo3/JXvb/39hjf9dAkz/WEjy/8jiof/n9H7/DiDi/+f0
        fv9dAkz/
        """),
    PNGFixture(
      "palette of 4 bits, clear colours",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJBAMAAAAbVLtZAAAAMFBMVEVNCeFdAkxYSPI9H6b3Nh1/YY0VMucOIOKm
        Zo3n9H6EZ+VG1T7I4qEle9slbJs+T7uNneUJAAAAEHRSTlPrXlCJ5AGGuqilfRGeb7ZdwUomAgAAAFNJREFUeJwB
        SAC3/wFIBiVciAZjAa2+Nw7+MuAE/LgItVmq6AHY7DYu7b2uAQKA8BFdzdMEP/Hmo+YtEADliwgQBvfgBFi/C+Tq
        1EUEAyytPbeuAGhbH7nZabnJAAAAAElFTkSuQmCC
        """,
      pixels: """
        9zYd5KZmjaj3Nh3kJWybtg4g4ro9H6aJyOKhnj5Pu11/YY0BDiDiun9hjQEle9tvyOKhnoRn5X0le9tvFTLnhkbV
        PhGEZ+V9WEjyUEbVPhFNCeHrhGflfSVsm7YlbJu2TQnh68jioZ6EZ+V95/R+pVhI8lA9H6aJDiDiuj0fpolYSPJQ
        pmaNqKZmjahdAkxef2GNAaZmjaj3Nh3kJXvbb6ZmjajI4qGe9zYd5D5Pu12EZ+V9WEjyUKZmjahdAkxef2GNASV7
        229YSPJQpmaNqE0J4etYSPJQpmaNqFhI8lAOIOK6WEjyUKZmjag9H6aJJWybtk0J4euEZ+V9JXvbb6Zmjaj3Nh3k
        XQJMXg4g4ro9H6aJf2GNAaZmjahdAkxef2GNARUy54bn9H6l5/R+pRUy54bn9H6lJWybtn9hjQGmZo2oRtU+EU0J
        4eumZo2oXQJMXk0J4etNCeHrFTLnhj5Pu10OIOK6JWybtj0fpokle9tvPk+7XcjioZ7n9H6lFTLnhg4g4rqEZ+V9
        FTLnhvc2HeTI4qGeRtU+EV0CTF73Nh3kTQnh61hI8lCmZo2oJXvbb39hjQFdAkxeWEjyUMjioZ7n9H6lDiDiuuf0
        fqVdAkxe
        """),
    PNGFixture(
      "palette of 8 bits",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAMAAADepFZYAAACWFBMVEUAq8Mq845mfwIuhy1JzBXJC5mbdytPx6b9
        TJFKFttHCHUrDxVEuDXA5xkJffqHAekjLyHygSaHeGl26/zDJ/WTF2UnS6mCm0QG9h/4iTJv+pSS7e7uPGafK/II
        lOon5onGa2smLkiGuEOPObp2/vjJDFEB++bPmkjVsMChPakApq3LPWQGlIG+IcnHJ7jbjBiPNBqSTH+I36Fhv9sO
        zGgpGdLmRpL4GUFX8dSvkJiChc96mvfJPVVSJmr+cOeq5tpHYnwuWa8uo3q8hGcK08TTa8CKrR//jrhAbi+Kf8TM
        5N2fC0EQ2fL6ACXI7+V/N3JPTTfqKxQAQHcTm0GA3zkyJJlixoVyAAWa646hfPN4fg7SnRwLY//XKYN02b10/BGt
        17nKZQOVImn9Zp9jdu5xh5c3/V9y+NUcSskbbQxI1BoeXsnmoDkoVKhhXu8Qn8G/qeJWNwEojymz1z9qwrae3SwZ
        8mS+5GKluvIP0n7PFMAR7SAfg2MgrbmLqxaGoo2YASEMdzbz7sWA3PxD/l0Em014p6PruShlyFF+0CER9qZS2jUk
        hytqMdf/5Fh3RNXreD6Wlo+JvoKFZeB+X314TpBgpyHKgH12M+0SNALzduW/FJZ3PRlhYya+W+WFAzazbxO8rkgW
        aIITaAWn0b5enydoEP33INAzyk8uU8uK0ZGd1RqfttTVCbpkyM9oA95Q2Douz7rrU0IHGkjLLb1XSrKRUlciN8T7
        ZZpAFvehG8YsUnHPZPJdbxXMUMS3P0x+YhUTpTzH6ZzXnX/Zx7zk4FsLAfrueOQgKihUAAAAiUlEQVR4nAF+AIH/
        AMOex3UteWYbESBbbl0AF3GBgqgKCqIhFbtQxwC4ghQNwIFgpyIGEJ27ALEcMSF9SSqvuDgQWZwAwUAoUp1GdCRB
        gHo1lwBDnYE8UV8JMi5nKaJHAK1TYCtDHcSHDKJcc44AhZSwGkCJoWS8X0NgXgCTJVxUwxRxOi2dvgxLCzAs9i82
        vBoAAAAASUVORK5CYII=
        """,
      pixels: """
        151//75b5f/ueOT/nt0s/74hyf8P0n7/N/1f/5Lt7v/ygSb/xmtr/9KdHP9hXu//1ymD/4KbRP9WNwH/DHc2//Pu
        xf8zyk//Rwh1/0cIdf8WaIL/Ji5I/5MXZf8sUnH/T003/+545P/7ZZr/8+7F/8Mn9f/A5xn/fmIV/wx3Nv+t17n/
        9yDQ/4a4Q/+bdyv/Iy8h/2FjJv8sUnH/Ls+6/+48Zv+STH//Ji5I/yCtuf+Kf8T/AKat/2gD3v/7ZZr/V/HU/yMv
        If+hfPP/dz0Z/xOlPP9HYnz/1bDA/wBAd/9hYyb/iq0f/2rCtv92/vj/Llmv/5gBIf/PFMD/KRnS/8qAff+8hGf/
        YWMm/wx3Nv/JPVX/6isU/3T8Ef9KFtv/iN+h/8cnuP9y+NX/oT2p/xZogv//jrj/1Qm6/xObQf+t17n/yz1k/7yE
        Z/+fK/L/2ce8/+u5KP9EuDX/FmiC/wtj//+z1z///+RY/wSbTf9+X33/UNg6/2/6lP9HYnz/ftAh/7yuSP9jdu7/
        z2Ty/3T8Ef+8hGf/rde5/3TZvf+FZeD/yQxR/wtj//+A3zn/151//8Mn9f9WNwH/goXP/74hyf9hYyb/zFDE/0S4
        Nf+fC0H/
        """),
    PNGFixture(
      "palette of 8 bits, clear colours",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAMAAADepFZYAAACWFBMVEUAq8Mq845mfwIuhy1JzBXJC5mbdytPx6b9
        TJFKFttHCHUrDxVEuDXA5xkJffqHAekjLyHygSaHeGl26/zDJ/WTF2UnS6mCm0QG9h/4iTJv+pSS7e7uPGafK/II
        lOon5onGa2smLkiGuEOPObp2/vjJDFEB++bPmkjVsMChPakApq3LPWQGlIG+IcnHJ7jbjBiPNBqSTH+I36Fhv9sO
        zGgpGdLmRpL4GUFX8dSvkJiChc96mvfJPVVSJmr+cOeq5tpHYnwuWa8uo3q8hGcK08TTa8CKrR//jrhAbi+Kf8TM
        5N2fC0EQ2fL6ACXI7+V/N3JPTTfqKxQAQHcTm0GA3zkyJJlixoVyAAWa646hfPN4fg7SnRwLY//XKYN02b10/BGt
        17nKZQOVImn9Zp9jdu5xh5c3/V9y+NUcSskbbQxI1BoeXsnmoDkoVKhhXu8Qn8G/qeJWNwEojymz1z9qwrae3SwZ
        8mS+5GKluvIP0n7PFMAR7SAfg2MgrbmLqxaGoo2YASEMdzbz7sWA3PxD/l0Em014p6PruShlyFF+0CER9qZS2jUk
        hytqMdf/5Fh3RNXreD6Wlo+JvoKFZeB+X314TpBgpyHKgH12M+0SNALzduW/FJZ3PRlhYya+W+WFAzazbxO8rkgW
        aIITaAWn0b5enydoEP33INAzyk8uU8uK0ZGd1RqfttTVCbpkyM9oA95Q2Douz7rrU0IHGkjLLb1XSrKRUlciN8T7
        ZZpAFvehG8YsUnHPZPJdbxXMUMS3P0x+YhUTpTzH6ZzXnX/Zx7zk4FsLAfrueOQgKihUAAAAyHRSTlOBnqAAEXFM
        lN3VuhhD+nQXCxsBtZs2tnLTmkRou/NRRAd8TOYxIEqKzYcFHLPj/H9UABYfDM9feVEdNQZkSNNm1FmeIJkY9APA
        3+4p51lzNYV2Ez+rhhqI34eXbysHVoV4Z1GnYseoesLw8QMN33edbMgnV0oQDTk2UrBIDg8VRhUiFyG6ZiHENn5p
        aDkRESyT9DNDMmiWo6zYhQqzg5AYvKTzkw/TD98ysfAYbi6TV98AZ5MbArL7MPte/bGFUZFtdv9UOCn7NVWi2xsA
        AACJSURBVHicAX4Agf8Aw57HdS15ZhsRIFtuXQAXcYGCqAoKoiEVu1DHALiCFA3AgWCnIgYQnbsAsRwxIX1JKq+4
        OBBZnADBQChSnUZ0JEGAejWXAEOdgTxRXwkyLmcpokcArVNgK0MdxIcMolxzjgCFlLAaQImhZLxfQ2BeAJMlXFTD
        FHE6LZ2+DEsLMCz2Lza8GgAAAABJRU5ErkJggg==
        """,
      pixels: """
        151/VL5b5ZDueOQ1nt0sEL4hyeMP0n5SN/1fqJLt7mjygSYbxmtrB9KdHG9hXu931ymDB4KbRHJWNwHIDHc2IvPu
        xRczyk8yRwh1ukcIdboWaILzJi5IfJMXZTYsUnH9T003he545DX7ZZow8+7FF8Mn9ZvA5xn6fmIVbQx3NiKt17l4
        9yDQ34a4Q0ybdytMIy8hC2FjJoMsUnH9Ls+6AO48ZruSTH8AJi5IfCCtuQ+Kf8TfAKatBWgD3lf7ZZowV/HUUSMv
        IQuhfPOHdz0ZsxOlPHZHYnzU1bDAzQBAdxNhYyaDiq0f9GrCtkp2/vgxLlmvWZgBIRXPFMCwKRnSz8qAfaO8hGcg
        YWMmgwx3NiLJPVVk6isUdnT8EYVKFtvViN+hFscnuPxy+NV6oT2phxZogvP/jrgD1Qm6LhObQT+t17l4yz1kHLyE
        ZyCfK/Lz2ce8OOu5KMREuDVDFmiC8wtj/yuz1z9X/+RYEQSbTWZ+X30yUNg632/6lERHYnzUftAhfryuSKRjdu5i
        z2TysXT8EYW8hGcgrde5eHTZvVaFZeBDyQxRIAtj/yuA3zmr151/VMMn9ZtWNwHIgoXPNb4hyeNhYyaDzFDEUUS4
        NUOfC0Ep
        """),
    PNGFixture(
      "grey of 8 bits",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAAAAADMEfm2AAAAiUlEQVR4nAF+AIH/AKe2MM3KLNgMvmmbhtsCsAxH
        Hnbl2puRfQrQEgHgo/PKa0GN6SYStQAvAscv3Dj8dAvSzJoVdc8BS0/+Rq7Y0/9Z2l0nJAAGzN9xl+0LSIPPAnzc
        AtGpluuo+9JYAmPUAPAAUIDY9+kK0V2nBcf6NgETbe/jFEyBtn+LFbXyPa0+mU5uUxgAAAAASUVORK5CYII=
        """,
      pixels: """
        p6en/7a2tv8wMDD/zc3N/8rKyv8sLCz/2NjY/wwMDP++vr7/aWlp/5ubm/+Ghob/29vb/1dXV//CwsL/d3d3/+vr
        6/9AQED/ERER/7Kysv+np6f/T09P/+bm5v+lpaX/VlZW/+3t7f/g4OD/g4OD/3Z2dv9AQED/q6ur/+zs7P95eXn/
        YmJi/4iIiP+ampr/T09P/09PT/9+fn7/p6en/7Kysv9SUlL/eHh4/6enp/9gYGD/hISE/zQ0NP9UVFT/NDQ0/2Rk
        ZP/ExMT/TU1N/0tLS/+ampr/mJiY/97e3v+MjIz/ZGRk/zc3N/82Njb/j4+P/2lpaf/Gxsb/7e3t/xEREf8GBgb/
        zMzM/9/f3/9xcXH/l5eX/+3t7f8LCwv/SEhI/4ODg//Pz8//AgIC/3x8fP/c3Nz/19fX/3V1df91dXX/XFxc/z8/
        P//o6Oj/3d3d/6CgoP+FhYX/MjIy/9bW1v98fHz/zMzM/1BQUP+AgID/2NjY//f39//p6en/CgoK/9HR0f9dXV3/
        p6en/wUFBf/Hx8f/+vr6/zY2Nv8TExP/gICA/29vb/9SUlL/ZmZm/7Kysv8zMzP/6enp/2hoaP/z8/P/CAgI/729
        vf+vr6//
        """),
    PNGFixture(
      "grey of 8 bits, one clear",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAAAAADMEfm2AAAAAnRSTlMApz4h+3MAAACJSURBVHicAX4Agf8Bpw96
        nf3dMTSyqzLrVQBXwnfrQBGyp0/mpVbtAeCj88prQY3pJhK1AC8Cxy/cOPx0C9LMmhV1zwFLT/5GrtjT/1naXSck
        AAbM33GX7QtIg88CfNwC0amW66j70lgCY9QA8ABQgNj36QrRXacFx/o2ARNt7+MUTIG2f4sVtfKOKz9z/VA2xwAA
        AABJRU5ErkJggg==
        """,
      pixels: """
        p6enALa2tv8wMDD/zc3N/8rKyv+np6cA2NjY/wwMDP++vr7/aWlp/5ubm/+Ghob/29vb/1dXV//CwsL/d3d3/+vr
        6/9AQED/ERER/7Kysv+np6cAT09P/+bm5v+lpaX/VlZW/+3t7f/g4OD/g4OD/3Z2dv9AQED/q6ur/+zs7P95eXn/
        YmJi/4iIiP+ampr/T09P/09PT/9+fn7/p6enALKysv9SUlL/eHh4/6enpwBgYGD/hISE/zQ0NP9UVFT/NDQ0/2Rk
        ZP/ExMT/TU1N/0tLS/+ampr/mJiY/97e3v+MjIz/ZGRk/zc3N/82Njb/j4+P/2lpaf/Gxsb/7e3t/xEREf8GBgb/
        zMzM/9/f3/9xcXH/l5eX/+3t7f8LCwv/SEhI/4ODg//Pz8//AgIC/3x8fP/c3Nz/19fX/3V1df91dXX/XFxc/z8/
        P//o6Oj/3d3d/6CgoP+FhYX/MjIy/9bW1v98fHz/zMzM/1BQUP+AgID/2NjY//f39//p6en/CgoK/9HR0f9dXV3/
        p6enAAUFBf/Hx8f/+vr6/zY2Nv8TExP/gICA/29vb/9SUlL/ZmZm/7Kysv8zMzP/6enp/2hoaP/z8/P/CAgI/729
        vf+vr6//
        """),
    PNGFixture(
      "black and white",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAQAAAADBAZvHAAAAJElEQVR4nGM49YHB5gYDywfGe5dYZF4xOHMwTvrH
        dMWBSVMBAJQdCbt1ucLbAAAAAElFTkSuQmCC
        """,
      pixels: """
        //////////8AAAD/AAAA//////8AAAD//////wAAAP//////////////////////AAAA/wAAAP8AAAD/////////
        /////////////wAAAP8AAAD///////////8AAAD///////////8AAAD/AAAA/wAAAP8AAAD/AAAA//////8AAAD/
        AAAA//////////////////////8AAAD///////////8AAAD//////////////////////wAAAP//////AAAA////
        ////////AAAA////////////////////////////AAAA//////8AAAD///////////8AAAD/AAAA//////8AAAD/
        /////wAAAP8AAAD/AAAA/wAAAP///////////wAAAP8AAAD/AAAA/wAAAP///////////wAAAP8AAAD//////wAA
        AP8AAAD//////wAAAP//////AAAA/wAAAP//////AAAA/wAAAP///////////wAAAP8AAAD///////////8AAAD/
        //////////8AAAD//////wAAAP//////AAAA/wAAAP8AAAD/////////////////////////////////////////
        //8AAAD/
        """),
    PNGFixture(
      "grey with alpha",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAQAAABDc27hAAAA/klEQVR4nAHzAAz/AFy4DgoXqTD3+EkRbdRArTC7
        rvJrkd6v2IAaAJSVtfzOqouwaPw8qWKimUEsFMzPGcyZNwMXAWHzvc0taiHqfkVJA997IS+JQeI9/No9s8z5ANwb
        /hQ818/kIgfGT/PTNCrxbE0H2gIEPi1vAD5C8QmNfOZfGbtKK5b/64IaEAUfByjHn59UAfkeqJ4/NHVa5m8YHKHw
        88bDCuWKG+ijl47gAcDGALEnGhkThuVSxz1DM7hEtCUsR5hutDimAcrun5SbQ+dnyvTCqw3ZcMNsBQLD+mVdIxWV
        BLQok6nN+QL9moHA5YBmPAc45wWNLUZ4ChI23DpxlC+HuTIAAAAASUVORK5CYII=
        """,
      pixels: """
        XFxcuA4ODgoXFxepMDAw9/j4+EkRERFt1NTUQK2trTC7u7uu8vLya5GRkd6vr6/YgICAGpSUlJW1tbX8zs7OqouL
        i7BoaGj8PDw8qWJiYqKZmZlBLCwsFMzMzM8ZGRnMmZmZNwMDAxdhYWHzHh4ewEtLSypsbGwU6urqWTMzM1wSEhLX
        MzMzBry8vEeenp6EmpqaXtfX1xGjo6MK3NzcG/7+/hQ8PDzXz8/P5CIiIgfGxsZP8/Pz0zQ0NCrx8fFsTU1NB9ra
        2gIEBAQ+LS0tbz4+PkLx8fEJjY2NfObm5l8ZGRm7SkpKK5aWlv/r6+uCGhoaEAUFBR8HBwcox8fHn5+fn1T5+fke
        oaGhvODg4PBVVVVKOzs7uVNTU9X09PTF5+fni6qqqpWPj48fqqqqB01NTZ7b29t+wMDAxsDAwHfn5+eRAAAApIaG
        honY2NhQFRUVk0hISEuMjIz/sbGxK/j4+MNmZmZ3np6eHcrKyu5paWmCBAQExevr6yy1tbUgd3d3y4SEhKT09PRn
        YGBgbGJiYi9cXFyUubm5t87Ozkx+fn4W/Pz8vzY2Nr7t7e0pT09PoQ8PD7CPj48KMDAwEWhoaPhtbW2Fj4+P2jEx
        MeRDQ0OC
        """),
    PNGFixture(
      "RGB",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAIAAABmGDE9AAABc0lEQVR4nAFoAZf+ABOtZlzBKg4aEb3q+SDLPS6D
        o3ctyV3lUb14cVgTg7QeDhiE9xwzSgKPVf88IAvji63G3UafK4UoXtfS2SYGLf+zr07v0a4R7RjPKa5bwfEEGUdE
        tjz39i0iyT6XT7d5twxInk+WUOJS7sB7ZSY7L4fRj7oVZtg/AXkxxxujjInC9utMZT8AUkt9uEy1GZF5i9fPGRMI
        s9OZZC1sugk0IQAFIdAcsauQ/C4H0fREiH9fuxJTvgK25CQ9tn2kwx+VN/3kDUQKfC0CbTyFGO7Vfw0DXLQVqfJk
        1fgeCFmJiQrYUoLBmgwn3z1OCL4Q/0uqABLKGrmtzXur36TNG6ZLtH/YBbo3XyOm3WYKc0fXy+gXFBGIixIzgAE+
        Bt47DrXAiB4coW007tDCtlH4tZFQ9qyZB2xFMn9KJjQ5BQMbjAwCM1rmUfIhGt70Ub5sCEOp0ioS3xwRjDpliaSL
        3hBF+VzMmUBVesUpykWhRxYpongAAAAASUVORK5CYII=
        """,
      pixels: """
        E61m/1zBKv8OGhH/ver5/yDLPf8ug6P/dy3J/13lUf+9eHH/WBOD/7QeDv8YhPf/HDNK/6ICZf+Y4TX/8aW+/4PH
        P/+/9sL/VuF6/0kG7/9jElD/cCe//0fkMf/FCyb/562l/3f0O/+7San/cR1c/+dK4P9MiNb/0n5P/w2Kl/+rVYX/
        +zei/+n3Ov9OHWz/9JI9/4Nnuv/dhXr/eTHH/5TUU/8dlkn/COKu/0fiAP+SX7j/3hTR/2+NXP9GXHX/WWQo/yz9
        jP9ZaUb/Yp1n/wUh0P8csav/kPwu/wfR9P9EiH//X7sS/1O+Av+25CT/PbZ9/6TDH/+VN/3/5A1E/wp8Lf9yXVX/
        NJ+A/w8JMf9jhQn/7Xrj/zSzMP9bF4v/P+78/484Pv8+z0b/dHRL/+zLVP8Jx9f/Esoa/7mtzf97q9//pM0b/6ZL
        tP9/2AX/ujdf/yOm3f9mCnP/R9fL/+gXFP8RiIv/EjOA/z4G3v95FJP/OZyx/1U9Hv+JK+7/S+E//0OW0P+TjHz/
        LJPo/3HFZ/+765v/9PCe/w98qv9xYMT/yga0/1N6pf+m+4r/kW6X/x0LUf8isuH/H8bh/7U3c/9P1az/tEdn/40w
        8/+JQdP/
        """),
    PNGFixture(
      "RGB, one clear",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAIAAABmGDE9AAAABnRSTlMAvQDqAPnm5dT6AAABc0lEQVR4nAFoAZf+
        ABOtZlzBKg4aEb3q+SDLPS6Do3ctyV3lUb14cVgTg7QeDhiE9xwzSgKPVf88IAvji63G3UafK4UoXtfS2SYGLf+z
        r07v0a4R7RjPKa5bwfEEGUdEtjz39i0iyT6XT7d5twxInk+WUOJS7sB7ZSY7L4fRj7oVZtg/AXkxxxujjInC9utM
        ZT8AUkt9uEy1GZF5i9fPGRMIs9OZZC1sugk0IQAFIdAcsauQ/C4H0fREiH9fuxJTvgK25CQ9tn2kwx+VN/3kDUQK
        fC0CbTyFGO7Vfw0DXLQVqfJk1fgeCFmJiQrYUoLBmgwn3z1OCL4Q/0uqABLKGrmtzXur36TNG6ZLtH/YBbo3XyOm
        3WYKc0fXy+gXFBGIixIzgAE+Bt47DrXAiB4coW007tDCtlH4tZFQ9qyZB2xFMn9KJjQ5BQMbjAwCM1rmUfIhGt70
        Ub5sCEOp0ioS3xwRjDpliaSL3hBF+VzMmUBVesUpykWhRxYpongAAAAASUVORK5CYII=
        """,
      pixels: """
        E61m/1zBKv8OGhH/ver5ACDLPf8ug6P/dy3J/13lUf+9eHH/WBOD/7QeDv8YhPf/HDNK/6ICZf+Y4TX/8aW+/4PH
        P/+/9sL/VuF6/0kG7/9jElD/cCe//0fkMf/FCyb/562l/3f0O/+7San/cR1c/+dK4P9MiNb/0n5P/w2Kl/+rVYX/
        +zei/+n3Ov9OHWz/9JI9/4Nnuv/dhXr/eTHH/5TUU/8dlkn/COKu/0fiAP+SX7j/3hTR/2+NXP9GXHX/WWQo/yz9
        jP9ZaUb/Yp1n/wUh0P8csav/kPwu/wfR9P9EiH//X7sS/1O+Av+25CT/PbZ9/6TDH/+VN/3/5A1E/wp8Lf9yXVX/
        NJ+A/w8JMf9jhQn/7Xrj/zSzMP9bF4v/P+78/484Pv8+z0b/dHRL/+zLVP8Jx9f/Esoa/7mtzf97q9//pM0b/6ZL
        tP9/2AX/ujdf/yOm3f9mCnP/R9fL/+gXFP8RiIv/EjOA/z4G3v95FJP/OZyx/1U9Hv+JK+7/S+E//0OW0P+TjHz/
        LJPo/3HFZ/+765v/9PCe/w98qv9xYMT/yga0/1N6pf+m+4r/kW6X/x0LUf8isuH/H8bh/7U3c/9P1az/tEdn/40w
        8/+JQdP/
        """),
    PNGFixture(
      "RGBA",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAYAAADpeqZqAAAB6ElEQVR4nAHdASL+ADQC0jz+y0zVjzjC5+qTtJW0
        yMSkA//C45lem0rfwXYtqaV8pmjaBQ0Yg/6Zn9/cx+23FLMA5wUidTLRv81OYNf5zeGvL1e5orsmn1k4lq/XUJRq
        YNNdHja0FdIFAZ0Cm8syBw9kWf6ISQBl0j5KUDYOMyZX++/cHwalSXm1jVYQiDIgsmLmxQobcMoW4Rt6f3IWUVih
        A+mb1oH9InzHAXHTnsyHON5gYEw7lges3QhaNxf78pR2ei3lXIeJPBTqGPCA3pPPPu02gRUP/7OL8BDaxfQCXu3M
        zPtd+LvrLir6H8vYdoX03wBjfH7I73ndsENxpnJAuVGTk38kGP6dLCyNC1QTCVMHRQQETILn2qhGdlKGFhN/SqgS
        yDeHiuavAFSt6ihoPgLfHFy4G6b+i+4dGQk5u8FBImiInyxCAWnbQfr3O0Rf82IAJsveMjK02bDudBaSWDM2CuzL
        OJZhBMgR+JHbpbD2E+uoN0+/1RBmljIC+11d69k8IYqcQQ/XBsFOPib7QujxteUD6CkB1Orf5zngy2TQ8fRI0JDt
        +gqhCmVNjVctqgC9gXodFTbOGW792P9QmSlIdFNG4s0tFOH1YW++ARDZSZEkHNetIOAEWlTBlwLismTwK6Xrgx7q
        iwYZ71cAAAAASUVORK5CYII=
        """,
      pixels: """
        NALSPP7LTNWPOMLn6pO0lbTIxKQD/8LjmV6bSt/Bdi2ppXymaNoFDRiD/pmf39zH7bcUs+cFInUy0b/NTmDX+c3h
        ry9XuaK7Jp9ZOJav11CUamDTXR42tBXSBQGdApvLMgcPZFn+iEll0j5KUDYOMyZX++/cHwalSXm1jVYQiDIgsmLm
        xQobcMoW4Rt6f3IWUVihA+mb1oH9InzHcdOezPgLfCxYV7fCXwOUyrk6q8WrziE/2LN9xmHvkbB53xGODK5Pe0Iv
        ZIpB4u96Uby0bs/AapjzaHTnQ4XhvH7ObEA+LorFDkqfB8csWnakYDciuZhiIZ8tc5NAzJC2zu1DjVoPu7PTDOx/
        zbQyXZU6inAUzxRS3GWbT8IUn1t0/oLesgA5khUYfTgTo2uwLNXJcY8ustnirucbadtB+mAWhVlTeIV/Hla3sdIv
        Z59GRfn3eXsD40SzmURIe6o82VZP7M9pOpQGuPlpFh6Pm2Q4nuU5Uqbj77mUViQXBe/4KqmHN/re+mGkBLcukoB9
        KEYODMpKl7xfVjSep8JetqN1vEW9gXodFTbOGW792P9QmSlIdFNG4s0tFOH1YW++ARDZSZEkHNetIOAEWlTBlwLi
        smTwK6Xr
        """),
    PNGFixture(
      "grey of 16 bits",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJEAAAAACcgSX1AAAA/klEQVR4nAHzAAz/ANtTTwjNfymyHrmpv5gV15+8
        vvYiRhGZP6/TAQ5BUm8ROXQhRpYgmHNAF7fjI8OuZvrp87u/Aiw+FKnrgYLODtsmEMNRW3CoswXKGYiqS2XnAHP+
        Od0pE9DoJZ7hCUTAOq40ReuDyK9XrmIfAPNBL6xGCr8pHXfPB3lLGC2+pBVeB8RtH+teBKZPDgv/YhutD3CYwdNw
        nduYYKbh8+ZX1xXqAD7VeoW++7bD+lwWRrT2MwS2I6ecOdcRe3wiAkSGO+ik6S77EInL8YYw17ZDvpHs7Oxz1OK5
        AEzslH/C+knagCKJlONfBxAMra9KTUf5bvfK9aJ2P5ewp0cAAAAASUVORK5CYII=
        """,
      pixels: """
        2tra/09PT//Nzc3/Kioq/x8fH/+pqan/l5eX/9fX1/+8vLz/9fX1/0ZGRv+ZmZn/r6+v/w4ODv9gYGD/cXFx/+Tk
        5P8rKyv/S0tL/76+vv/U1NT/uLi4/3t7e//h4eH/ysrK/4WFhf86Ojr/dHR0/1xcXP9nZ2f/OTk5/3Fxcf+BgYH/
        MDAw/2BgYP+AgID/+vr6/3R0dP/q6ur/dHR0/zo6Ov8pKSn/0NDQ/yUlJf/g4OD/RERE/zo6Ov80NDT/6+vr/8jI
        yP9XV1f/YmJi//Ly8v8vLy//RkZG/76+vv8dHR3/zs7O/3l5ef8YGBj/vr6+/xUVFf8ICAj/bW1t/+rq6v+ZmZn/
        PT09/0VFRf/Z2dn/LS0t/2dnZ/87Ozv/tbW1/1ZWVv+7u7v/rq6u/wYGBv+CgoL/Pz8//3p6ev++vr7/tra2//n5
        +f8WFhb/tLS0/zMzM/+1tbX/p6en/zo6Ov8RERH/fHx8/4KCgv+1tbX/Y2Nj/+Tk5P8LCwv/4ODg/zo6Ov8LCwv/
        +fn5/zg4OP8mJib/hISE/15eXv9NTU3/lJSU/8LCwv9KSkr/gICA/4mJif/i4uL/BwcH/w0NDf+vr6//TU1N//j4
        +P/39/f/
        """),
    PNGFixture(
      "RGBA, interlaced",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAYAAAGefZb8AAAB8klEQVR4nAHnARj+ADQC0jyppXymAL2Beh2RJBzX
        ALTIxKTttxSzAHRTRuLwK6XrAM/Aapg+LorFuZhiIVoPu7MAjzjC55lem0oYg/6ZAEOF4bzHLFp2QMyQtgBu/dj/
        9WFvvlpUwZcAZdI+SiZX++9JebWNILJi5soW4RtRWKED/SJ8xwBp20H6U3iFf9IvZ595ewPjSHuqPM9pOpQWHo+b
        AP7LTNXqk7SVA//C49/Bdi1o2gUNn9/cxwBQNg4z3B8GpVYQiDLFChtwen9yFumb1oEA82h0537ObEAOSp8HpGA3
        Ip8tc5PO7UONAGAWhVkeVrexRkX590SzmUTZVk/sBrj5aQAVNs4ZUJkpSM0tFOEBENlJrSDgBALismQA5wUidTLR
        v81OYNf5zeGvL1e5orsmn1k4lq/XUJRqYNNdHja0FdIFAZ0Cm8syBw9kWf6ISQBx057M+At8LFhXt8JfA5TKuTqr
        xavOIT/Ys33GYe+RsHnfEY4Mrk97Qi9kikHi73pRvLRuANMM7H/NtDJdlTqKcBTPFFLcZZtPwhSfW3T+gt6yADmS
        FRh9OBOja7As1clxjy6y2eKu5xsAZDie5TlSpuPvuZRWJBcF7/gqqYc3+t76YaQEty6SgH0oRg4MykqXvF9WNJ6n
        wl62o3W8RTzb6WiFHT/bAAAAAElFTkSuQmCC
        """,
      pixels: """
        NALSPP7LTNWPOMLn6pO0lbTIxKQD/8LjmV6bSt/Bdi2ppXymaNoFDRiD/pmf39zH7bcUs+cFInUy0b/NTmDX+c3h
        ry9XuaK7Jp9ZOJav11CUamDTXR42tBXSBQGdApvLMgcPZFn+iEll0j5KUDYOMyZX++/cHwalSXm1jVYQiDIgsmLm
        xQobcMoW4Rt6f3IWUVihA+mb1oH9InzHcdOezPgLfCxYV7fCXwOUyrk6q8WrziE/2LN9xmHvkbB53xGODK5Pe0Iv
        ZIpB4u96Uby0bs/AapjzaHTnQ4XhvH7ObEA+LorFDkqfB8csWnakYDciuZhiIZ8tc5NAzJC2zu1DjVoPu7PTDOx/
        zbQyXZU6inAUzxRS3GWbT8IUn1t0/oLesgA5khUYfTgTo2uwLNXJcY8ustnirucbadtB+mAWhVlTeIV/Hla3sdIv
        Z59GRfn3eXsD40SzmURIe6o82VZP7M9pOpQGuPlpFh6Pm2Q4nuU5Uqbj77mUViQXBe/4KqmHN/re+mGkBLcukoB9
        KEYODMpKl7xfVjSep8JetqN1vEW9gXodFTbOGW792P9QmSlIdFNG4s0tFOH1YW++ARDZSZEkHNetIOAEWlTBlwLi
        smTwK6Xr
        """),
    PNGFixture(
      "palette of 2 bits, interlaced",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAgMAAAHjE35vAAAADFBMVEUQEiZdyPNR5cl1JriKHS5AAAAARElEQVR4
        nAE5AMb/ALAAAAAgAGAA4wCcAFwAEADISACiiABWsACk4ACV8AD9kAAikACLkcWAAFKm4oAAkaoRgABE9hRA9WsT
        ubYvH/YAAAAASUVORK5CYII=
        """,
      pixels: """
        UeXJ/13I8/9R5cn/Xcjz/xASJv9dyPP/Xcjz/1Hlyf91Jrj/UeXJ/3UmuP91Jrj/UeXJ/1Hlyf8QEib/UeXJ/3Um
        uP9R5cn/Xcjz/xASJv9dyPP/dSa4/xASJv9dyPP/Xcjz/1Hlyf91Jrj/UeXJ/xASJv9R5cn/UeXJ/13I8/8QEib/
        EBIm/13I8/91Jrj/EBIm/1Hlyf9R5cn/Xcjz/13I8/8QEib/UeXJ/1Hlyf9R5cn/Xcjz/1Hlyf91Jrj/UeXJ/xAS
        Jv9R5cn/UeXJ/3UmuP9R5cn/Xcjz/13I8/9R5cn/Xcjz/13I8/9dyPP/EBIm/3UmuP91Jrj/dSa4/3UmuP9R5cn/
        Xcjz/xASJv9dyPP/UeXJ/1Hlyf9R5cn/UeXJ/xASJv9dyPP/EBIm/13I8/9R5cn/UeXJ/3UmuP9R5cn/dSa4/xAS
        Jv91Jrj/UeXJ/13I8/9R5cn/UeXJ/xASJv9dyPP/UeXJ/13I8/8QEib/Xcjz/xASJv91Jrj/dSa4/13I8/9R5cn/
        EBIm/13I8/9dyPP/EBIm/13I8/8QEib/EBIm/xASJv9R5cn/Xcjz/xASJv9dyPP/UeXJ/xASJv9R5cn/EBIm/13I
        8/9R5cn/
        """),
    PNGFixture(
      "grey of 4 bits, interlaced",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJBAAAAAF+5iQhAAAAXUlEQVR4nAFSAK3/AKEA/wCsAJ4Aw4UA8aAABkAA
        SlAAYruoEAAMHMAAAAxdLwBL1H8AJBW1ACt9eACJIHoAjgCqHaUgQACei4SA87RwAAt+9rzmoDAAjXe2rYn2UDuS
        HY13PrQeAAAAAElFTkSuQmCC
        """,
      pixels: """
        qqqq/wAAAP//////zMzM/6qqqv9VVVX/ERER/93d3f8RERH/IiIi/6qqqv//////zMzM/4iIiP/u7u7/AAAA/wAA
        AP+qqqr/qqqq/xEREf/d3d3/qqqq/1VVVf8iIiL/AAAA/0RERP9mZmb/RERE/yIiIv+7u7v/u7u7/93d3f+7u7v/
        RERE/6qqqv93d3f/iIiI//////8RERH/mZmZ/+7u7v+IiIj/u7u7/4iIiP9ERET/iIiI/wAAAP//////MzMz/7u7
        u/9ERET/d3d3/8zMzP8iIiL/AAAA/0RERP8zMzP/ERER/2ZmZv9VVVX/iIiI/7u7u/9ERET/VVVV/1VVVf8AAAD/
        u7u7/3d3d//u7u7//////2ZmZv+7u7v/zMzM/+7u7v9mZmb/qqqq/wAAAP8zMzP/AAAA/yIiIv/MzMz/u7u7/xER
        Ef93d3f/zMzM/93d3f/MzMz/d3d3/wAAAP+IiIj/AAAA/4iIiP/d3d3/d3d3/3d3d/+7u7v/ZmZm/6qqqv/d3d3/
        iIiI/5mZmf//////ZmZm/1VVVf//////iIiI/0RERP+ZmZn/mZmZ/yIiIv+qqqr/AAAA//////93d3f/VVVV/6qq
        qv/u7u7/
        """),
    PNGFixture(
      "grey of 2 bits, interlaced",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAgAAAAHxptGBAAAARElEQVR4nAE5AMb/AJAA8ACAAGAAMQDYACAAJACv
        hAAEAAAFsAA08ACF0AC9wAAY4AAgpZgAAGMA/MAAPuyowAAf6R5AyaQR/EZ9JRUAAAAASUVORK5CYII=
        """,
      pixels: """
        qqqq/wAAAP//////AAAA/6qqqv9VVVX/VVVV/1VVVf9VVVX/qqqq/6qqqv//////AAAA/wAAAP+qqqr/AAAA/wAA
        AP+qqqr/qqqq/1VVVf9VVVX/qqqq/1VVVf+qqqr/AAAA/wAAAP+qqqr/AAAA/6qqqv///////////1VVVf//////
        AAAA/6qqqv//////AAAA//////9VVVX/VVVV/6qqqv8AAAD//////wAAAP8AAAD/AAAA/wAAAP//////////////
        //8AAAD//////wAAAP+qqqr/AAAA/wAAAP//////VVVV/6qqqv9VVVX/AAAA//////8AAAD/VVVV/1VVVf8AAAD/
        //////////+qqqr//////6qqqv//////AAAA/6qqqv+qqqr/qqqq/wAAAP//////AAAA/6qqqv8AAAD//////1VV
        Vf//////AAAA/1VVVf8AAAD//////wAAAP8AAAD/AAAA/wAAAP9VVVX/////////////////qqqq/6qqqv9VVVX/
        AAAA/1VVVf//////qqqq/1VVVf//////AAAA/wAAAP9VVVX/VVVV/6qqqv+qqqr/AAAA////////////VVVV/6qq
        qv+qqqr/
        """),
    PNGFixture(
      "RGB of 16 bits",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJEAIAAAA2iO1+AAAC0klEQVR4nAHHAjj9AGyUGrBrbbiBF6bgzl1W3p9H
        k5hfDIE5Hk3JBNNESpr8TTW0DjHxVmXt0MtaLjLUEq3Yyxmr3BDaeB5nGwfcE2RFCHaY3Go1sQo0GL2iCwAhDTh/
        Pa35hkWI22EBUFujcqRLvjmHtQf+FieXsupuJnKqJRCLw1q8B8mHf4m6I0kWHWSUGIDQ9bmoiM8FbKbDFTPoUJB0
        qVjSHImEzG4A2Aui89aaxBVNbsYvxVXR50k+ArB6aoJjwQF7RWWXO3oschE6GVnPx6YU4oWhmOk2AHryavDzr0nC
        gXgHwfa13SDUyXuIZqTvJNxyT4ekAIZJ8lGyD/QHcURIvyG3umpo4FaYu0l6L1g+Tg7rrFr9Fiak2MM0uTjbKj7+
        0e5OxIDCwBM0orrDtpqa1OfWLQ6MzsqFlLzkdDk95gz06ABZWUy9AwdC07vd+kB5qr3WriDDI4F3CRhm1gBphPMd
        j1tbnPKMl6XlguB70Yfj4EouwvydLXtnQkGw2KaUtr5EFnrik8Bfu/4VYJcq0NsA3KeDerRnei3FTUJKYhq+pSBw
        aACorSQ9KO3kGsJByVnUVf5CDRo3MuzS7KLfS9Rs8nxaOiFU4TLLlPuHRUME3nb/ZobNqBTHloSpCcZlAOt3PHou
        G3EAJ34H7DQS/m8tL25n6JccKWZQq9L3MBwL1fpHytBbGaZKgqQXqy5haAMVX06MoYZRLFigRsR3gpKY+cog1yca
        MJ0bm+Z/PgDCrd9Jg6CcJGdtQ3QarWo+v2PtrvpcSFa7QK76ZonpsRoxoOcEWyKh0V+lqBIUjA9we+DSlUNmrmsx
        6MPP3+PHaGBoCx2NXDreED+5GREARiQk0/6KXD4HRFQI/xZxDZb8bAtRYkqjae8zpO5rMMJnOy7dGcLUUnKRg+Li
        g9liT0YdA0RMFWFR/uSDlld3IKMwTteef4QdphZt3U3FWTpVCK5Z9pIAAAAASUVORK5CYII=
        """,
      pixels: """
        bBtr/7gY4P9d3kf/mAw5/00FRP+aTbP/Mlbt/8su0/+tyqv/EXhn/wgTRf923DX/Chmh/yE4Pf/5Rdv/AVty/0s5
        tP/9J7L/bnIl/4taCP+HiSP/FmQY/9C5iP8FphX/55Cp/9GJzP/Xotb/w03F/8XRSf8DeoL/wHtl/zssEf8Zz6X/
        4qHo/wDx8P+vwnj/wbUh/8mIpP8lcof/hvGx//NxSP8iumj/Vrt6/1hO6/9bFqT/wrja/z/RTv+AvzT/uraa/+ct
        jP/KlOT/OeX0/1lMA/9Du/n/eb2t/8KBCf9mAIT/HVuc/4ylgv97h9//L/wt/2dB2P+Uvhb/4sC7/xWX0P/cg7T/
        esVC/2K+IP9oqCT/KePB/8nU/f8NN+z/7N7U//JaIf/gy/v/RQV3/2bNFf+WqMb/6zwu/3EnCP80/S3/bugc/2ar
        9v8c1Uj/0BpK/6OrYf8DX4z/hiyg/8SCmP/J1hr/nJt//8Leg/+cZ0P/G2q//+35SP+7rmb/6Rqg/wQi0f+lEoz/
        cOCV/2Zr6P/P42j/aB1c/90/Gf9GJf7/XAdU//5xlv9sUUr/ajPt/zFnL/8a03L/g+LZ/08dRP8VUuT/lnej/0+e
        hP+lbU3/
        """),
    PNGFixture(
      "RGB of 16 bits, interlaced",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJEAIAAAFBj93oAAAC3ElEQVR4nAHRAi79AGyUGrBrba3Yyxmr3ABGJCTT
        /opPRh0DREwATckE00RKCjQYvaILAGnvM6Tua6YWbd1NxQBZWUy9Awdm1gBphPMuwvydLXsVYJcq0NsAXVben0eT
        MfFWZe3QB9wTZEUIAHmqvdauIIyXpeWC4JS2vkQWegD/FnENlvwZwtRScpGWV3cgozAA2Aui89aaxVXR50k+wQF7
        RWWXGVnPx6YUAHryavDzwfa13SDUJNxyT4ekAOt3PHouGzQS/m8tL2ZQq9L3MNBbGaZKggMVX06MocR3gpKY+Z0b
        m+Z/PgC4gRem4M6YXwyBOR6a/E01tA7LWi4y1BIQ2ngeZxt2mNxqNbEAxBVNbsYvArB6aoJjO3oschE64oWhmOk2
        r0nCgXgHyXuIZqTvAELTu936QMMjgXcJGB2PW1uc8nvRh+PgSmdCQbDYpuKTwF+7/gBxACd+B+xuZ+iXHCkcC9X6
        R8qkF6suYWiGUSxYoEbKINcnGjAAXD4HRFQIbAtRYkqjMMJnOy7dg+Lig9liFWFR/uSDTteef4QdACENOH89rfmG
        RYjbYQFQW6NypEu+OYe1B/4WJ5ey6m4mcqolEIvDWrwHyYd/ibojSRYdZJQYgND1uaiIzwVspsMVM+hQkHSpWNIc
        iYTMbgCGSfJRsg/0B3FESL8ht7pqaOBWmLtJei9YPk4O66xa/RYmpNjDNLk42yo+/tHuTsSAwsATNKK6w7aamtTn
        1i0OjM7KhZS85HQ5PeYM9OgA3KeDerRnei3FTUJKYhq+pSBwaACorSQ9KO3kGsJByVnUVf5CDRo3MuzS7KLfS9Rs
        8nxaOiFU4TLLlPuHRUME3nb/ZobNqBTHloSpCcZlAMKt30mDoJwkZ21DdBqtaj6/Y+2u+lxIVrtArvpmiemxGjGg
        5wRbIqHRX6WoEhSMD3B74NKVQ2auazHow8/f48doYGgLHY1cOt4QP7kZETaGVQjFZpdFAAAAAElFTkSuQmCC
        """,
      pixels: """
        bBtr/7gY4P9d3kf/mAw5/00FRP+aTbP/Mlbt/8su0/+tyqv/EXhn/wgTRf923DX/Chmh/yE4Pf/5Rdv/AVty/0s5
        tP/9J7L/bnIl/4taCP+HiSP/FmQY/9C5iP8FphX/55Cp/9GJzP/Xotb/w03F/8XRSf8DeoL/wHtl/zssEf8Zz6X/
        4qHo/wDx8P+vwnj/wbUh/8mIpP8lcof/hvGx//NxSP8iumj/Vrt6/1hO6/9bFqT/wrja/z/RTv+AvzT/uraa/+ct
        jP/KlOT/OeX0/1lMA/9Du/n/eb2t/8KBCf9mAIT/HVuc/4ylgv97h9//L/wt/2dB2P+Uvhb/4sC7/xWX0P/cg7T/
        esVC/2K+IP9oqCT/KePB/8nU/f8NN+z/7N7U//JaIf/gy/v/RQV3/2bNFf+WqMb/6zwu/3EnCP80/S3/bugc/2ar
        9v8c1Uj/0BpK/6OrYf8DX4z/hiyg/8SCmP/J1hr/nJt//8Leg/+cZ0P/G2q//+35SP+7rmb/6Rqg/wQi0f+lEoz/
        cOCV/2Zr6P/P42j/aB1c/90/Gf9GJf7/XAdU//5xlv9sUUr/ajPt/zFnL/8a03L/g+LZ/08dRP8VUuT/lnej/0+e
        hP+lbU3/
        """),
    PNGFixture(
      "RGBA of 16 bits",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJEAYAAAC56nopAAADvElEQVR4nAGxA078AHYtyHIQ3ae9woxP3ZUFclwv
        62V07cxMP14u3Baqls2AOo8T37QhPodrwyVXlN761rImCRn+Oy+cZqn4MI9cmxwtR2cUR4fw34rXdFCZhxCXM4oA
        rLBHY4VN75mcGaBYDaqQs1HmNfZKAH6qqLu6ZFuTOCOYsSOL6PMw+znUUp/JWew8EmERRBRHMcfTdUOR1KW0qycI
        v9pT6LgIVuIuGanLAon14ptVTE6FxjAiNot6OTvwTl/+BIp6PDOmBu+Ffe9T+xWJgzC72mU6kSTOtGgrAEEVetJ6
        sjCjB7w2JRt5+g9r/3VhLJBXsU6sh0EP1NkWyVo4H5V7PdMrLG9sd8R8sx/QfdIlZ6yxMjYVG24HWXKbcq8kKwLs
        b12YBYOijNLt0HAQgS0UfVtLz1WSTW6wSkfeaFBlenB1AKmAIj8BdfWeE1H+oaj1I1ggEmXoGcS7MdKcL02yylMP
        /DD+EUUXhMObHhsF7qtUVt7ixYqZEjtPItWBBnbUeu9lYupyeSn8OBm0yLXKJa9vwg7P/iyYdOmt3tpqnAkCTZnX
        +mUIXzigAPNl1lrSVZlS6jtKqqu7bWQqi7UayanujxCslZKr8S0LisFf5OJR0Jx7xD3NbsEVQsBUXkPHgor/qlJN
        Q7mJVbdyyrP+yeid/P/VoxFg/1MNyCgEowAuWcc1HX3j6L2AarRhM6rA3UUjAIG11QEm3KmK42CIXpd3uUCcVMBx
        Ho//CfyXujkJNh0sPPTBHOU9n05N+erxEfmmgPcGRiMDnor8Sf9gFBflyNBY34/Oe8WVFA0212bQrCsrws/8abhx
        jhGl/VLh/dQYvbHKR55mzR+QAFMFnbJXY5+6G2OYY8QUuGBf0YtxnmrzEGULpEzgaM5gN4OFOrk8ybajpsVi8fKI
        oDmVaG/mhdEGUdehJxaATdyOzPDA0s0nJoz/yIW5ucqEk6U+AIT65jkGAxUpnHW1Erg4h/J8myPFADFb01E4+J0o
        VPNaUzxUzsPJ+675zMnI/v/nrHWzDl8YSW7TyJPWRGJtFa1tIcTTjyIyAZd4md13zq9tiYwxQ9FNZHHBejg/+JCx
        ESPDC5MxQzbEx4zWInaLym0Zcp6eVjALuDAoR7gsAAvwJPQ+YaZ5b9EBwepcRwvkzIzUHkLkMhCFFEfvZziZ96py
        7ZaariGpfXXob4tq/5A8D5xyK1iYDoaJPtkKv7IgSIwmLdU5iczfx9bRbHPbHAS+IaiqgOUkjPSsRHnc1+hu6Mhh
        qK7wc7LTlvJ74IgAAAAASUVORK5CYII=
        """,
      pixels: """
        dsgRp8JQlHIwZe1MXtuqzToUsz5rJZT6sQn9L2b3j5stZ0fwinSZETMBsGNOmRpYqrPl9X6ouls4mCPoMTpSyesS
        ERQy00PUtCe/VLdXLqkD9ZtMhTA2ejxO/Yo8pe99VBWDu2WRzmhBenowCDYb+Wx1LFdOhxDYyTiVPitvd3wgfSWs
        MhVuWZuuK+xdBaLS0BAtfUxVTbBIaGVwqSIB9RP+qCMgZhq60i+yU/v9RYSbG+5U3sWYOyOBdnpl6nn7GsjJr8HP
        LHSt2psCmfkIOPLW0pnpSqttKrTJ7hGVqy2KYOHQez5uFcBex4qqTblVcrPJnf+iYVPHBQBZNX3ogLQzwEWB1Cep
        4oiXuZzAHv78uQkdPcDkn07qEqb2RgSKSmAYyFmPe5QN19Arwvu4jqVT/RmxR2YfU51XnxuYw7hfi57yZaTgzjeF
        ucmjxfGIOWjm0FKhFk6O8NInjMi5ypM+hOUGFZy0uId8JDHSOZ1VWjzOya7MyP+ssl9J05NEba0i0yICeN3ObYxE
        TXF6QJARwpNDxIwii21ynjC3KLcMJT6mbwLpR+SMHuMQFO4493KWral1b2uQEHJYDonYvyCMLjnMx9FzHL2ogCT0
        RNzo6GGu
        """),
    PNGFixture(
      "RGB with a gamma of 1",
      png: """
        iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAIAAABmGDE9AAAABGdBTUEAAYagMeiWXwAAAXNJREFUeJwBaAGX/gAT
        rWZcwSoOGhG96vkgyz0ug6N3Lcld5VG9eHFYE4O0Hg4YhPccM0oAogJlmOE18aW+g8c/v/bCVuF6SQbvYxJQcCe/
        R+QxxQsm562ld/Q7ALtJqXEdXOdK4EyI1tJ+Tw2Kl6tVhfs3oun3Ok4dbPSSPYNnut2FegB5MceU1FMdlkkI4q5H
        4gCSX7jeFNFvjVxGXHVZZCgs/YxZaUZinWcABSHQHLGrkPwuB9H0RIh/X7sSU74CtuQkPbZ9pMMflTf95A1ECnwt
        AHJdVTSfgA8JMWOFCe164zSzMFsXiz/u/I84Pj7PRnR0S+zLVAnH1wASyhq5rc17q9+kzRumS7R/2AW6N18jpt1m
        CnNH18voFxQRiIsSM4AAPgbeeRSTOZyxVT0eiSvuS+E/Q5bQk4x8LJPoccVnu+ub9PCeD3yqAHFgxMoGtFN6pab7
        ipFulx0LUSKy4R/G4bU3c0/VrLRHZ40w84lB010/qRX8qhabAAAAAElFTkSuQmCC
        """,
      pixels: """
        E61m/1zBKv8OGhH/ver5/yDLPf8ug6P/dy3J/13lUf+9eHH/WBOD/7QeDv8YhPf/HDNK/6ICZf+Y4TX/8aW+/4PH
        P/+/9sL/VuF6/0kG7/9jElD/cCe//0fkMf/FCyb/562l/3f0O/+7San/cR1c/+dK4P9MiNb/0n5P/w2Kl/+rVYX/
        +zei/+n3Ov9OHWz/9JI9/4Nnuv/dhXr/eTHH/5TUU/8dlkn/COKu/0fiAP+SX7j/3hTR/2+NXP9GXHX/WWQo/yz9
        jP9ZaUb/Yp1n/wUh0P8csav/kPwu/wfR9P9EiH//X7sS/1O+Av+25CT/PbZ9/6TDH/+VN/3/5A1E/wp8Lf9yXVX/
        NJ+A/w8JMf9jhQn/7Xrj/zSzMP9bF4v/P+78/484Pv8+z0b/dHRL/+zLVP8Jx9f/Esoa/7mtzf97q9//pM0b/6ZL
        tP9/2AX/ujdf/yOm3f9mCnP/R9fL/+gXFP8RiIv/EjOA/z4G3v95FJP/OZyx/1U9Hv+JK+7/S+E//0OW0P+TjHz/
        LJPo/3HFZ/+765v/9PCe/w98qv9xYMT/yga0/1N6pf+m+4r/kW6X/x0LUf8isuH/H8bh/7U3c/9P1az/tEdn/40w
        8/+JQdP/
        """),
  ]
}
