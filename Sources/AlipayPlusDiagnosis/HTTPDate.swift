import BillfoldCalendar

/// The `Date` header (RFC 9110, section 5.6.7): `Sun, 01 Mar 2026 02:15:31 GMT`.
enum HTTPDate {
    /// Seconds since 1970; nil for other text.
    static func read(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), let month = months.firstIndex(of: String(words[2])),
            let year = Int(words[3]), (1970...9999).contains(year), day >= 1, day <= CivilCalendar.days(in: month + 1, of: year)
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2]) else { return nil }
        return Int64(((CivilCalendar.dayNumber(year: year, month: month + 1, day: day) * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2])
    }
}
