public import Foundation

/// How near a certificate's end is. Replacing one takes days of other people's work, so the first warning is early; the
/// wallet's own mails come 30, 15 and 7 days before (apple-pay.md#merchant-certificates). [D]
public enum KeyExpiry: Sendable, Hashable {
    case far
    /// Inside one of the marks: 60, 30, 15 or 7 days. The smallest that fits.
    case near(withinDays: Int)
    case ended

    public static let marks = [7, 15, 30, 60]

    public init(notAfter: Date, now: Date) {
        guard now <= notAfter else {
            self = .ended
            return
        }
        let left = notAfter.timeIntervalSince(now)
        self = Self.marks.first { left <= TimeInterval($0) * 86_400 }.map { .near(withinDays: $0) } ?? .far
    }

    /// Whole days left; negative after the end.
    public static func daysLeft(notAfter: Date, now: Date) -> Int {
        Int((notAfter.timeIntervalSince(now) / 86_400).rounded(.down))
    }
}
