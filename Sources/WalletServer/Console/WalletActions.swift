import BillfoldJSON
import BillfoldMoney
package import BillfoldServer
import BillfoldStorage
import HTTPTypes

/// What operators may have done to accounts after a second person approved it, each under the approval's id: running one twice does
/// nothing more.
package struct WalletActions: Sendable {
    let backOffice: WalletBackOffice

    /// The actions by kind. The subject is an account's number, or the id of a payment at the gateway.
    ///
    /// `wallet-top-up`, `wallet-withdrawal`: detail `{"amount":{"amount":"10.00","currency":"CNY"},"reason"}`.
    /// `wallet-freeze`, `wallet-thaw`: detail `{"reason"}`.
    /// `wallet-settle-payment`: detail `{"outcome":"captured","reason"}`, or `released`.
    /// Where the wallet hosts mini programs, also those of the platform: `mini-program-…` and `oauth-client`.
    package var all: [String: ApprovalAction] {
        let own: [String: ApprovalAction] = [
            "wallet-top-up": move(.topUp), "wallet-withdrawal": move(.withdrawal), "wallet-freeze": freeze(true),
            "wallet-thaw": freeze(false), "wallet-settle-payment": ApprovalAction(read: readSettlement, run: settle),
        ]
        guard let office = backOffice.miniPrograms else { return own }
        return own.merging(MiniProgramActions(office: office).all) { known, _ in known }
    }

    private struct Money {
        var amount: Amount
        var reason: String

        init(_ bytes: [UInt8]) throws(ServerError) {
            let reader = try ApprovalReader(bytes, allowing: ["amount", "reason"])
            amount = try reader.amount()
            reason = try reader.reason()
        }
    }

    private struct Outcome {
        var settlement: WalletBackOffice.Settlement
        var reason: String

        init(_ bytes: [UInt8]) throws(ServerError) {
            let reader = try ApprovalReader(bytes, allowing: ["outcome", "reason"])
            guard let settlement = WalletBackOffice.Settlement(rawValue: try reader.text("outcome", maximum: 16)) else {
                throw .malformed("the outcome is captured or released")
            }
            self.settlement = settlement
            reason = try reader.reason()
        }
    }

    /// Whose account it is. Refuses a number that nobody has.
    private func customer(_ number: String) async throws -> ApprovalAction.Line {
        let account = try await backOffice.context.database.read { tx in try AccountRecords.find(number: number, in: tx) }
        guard let account else {
            throw ServerError(Refusal(WalletError(code: .accountNotFound, reason: "there is no such account")))
        }
        return .init("Account", "\(account.number), \(account.name)")
    }

    private func move(_ transfer: WalletBackOffice.Transfer) -> ApprovalAction {
        ApprovalAction { subject, bytes in
            let wish = try Money(bytes)
            return ApprovalAction.Wish(
                detail: JSONObject(ordered: ["amount": JSONValue(wish.amount), "reason": .string(wish.reason)]),
                lines: [
                    .init(transfer == .topUp ? "Book as paid in" : "Book as paid out", "\(wish.amount)"), try await customer(subject),
                    .init("Reason", wish.reason),
                ])
        } run: { request in
            let wish = try Money(Array(request.detail.utf8))
            let isNew = try await asked {
                try await backOffice.transfer(
                    transfer, of: wish.amount, account: request.subject, requestID: "approval-\(request.id)", by: request.people,
                    reason: wish.reason)
            }
            return isNew ? "\(transfer.rawValue) of \(wish.amount)" : "done before"
        }
    }

    private func freeze(_ isFrozen: Bool) -> ApprovalAction {
        @Sendable func reason(_ bytes: [UInt8]) throws(ServerError) -> String { try ApprovalReader(bytes, allowing: ["reason"]).reason() }
        return ApprovalAction { subject, bytes in
            let reason = try reason(bytes)
            var line = try await customer(subject)
            line.label = isFrozen ? "Freeze the account" : "Thaw the account"
            return ApprovalAction.Wish(
                detail: JSONObject(ordered: ["reason": .string(reason)]), lines: [line, .init("Reason", reason)])
        } run: { request in
            let reason = try reason(Array(request.detail.utf8))
            try await asked {
                try await backOffice.setFrozen(isFrozen, account: request.subject, by: request.people, reason: reason)
            }
            return isFrozen ? "frozen" : "thawed"
        }
    }

    @Sendable private func readSettlement(_ subject: String, _ bytes: [UInt8]) async throws -> ApprovalAction.Wish {
        let wish = try Outcome(bytes)
        let found = try await backOffice.context.database.read { tx -> (Hold, WalletAccount?)? in
            guard let id = try? TimeOrderedID(text: subject), let hold = try HoldRecords.find(id, in: tx) else { return nil }
            return (hold, try AccountRecords.find(hold.account, in: tx))
        }
        guard let (hold, account) = found else {
            throw ServerError(Refusal(WalletError(code: .paymentNotFound, reason: "there is no such payment")))
        }
        return ApprovalAction.Wish(
            detail: JSONObject(ordered: ["outcome": .string(wish.settlement.rawValue), "reason": .string(wish.reason)]),
            lines: [
                .init("Settle by hand", wish.settlement == .captured ? "the gateway has the money" : "the customer has it back"),
                .init("Payment", "\(hold.requestID), \(hold.amount)"), .init("Trade", "\(hold.trade), \(hold.subject)"),
                .init("Payee", hold.payee), .init("Account", account.map { "\($0.number), \($0.name)" } ?? hold.account.description),
                .init("Reason", wish.reason),
            ])
    }

    @Sendable private func settle(_ request: ApprovalRequest) async throws -> String {
        let wish = try Outcome(Array(request.detail.utf8))
        let isNew = try await asked {
            try await backOffice.settle(payment: request.subject, as: wish.settlement, by: request.people, reason: wish.reason)
        }
        return isNew ? wish.settlement.rawValue : "done before"
    }

    /// A refusal of the wallet means that nothing moved.
    private func asked<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as WalletError {
            throw ServerError(Refusal(error))
        }
    }
}
