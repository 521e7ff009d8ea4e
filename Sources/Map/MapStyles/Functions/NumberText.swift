/// A number as text of a language, as far as `number-format` needs it.
///
/// - Source: Unicode CLDR 44, number symbols and patterns of the languages below; others are written as English.
struct NumberText {
  var locale = "en"
  /// The code of a currency; empty for none.
  var currency = ""
  /// A unit; empty for none.
  var unit = ""
  var leastDigits: Double?
  var mostDigits: Double?

  /// Returns the text of a number.
  ///
  /// - Throws: the reason, when the numbers of digits or the unit are not allowed.
  func text(of number: Double) throws(StyleFault) -> String {
    let symbols = Symbols(locale: locale)
    let standard = currency.isEmpty ? (least: 0, most: 3) : Currency.digits(currency)
    var least = try digits(leastDigits, "minimumFractionDigits") ?? standard.least
    var most = try digits(mostDigits, "maximumFractionDigits") ?? max(standard.most, least)
    if least > most {
      guard leastDigits == nil || mostDigits == nil else {
        throw StyleFault("maximumFractionDigits value is out of range.")
      }
      if leastDigits == nil { least = most } else { most = least }
    }
    let isNegative = number < 0 || number.sign == .minus && number == 0
    let written =
      number.isNaN
      ? "NaN"
      : number.isInfinite
        ? "∞" : symbols.grouped(Self.rounded(number.magnitude, least: least, most: most))
    let sign = isNegative ? symbols.minus : ""
    if !currency.isEmpty {
      return symbols.currency(written, sign: sign, Currency.symbol(currency, locale: locale))
    }
    if !unit.isEmpty { return try sign + Unit.text(written, unit, isOne: written == "1") }
    return sign + written
  }

  private func digits(_ value: Double?, _ name: String) throws(StyleFault) -> Int? {
    guard let value else { return nil }
    guard (0...100).contains(value.rounded(.down)) else { throw StyleFault("\(name) value is out of range.") }
    return Int(exactly: value.rounded(.down))
  }

  /// Returns the digits before and after the point, rounded half up in decimals.
  private static func rounded(_ number: Double, least: Int, most: Int) -> (whole: [UInt8], fraction: [UInt8])
  {
    var (digits, point): ([UInt8], Int) = ([0], 1)
    if number > 0 { (digits, point) = StyleText.decimalDigits(number) }
    if point < 1 {
      digits = Array(repeating: 0, count: 1 - point) + digits
      point = 1
    }
    if digits.count < point { digits += Array(repeating: 0, count: point - digits.count) }
    let end = point + most
    if digits.count > end {
      let isUp = digits[end] >= 5
      digits.removeLast(digits.count - end)
      var place = digits.count - 1
      if isUp {
        while place >= 0, digits[place] == 9 {
          digits[place] = 0
          place -= 1
        }
        if place >= 0 {
          digits[place] += 1
        } else {
          digits.insert(1, at: 0)
          point += 1
        }
      }
    }
    var fraction = Array(digits[point...])
    while fraction.count > least, fraction.last == 0 { fraction.removeLast() }
    while fraction.count < least { fraction.append(0) }
    return (Array(digits[..<point]), fraction)
  }
}

extension NumberText {
  /// The signs of numbers in a language.
  struct Symbols {
    var decimal = "."
    var group = ","
    var minus = "-"
    /// The least number of digits before the first group separator.
    var leastGrouped = 1
    /// Whether the currency comes after the number.
    var isCurrencyLast = false
    /// Whether a space is between the currency and the number after it.
    var hasCurrencyGap = false
    /// Whether groups are of two digits, except the last.
    var isIndian = false

