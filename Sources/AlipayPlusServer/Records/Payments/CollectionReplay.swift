import BillfoldPayments
import BillfoldStorage

/// A payment's states as its audit chain tells them. Which leg an event is of the chain does not tell, so a state is held to what the event
/// can lead to.
struct CollectionReplay {
    private(set) var state = CollectionStanding.State.processing
    private(set) var paidAt: Timestamp?
    private(set) var closedAt: Timestamp?
    /// How many refunds were begun, and how many came to nothing.
    private(set) var reserved: Int64 = 0
    private(set) var released: Int64 = 0
    private var isMade = false

    /// Which events lead from `processing` to a state; from `success` a cancel alone leads on, and from nowhere else anything.
    private static let ways: [CollectionStanding.State: Set<String>] = [
        .success: ["collected"], .failed: ["refused", "leg-cancelled", "leg-returned", "expired"], .cancelled: ["cancelled"],
    ]
    private static let names: Set<String> = [
        "wallet-chosen", "collected", "refused", "leg-cancelled", "cancel-too-late", "leg-returned", "given-up", "retried", "expired",
        "cancelled", "refund-reserved", "refund-released",
    ]

    /// Takes the chain's next row.
    ///
    /// - Returns: What the row would have to say; `nil` where it follows from those before it.
    mutating func take(_ row: AuditRow) -> String? {
        guard isMade else {
            isMade = true
            return row.action == "made" && row.result == state.rawValue ? nil : "made: \(state.rawValue)"
        }
        guard Self.names.contains(row.action) else { return "an event of a payment" }
        let words = row.result.split(separator: " ")
        guard words.count == 3, words[1] == ">", String(words[0]) == state.rawValue,
            let next = CollectionStanding.State(rawValue: String(words[2]))
        else { return "\(state.rawValue) > …" }
        switch row.action {
        case "refund-reserved": reserved += 1
        case "refund-released": released += 1
        default: break
        }
        guard next != state else { return nil }
        let leads =
            switch state {
            case .processing: Self.ways[next]?.contains(row.action) ?? false
            case .success: next == .cancelled && row.action == "cancelled"
            case .failed, .cancelled: false
            }
        guard leads else { return "an event that leads from \(state.rawValue) to \(next.rawValue)" }
        state = next
        if next == .success { paidAt = row.at } else { closedAt = row.at }
        return nil
    }
}
