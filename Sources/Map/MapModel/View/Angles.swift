import Glibc

/// Returns the cosine of an angle in degrees.
func cosine(_ degrees: Double) -> Double { cos(degrees * (.pi / 180)) }

/// Returns the sine of an angle in degrees.
func sine(_ degrees: Double) -> Double { sin(degrees * (.pi / 180)) }

/// Returns a power.
func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
