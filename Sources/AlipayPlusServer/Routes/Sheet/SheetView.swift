import AlipayPlus
import BillfoldStorage

/// What the sheet says of its payment at a moment.
enum SheetView: String, Sendable, Hashable, CaseIterable {
    /// A wallet can be chosen.
    case open
    /// A wallet was chosen, and nobody knows yet what becomes of it.
    case waiting
    case paid
    /// A wallet refused.
    case failed
    /// The acquirer cancelled it.
    case cancelled
    /// Its time is over, and no wallet took anything.
    case expired
    /// Its time is over, and a wallet may have taken the money: unknown is never failed.
    case closing

    /// - Parameter visit: Whoever chose a wallet on the sheet, and came back, waits as well as whoever's wallet has told us so.
    init(_ payment: AcquirerPayment, _ visit: SheetVisit, at now: Timestamp) {
        switch payment.state {
        case .success: self = .paid
        case .cancelled: self = .cancelled
        case .failed: self = payment.failure == AlipayPlusResult.orderIsClosed.resultCode ? .expired : .failed
        case .processing:
            if payment.progress.isClosing || payment.expiresAt <= now {
                self = payment.legs.contains { $0.state.holdsOthers } ? .closing : .expired
            } else {
                self = !visit.choosesAnew && (visit.chosen != nil || Self.asked(payment) != nil) ? .waiting : .open
            }
        }
    }

    /// The wallet that is being asked, or about to be.
    static func asked(_ payment: AcquirerPayment) -> String? {
        payment.currentLeg.flatMap { [.waiting, .requested].contains($0.state) ? $0.wallet : nil }
    }

    /// Whether it can change without the person.
    var isWatched: Bool { [.open, .waiting, .closing].contains(self) }
}
