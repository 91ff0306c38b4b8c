import BillfoldPayments
import BillfoldStorage

/// Trade numbers: the day in China, `22`, and eighteen digits of chance. A collision is refused by the store and drawn again.
enum TradeNumber {
    static func make(at now: Timestamp, using identifiers: IdentifierSource) -> String {
        let tail = String(identifiers.bits() % 1_000_000_000_000_000_000)
        return ChinaTime.compactDay(now) + "22" + String(repeating: "0", count: 18 - tail.count) + tail
    }

    /// Whether a text could be one; what cannot is not looked up.
    static func isPlausible(_ text: String) -> Bool {
        (16...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