    init(locale: String) {
      let parts = locale.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" })
      let (language, region) = (parts.first ?? "en", parts.count > 1 ? parts.last ?? "" : "")
      switch language {
      case "de" where region == "ch" || region == "li": (group, hasCurrencyGap) = ("’", true)
      case "de" where region == "at": (decimal, group, hasCurrencyGap) = (",", "\u{A0}", true)
      case "es" where ["mx", "us", "419", "gt", "hn", "ni", "pa", "pe", "pr", "sv", "do"].contains(region):
        break
      case "de", "da", "nl", "id", "tr", "el", "is", "hr", "sl", "ro", "vi", "gl", "sr", "bs", "mk", "ca",
        "eu":
        (decimal, group) = (",", ".")
        isCurrencyLast = !["nl", "tr", "id"].contains(language)
        hasCurrencyGap = language != "tr"
      case "it": (decimal, group, isCurrencyLast) = (",", ".", true)
      case "es": (decimal, group, isCurrencyLast, leastGrouped) = (",", ".", true, 2)
      case "pt" where region == "pt":
        (decimal, group, isCurrencyLast, leastGrouped) = (",", "\u{A0}", true, 2)
      case "pt": (decimal, group, hasCurrencyGap) = (",", ".", true)
      case "fr" where region == "ch": (decimal, group, isCurrencyLast) = (",", "\u{202F}", true)
      case "fr": (decimal, group, isCurrencyLast) = (",", "\u{202F}", true)
      case "pl", "bg": (decimal, group, isCurrencyLast, leastGrouped) = (",", "\u{A0}", true, 2)
      case "ru", "uk", "cs", "sk", "hu", "be", "kk", "lv", "hy", "ka":
        (decimal, group, isCurrencyLast) = (",", "\u{A0}", true)
      case "sv", "fi", "nb", "no", "nn", "et", "lt":
        (decimal, group, isCurrencyLast, minus) = (",", "\u{A0}", true, "−")
      case "hi", "bn", "ta", "te", "mr", "gu", "kn", "ml", "pa": isIndian = true
      case "en" where region == "in": isIndian = true
      case "en" where region == "za": (decimal, group) = (",", "\u{A0}")
      default: break
      }
    }

    /// Returns digits with separators.
    func grouped(_ digits: (whole: [UInt8], fraction: [UInt8])) -> String {
      var text = ""
      let count = digits.whole.count
      for (index, digit) in digits.whole.enumerated() {
        let rest = count - index
        let isStart = rest == 3 || rest > 3 && (isIndian ? (rest - 3) % 2 == 0 : rest % 3 == 0)
        if index > 0, isStart, count >= 3 + leastGrouped { text += group }
        text += String(digit)
      }
      if !digits.fraction.isEmpty { text += decimal + digits.fraction.map { String($0) }.joined() }
      return text
    }

    /// Returns a number with its currency.
    func currency(_ digits: String, sign: String, _ symbol: String) -> String {
      if isCurrencyLast { return sign + digits + "\u{A0}" + symbol }
      // A code has a space before the number in every language.
      let isCode = symbol.utf8.count >= 3 && symbol.utf8.allSatisfy { (0x41...0x5A).contains($0) }
      return sign + symbol + (hasCurrencyGap || isCode ? "\u{A0}" : "") + digits
    }
  }

  /// The currencies.
  enum Currency {
    /// Returns the numbers of digits after the point.
    static func digits(_ code: String) -> (least: Int, most: Int) {
      switch code.uppercased() {
      case "JPY", "KRW", "VND", "CLP", "ISK", "XAF", "XOF", "XPF", "PYG", "UGX": (0, 0)
      case "KWD", "BHD", "JOD", "OMR", "TND", "IQD", "LYD": (3, 3)
      default: (2, 2)
      }
    }

