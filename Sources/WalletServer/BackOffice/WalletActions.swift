import BillfoldMoney
public import BillfoldServer
import Foundation
import HTTPTypes

/// What operators may have done to accounts after a second person approved it, each under the approval's id: running one twice does
/// nothing more.
public struct WalletActions: Sendable {
    let backOffice: WalletBackOffice

    /// The actions by kind. The subject is an account's number, or the id of a payment at the gateway.
    ///
    /// `wallet-top-up`, `wallet-withdrawal`: detail `{"amount":{"amount":"10.00","currency":"CNY"},"reason"}`.
    /// `wallet-freeze`, `wallet-thaw`: detail `{"reason"}`.
    /// `wallet-settle-payment`: detail `{"outcome":"captured","reason"}`, or `released`.
    /// Where the wallet hosts mini programs, also those of the platform: `mini-program-…` and `oauth-client`.
    public var all: [String: ApprovalQueue.Action] {
        let own: [String: ApprovalQueue.Action] = [
            "wallet-top-up": { try await move(.topUp, $0) }, "wallet-withdrawal": { try await move(.withdrawal, $0) },
            "wallet-freeze": { try await freeze(true, $0) }, "wallet-thaw": { try await freeze(false, $0) },
            "wallet-settle-payment": { try await settle($0) },
        ]
        guard let office = backOffice.miniPrograms else { return own }
        return own.merging(MiniProgramActions(office: office).all) { known, _ in known }
    }

    private struct Money: Decodable {
        var amount: Amount
        var reason: String
    }

    private struct Reason: Decodable { var reason: String }

    private struct Outcome: Decodable {
        var outcome: String
        var reason: String
    }

    private func read<Detail: Decodable>(_ request: ApprovalRequest) throws(ServerError) -> Detail {
        guard let detail = try? JSONDecoder().decode(Detail.self, from: Data(request.detail.utf8)) else {
            throw ServerError(code: .malformedRequest, reason: "the detail is not what this action takes", status: .unprocessableContent)
        }
        return detail
    }

    private func people(_ request: ApprovalRequest) -> String {
        [request.requestedBy, request.decidedBy].compactMap(\.self).joined(separator: ", ")
    }

    private func move(_ transfer: WalletBackOffice.Transfer, _ request: ApprovalRequest) async throws -> String {
        let detail: Money = try read(request)
        let isNew = try await asked {
            try await backOffice.transfer(
                transfer, of: detail.amount, account: request.subject, requestID: "approval-\(request.id)", by: people(request),
                reason: detail.reason)
        }
        return isNew ? "\(transfer.rawValue) of \(detail.amount)" : "done before"
    }

    private func freeze(_ isFrozen: Bool, _ request: ApprovalRequest) async throws -> String {
        let detail: Reason = try read(request)
        try await asked {
            try await backOffice.setFrozen(isFrozen, account: request.subject, by: people(request), reason: detail.reason)
        }
        return isFrozen ? "frozen" : "thawed"
    }

    private func settle(_ request: ApprovalRequest) async throws -> String {
        let detail: Outcome = try read(request)
        guard let settlement = WalletBackOffice.Settlement(rawValue: detail.outcome) else {
            throw ServerError(code: .malformedRequest, reason: "the outcome is captured or released", status: .unprocessableContent)
        }
        let isNew = try await asked {
            try await backOffice.settle(payment: request.subject, as: settlement, by: people(request), reason: detail.reason)
        }
        return isNew ? detail.outcome : "done before"
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
