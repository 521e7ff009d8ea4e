import MapGeometry
import MapSystem
import Testing

/// Conversion of numbers of any size to integers.
@Suite struct CheckedConversionTests {
  @Test("A clamped conversion gives the nearest representable value, and 0 for NaN")
  func clamping() {
    #expect(Int(clamping: 0x1p63) == .max)
    #expect(Int(clamping: -0x1p63) == .min)
    #expect(Int(clamping: -0x1.8p63) == .min)
    #expect(Int(clamping: 0x1p63.nextDown) == 9_223_372_036_854_774_784)
    #expect(Int(clamping: Double.infinity) == .max)
    #expect(Int(clamping: -Double.infinity) == .min)
    #expect(Int(clamping: Double.nan) == 0)
    #expect(Int(clamping: -1.9) == -1)
    #expect(Int(clamping: 1.9) == 1)
    #expect(Int64(clamping: 1e300) == .max)
    #expect(Int64(clamping: -0.5) == 0)
    #expect(Int32(clamping: 2_147_483_647.5) == .max)
    #expect(Int32(clamping: 2_147_483_648.0) == .max)
    #expect(Int32(clamping: -1e10) == .min)
    #expect(Int32(clamping: Double.nan) == 0)
    #expect(Int32(clamping: -7.5) == -7)
    #expect(UInt32(clamping: 4_294_967_295.5) == .max)
    #expect(UInt32(clamping: 1e10) == .max)
    #expect(UInt32(clamping: -1.0) == 0)
    #expect(UInt32(clamping: Float.nan) == 0)
    #expect(UInt32(clamping: Float(7.9)) == 7)
    #expect(UInt8(clamping: 255.9) == 255)
    #expect(UInt8(clamping: 256.0) == 255)
    #expect(UInt8(clamping: -0.5) == 0)
    #expect(UInt8(clamping: Double.nan) == 0)
    #expect(UInt8(clamping: 127.5) == 127)
  }
}
