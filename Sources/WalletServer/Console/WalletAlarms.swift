/// What the console can show and do of a wallet. Settling a payment by hand moves money and takes two persons: it is an action of the
/// ``ApprovalQueue``, of the kind `wallet-settle-payment`.
package protocol WalletAlarms: Sendable {
    /// Payments that wait for a person: contradictions first, and of each kind the oldest first.
    func alarms() async throws -> [WalletPaymentAlarm]
    /// Marks a contradiction about a payment, told by its id at the gateway, as dealt with, and writes who did it and the remark to the
    /// wallet's trail. Returns false where there is none.
    func clearContradiction(of payment: String, remark: String, by person: String) async throws -> Bool
}
