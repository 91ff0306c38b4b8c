import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// Payments that wait for a person.
extension WalletBackOffice: WalletAlarms {
    private static let mostAlarms = 1_000

    package func alarms() async throws -> [WalletPaymentAlarm] {
        let late = context.now().advanced(by: .zero - context.configuration.paymentPatience)
        return try await context.database.read { tx in
            func alarm(_ kind: WalletPaymentAlarm.Kind, _ hold: Hold) -> WalletPaymentAlarm {
                WalletPaymentAlarm(
                    kind: kind, id: hold.requestID, trade: hold.trade, state: hold.state.rawValue, amount: hold.amount, note: hold.note,
                    startedAt: hold.createdAt.microseconds)
            }
            return try HoldRecords.contradicted(limit: Self.mostAlarms, in: tx).map { alarm(.contradiction, $0) }
                + HoldRecords.waiting(since: late, limit: Self.mostAlarms, in: tx).map { alarm(.unsettled, $0) }
        }
    }

    package func clearContradiction(of payment: String, remark: String, by person: String) async throws -> Bool {
        guard let id = try? TimeOrderedID(text: payment) else { return false }
        let now = context.now()
        return try await context.database.writeRepeatably { tx in
            guard try HoldRecords.clearContradiction(of: id, in: tx) else { return false }
            try audit("wallet.clear-contradiction", object: payment, result: remark, by: person, at: now, in: tx)
            return true
        }
    }
}
