import AlipayPlus
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// The books know no payment under a request id. Thrown out of a read, because what that means is asked of others.
struct Unlisted: Error {
    var requestID: String
}

/// What became of request ids that the books do not know.
///
/// A failover can lose a payment that was collected, told and acknowledged: nobody speaks of it again, so its absence proves nothing. A wallet
/// knows a payment by a name that is made of the acquirer's (``WalletRequests``), and so is asked.
struct UnlistedPayments: Sendable {
    let context: AlipayPlusServerContext
    let collector: Collector

    /// Which payments a request id can stand for.
    struct Scope: Sendable {
        /// The one wallet that can have been asked; nil for every wallet of the acquirer's contract.
        var wallet: String?
        var legs = WalletRequests.mostLegs

        static let any = Scope()
    }

    /// What an acquirer is answered: F is final, so it is said where every wallet denies the payment. What one has collected, or may yet
    /// collect, is U; and so it is as long as one does not say.
    func refusal(_ requestID: String, by acquirer: Acquirer) async throws -> ResultRefusal {
        try await doubt(requestID, .any, by: acquirer) ?? ResultRefusal(.orderNotExist)
    }

    /// Why nobody knows that nothing was collected; nil where every wallet says that.
    func doubt(_ requestID: String, _ scope: Scope, by acquirer: Acquirer) async throws -> ResultRefusal? {
        let wallets = try await context.parties.wallets().map(\.type).filter { type in
            scope.wallet.map { ExactText.equal($0, type) } ?? acquirer.covers(type)
        }
        let anyDoubt = try await withThrowingTaskGroup(of: Bool.self) { group in
            for wallet in wallets {
                let names = context.requests.payments(requestID, of: acquirer.id, by: wallet, legs: scope.legs)
                group.addTask { try await isInDoubt(names, of: wallet, acquirer: acquirer.id) }
            }
            return try await group.reduce(false) { $0 || $1 }
        }
        return anyDoubt ? Self.unknown : nil
    }

    private func isInDoubt(_ names: [String], of wallet: String, acquirer: MerchantID) async throws -> Bool {
        for name in names {
            let asked = await collector.ask(
                name, acquirer: acquirer.description, of: wallet, about: ["alipay-plus.wallet-request": name])
            switch asked {
            case .nothing(let refusal) where refusal.resultCode == AlipayPlusResult.orderNotExist.resultCode: continue
            case .said(let said) where said.result.isFailure: continue
            case .said(let said):
                // It is kept for people, as if the wallet had told it of itself.
                let heard = try await context.database.writeRepeatably { [collector] tx in
                    try collector.hear(said, of: name, from: wallet, in: tx)
                }
                context.tell(heard)
                return true
            case .nothing, .unknown: return true
            }
        }
        let owner = context.noticeOwner
        return try await context.database.lookup { tx in try UnmatchedNoticeRecords.holdsOpen(owner, naming: names, in: tx) }
    }

    /// Refuses to begin a payment that a wallet is known to have collected.
    func demandNoNotice(_ requestID: String, by acquirer: Acquirer, in tx: any Transaction) throws {
        let owner = context.noticeOwner
        guard try UnmatchedNoticeRecords.holdsOpen(owner, in: tx) else { return }
        let wallets = try context.parties.wallets(of: Generations(reading: tx), in: tx)
        let names = wallets.flatMap { context.requests.payments(requestID, of: acquirer.id, by: $0.type) }
        if try UnmatchedNoticeRecords.holdsOpen(owner, naming: names, in: tx) { throw Self.unknown }
    }

    private static var unknown: ResultRefusal {
        ResultRefusal(.unknownException, "what became of this payment is not known: ask again")
    }
}
