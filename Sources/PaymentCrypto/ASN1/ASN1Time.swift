import BillfoldCalendar
package import Foundation

/// The two time types of ASN.1 in the profile of RFC 5280: `YYMMDDHHMMSSZ` and `YYYYMMDDHHMMSSZ`.
package enum ASN1Time {
    /// Reads the content bytes; nil for any other form. Two-digit years from 50 on are of the twentieth century.
    static func date(_ text: ArraySlice<UInt8>, hasCentury: Bool) -> Date? {
        let yearDigits = hasCentury ? 4 : 2
        guard text.count == yearDigits + 11, text.last == UInt8(ascii: "Z") else { return nil }
        var fields = [Int]()
        var index = text.startIndex
        for width in [yearDigits, 2, 2, 2, 2, 2] {
            var value = 0
            for byte in text[index..<index + width] {
                guard byte >= 0x30, byte <= 0x39 else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            fields.append(value)
            index += width
        }
        let year = hasCentury ? fields[0] : fields[0] + (fields[0] < 50 ? 2000 : 1900)
        let (month, day, hour, minute, second) = (fields[1], fields[2], fields[3], fields[4], fields[5])
        guard (1...12).contains(month), day >= 1, day <= CivilCalendar.days(in: month, of: year), hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = ((CivilCalendar.dayNumber(year: year, month: month, day: day) * 24 + hour) * 60 + minute) * 60 + second
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }

    /// The DER element: UTCTime until the end of 2049, GeneralizedTime from then on (RFC 5280 section 4.1.2.5).
    package static func element(_ date: Date) -> [UInt8] {
        let total = Int(date.timeIntervalSince1970.rounded(.down))
        let day = total >= 0 ? total / 86_400 : (total - 86_399) / 86_400
        let rest = total - day * 86_400
        let (year, month, dayOfMonth) = CivilCalendar.date(day)
        let clock = [month, dayOfMonth, rest / 3_600, rest / 60 % 60, rest % 60].map { CivilCalendar.pad($0, 2) }.joined()
        if (1950..<2050).contains(year) {
            return DERWriter.element(0x17, Array((CivilCalendar.pad(year % 100, 2) + clock + "Z").utf8))
        }
        return DERWriter.element(0x18, Array((CivilCalendar.pad(year, 4) + clock + "Z").utf8))
    }
}
