import Alipay
import BillfoldStorage

/// Instants as the protocol writes them: China's time.
enum ChinaTime {
    /// `yyyy-MM-dd HH:mm:ss`.
    static func text(_ instant: Timestamp) -> String { instant.alipayTime.description }
    /// `yyyyMMddHHmmss`.
    static func compact(_ instant: Timestamp) -> String { instant.alipayTime.compact }
    /// `yyyy-MM-dd`.
    static func dayText(_ instant: Timestamp) -> String { instant.alipayTime.day }
    /// `yyyyMMdd`.
    static func compactDay(_ instant: Timestamp) -> String { String(instant.alipayTime.compact.prefix(8)) }

    /// The instants of a day, `yyyy-MM-dd` or `yyyyMMdd`; `nil` where the text is no day.
    static func range(ofDay text: some StringProtocol) -> Range<Timestamp>? {
        let time = text.utf8.count == 8 ? try? AlipayTime(compact: "\(text)000000") : try? AlipayTime("\(text) 00:00:00")
        guard let start = time else { return nil }
        return Timestamp(start)..<Timestamp(start.adding(seconds: 86_400))
    }

    /// The instants of a month, `yyyy-MM`.
    static func range(ofMonth text: some StringProtocol) -> Range<Timestamp>? {
        guard text.utf8.count == 7, let first = range(ofDay: "\(text)-01") else { return nil }
        // Every month ends within 31 days of its first, and no month is shorter than 28.
        let inNext = dayText(first.lowerBound.advanced(by: .seconds(31 * 86_400)))
        guard let end = range(ofDay: "\(inNext.prefix(7))-01") else { return nil }
        return first.lowerBound..<end.lowerBound
    }
}

extension Timestamp {
    init(_ time: AlipayTime) { self.init(secondsSince1970: time.secondsSince1970) }
    var alipayTime: AlipayTime { AlipayTime(secondsSince1970: microseconds / 1_000_000) }
    /// As our own messages carry instants.
    var milliseconds: Int64 { microseconds / 1_000 }
}