    /// Returns the sign of a currency in a language; its code where it has none.
    static func symbol(_ code: String, locale: String) -> String {
      let code = code.uppercased()
      let parts = locale.uppercased().split(whereSeparator: { $0 == "-" || $0 == "_" })
      let (language, region) = (parts.first ?? "EN", parts.count > 1 ? parts.last ?? "" : "")
      switch code {
      case "JPY": return language == "JA" ? "￥" : language == "ZH" ? "JP¥" : "¥"
      case "CNY": return language == "ZH" ? "¥" : language == "JA" ? "元" : "CN¥"
      case "USD" where ["CA", "AU", "NZ"].contains(region):
        return region == "CA" && language == "EN" ? "US$" : "USD"
      case "USD" where ["FR", "ES", "SV", "NB", "DA", "PL", "IT"].contains(language):
        return ["FR": "$US", "SV": "US$", "ES": "US$", "DA": "$", "NB": "USD", "PL": "USD"][String(language)]
          ?? "USD"
      case "USD": return language == "NL" || language == "PT" && region != "PT" ? "US$" : "$"
      case "CAD": return region == "CA" ? "$" : "CA$"
      case "AUD": return region == "AU" ? "$" : "A$"
      case "NZD": return region == "NZ" ? "$" : "NZ$"
      case "MXN": return region == "MX" ? "$" : "MX$"
      case "HKD": return "HK$"
      case "TWD": return region == "TW" ? "$" : "NT$"
      case "BRL": return "R$"
      case "SEK", "NOK", "DKK":
        return ["SVSEK", "NBNOK", "NONOK"].contains(language + code)
          ? "kr" : language + code == "DADKK" ? "kr." : code
      case "PLN": return language == "PL" ? "zł" : code
      case "CZK": return language == "CS" ? "Kč" : code
      case "HUF": return language == "HU" ? "Ft" : code
      case "RUB": return language == "RU" ? "₽" : code
      case "UAH": return language == "UK" ? "₴" : code
      case "TRY": return language == "TR" ? "₺" : code
      default:
        return ["EUR": "€", "GBP": "£", "INR": "₹", "KRW": "₩", "ILS": "₪", "VND": "₫", "PHP": "₱"][code]
          ?? code
      }
    }
  }

  /// The units, with their short English names.
  enum Unit {
    private static let names: [String: String] = [
      "acre": " ac", "bit": " bit", "byte": " byte", "celsius": "°C", "centimeter": " cm", "day": " day",
      "degree": " deg", "fahrenheit": "°F", "fluid-ounce": " fl oz", "foot": " ft", "gallon": " gal",
      "gigabit": " Gb", "gigabyte": " GB", "gram": " g", "hectare": " ha", "hour": " hr", "inch": " in",
      "kilobit": " kb", "kilobyte": " kB", "kilogram": " kg", "kilometer": " km", "liter": " L",
      "megabit": " Mb",
      "megabyte": " MB", "meter": " m", "mile": " mi", "mile-scandinavian": " smi", "milliliter": " mL",
      "millimeter": " mm", "millisecond": " ms", "minute": " min", "month": " mth", "ounce": " oz",
      "percent": "%",
      "petabyte": " PB", "pound": " lb", "second": " sec", "stone": " st", "terabit": " Tb",
      "terabyte": " TB",
      "week": " wk", "yard": " yd", "year": " yr",
    ]

    /// The units whose name changes for more than one.
    private static let plurals: Set<String> = ["day", "month", "week", "year"]

    /// Returns a number with its unit.
    static func text(_ digits: String, _ unit: String, isOne: Bool) throws(StyleFault) -> String {
      switch unit {
      case "kilometer-per-hour": return digits + " km/h"
      case "mile-per-hour": return digits + " mph"
      case "mile-per-gallon": return digits + " mpg"
      case "liter-per-kilometer": return digits + " L/km"
      default: break
      }
      let parts = unit.split(separator: "-per-", maxSplits: 1).map(String.init)
      guard let first = names[parts[0]] else {
        throw StyleFault("Invalid unit argument for Intl.NumberFormat() '\(unit)'")
      }
      let name = first + (plurals.contains(parts[0]) && !isOne ? "s" : "")
      guard parts.count > 1 else { return digits + name }
      guard let second = names[parts[1]] else {
        throw StyleFault("Invalid unit argument for Intl.NumberFormat() '\(unit)'")
      }
      let short = ["hour": "h", "second": "s", "minute": "min", "day": "d"][parts[1]]
      return digits + name + "/" + (short ?? second.filter { $0 != " " })
    }
  }
}
