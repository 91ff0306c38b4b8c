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
        guard (1...12).contains(month), day >= 1, day <= days(in: month, of: year), hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = ((dayNumber(year: year, month: month, day: day) * 24 + hour) * 60 + minute) * 60 + second
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }

    /// The DER element: UTCTime until the end of 2049, GeneralizedTime from then on (RFC 5280 section 4.1.2.5).
    package static func element(_ date: Date) -> [UInt8] {
        let total = Int(date.timeIntervalSince1970.rounded(.down))
        let day = total >= 0 ? total / 86_400 : (total - 86_399) / 86_400
        let rest = total - day * 86_400
        let (year, month, dayOfMonth) = civil(day)
        let clock = [month, dayOfMonth, rest / 3_600, rest / 60 % 60, rest % 60].map { pad($0, 2) }.joined()
        if (1950..<2050).contains(year) {
            return DERWriter.element(0x17, Array((pad(year % 100, 2) + clock + "Z").utf8))
        }
        return DERWriter.element(0x18, Array((pad(year, 4) + clock + "Z").utf8))
    }

    package static func pad(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    package static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        default: 31
        }
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar; years begin in March, so that leap days come last.
    package static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day of that number.
    package static func civil(_ dayNumber: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}
