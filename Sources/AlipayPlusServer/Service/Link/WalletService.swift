import AlipayPlus
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// What wallets ask of the gateway, and tell it.
struct WalletService: Sendable {
    let context: AlipayPlusServerContext
    let codes: PaymentCodeService
    let collector: Collector
    let authorizations: AuthorizationService

    /// A customer scanned a code, or followed a link that wraps one: the wallet becomes the payment's, and is asked to collect by an
    /// errand. The same customer's repeat is the same leg; another wallet takes over until one has paid.
    func userInitiatedPay(_ request: WalletUserInitiatedPayRequest, by wallet: PartnerWallet) async throws -> WalletUserInitiatedPayAnswer {
        let reference = try codes.reference(in: request.codeValue)
        if OwnTime.isVisited,
            let known = try await context.database.lookup({ try AcquirerPaymentRecords.find(reference: reference, in: $0) })
        {
            OwnTime.enter(known.acquirer.description)
        }
        let now = context.clock.now()
        let legID = context.identifiers.next(at: now)
        let (payment, leg, isNew) = try await context.database.writeRepeatably { [context] tx -> (AcquirerPayment, TimeOrderedID, Bool) in
            guard let payment = try AcquirerPaymentRecords.find(reference: reference, in: tx) else { throw ResultRefusal(.invalidCode) }
            if let known = Self.known(payment, wallet: wallet, customer: request.customerId) { return (payment, known, false) }
            guard payment.scenario != .paymentCode, payment.scenario != .automaticDebit else { throw ResultRefusal(.invalidCode) }
            guard payment.state == .processing, payment.expiresAt > now else { throw ResultRefusal(.orderIsClosed) }
            guard let acquirer = try AlipayPlusPartyRecords.acquirer(payment.acquirer, in: tx) else { throw ResultRefusal(.invalidCode) }
            let detail = try LegMaker.detail(
                of: payment, by: wallet, acquirer: acquirer, customerID: request.customerId,
                rates: context.rates.table(in: tx), at: now)
            let applied = try context.store.apply(
                .init(event: .walletChosen(leg: legID, wallet: wallet.type), actor: "wallet:\(wallet.type)", detail: detail),
                to: payment.id, acquirer: payment.acquirer, at: now, in: tx)
            return (applied.payment, legID, true)
        }
        if isNew {
            context.metrics.moved("wallet-chosen")
            context.trace.note(
                "wallet chosen", fields: [("wallet", wallet.type)], about: AcquiringGatewayTrace.about(payment, leg: leg))
        }
        guard let detail = payment.detail(of: leg) else {
            throw PaymentsError(code: .corruptRecord, reason: "a leg without its amounts")
        }
        return WalletUserInitiatedPayAnswer(
            result: .success, codeType: .orderCode, acquirerId: payment.acquirer.description,
            paymentRequestId: payment.walletRequestID(of: leg), order: payment.terms.order, paymentAmount: WireAmount(detail.money.price),
            payToAmount: WireAmount(detail.money.payable), paymentQuote: detail.money.payQuote,
            paymentExpiryTime: payment.expiresAt.alipayPlusTime, paymentRedirectUrl: payment.terms.redirectURL)
    }

    /// The leg that this customer of the wallet has, where the last one is theirs.
    private static func known(_ payment: AcquirerPayment, wallet: PartnerWallet, customer: String?) -> TimeOrderedID? {
        guard let leg = payment.currentLeg, ExactText.equal(leg.wallet, wallet.type), [.waiting, .requested, .paid].contains(leg.state),
            ExactText.equal(payment.detail(of: leg.id)?.customerID, customer)
        else { return nil }
        return leg.id
    }

    /// A payment of the wallet is final. What is not wanted any more is given back by an errand; the wallet is told S all the same: it
    /// was heard. So it is told of a success that the books know nothing of, once that is kept for people.
    func notifyPayment(_ request: WalletNotifyPaymentRequest, by wallet: PartnerWallet) async throws -> PlainAnswer {
        // What wallets know our requests by looks so.
        guard request.paymentRequestId.wholeMatch(of: /[0-9a-f]{32}/) != nil else { throw ResultRefusal(.orderNotExist) }
        let name = request.paymentRequestId
        if OwnTime.isVisited,
            let known = try await context.database.lookup({ try AcquirerPaymentRecords.find(walletRequest: name, in: $0) })
        {
            OwnTime.enter(known.payment.acquirer.description)
        }
        let said = Collector.Said(
            request.paymentResult, collected: .both(request.paymentAmount, payable: request.payToAmount), number: request.paymentId,
            customer: request.customerId, bytes: request.body)
        let (payment, heard) = try await context.database.writeRepeatably { [collector] tx -> (AcquirerPayment?, Collector.Heard) in
            let payment = try AcquirerPaymentRecords.find(walletRequest: request.paymentRequestId, in: tx)?.payment
            let isItsOwn =
                payment.map { ExactText.equal($0.leg(requestedAs: request.paymentRequestId)?.wallet, wallet.type) }
                ?? request.paymentResult.isSuccess
            guard isItsOwn else { throw ResultRefusal(.orderNotExist) }
            let heard = try collector.hear(
                said, of: request.paymentRequestId, from: wallet.type, in: tx)
            return (payment, heard)
        }
        context.tell(heard)
        let result = request.paymentResult.resultCode
        let problem: String? =
            switch heard {
            case .taken: nil
            case .anotherAmount: "the amount is not the one that was asked for"
            case .kept: "it speaks of nothing in the books: it is kept for people"
            }
        context.trace.note(
            "wallet's word", fields: [("result", result)],
            about: payment.flatMap { found in
                found.leg(requestedAs: request.paymentRequestId).map { AcquiringGatewayTrace.about(found, leg: $0.id) }
            } ?? [:],
            problem: problem)
        guard heard != .anotherAmount else {
            throw ResultRefusal(.paramIllegal, "paymentAmount or payToAmount is not the one that was asked for, or missing")
        }
        return PlainAnswer(result: .success)
    }

    func inquireQuote(_ request: InquireQuoteRequest) async throws -> InquireQuoteAnswer {
        let (sell, buy) = (try WireCurrency(request.sellCurrency).currency, try WireCurrency(request.buyCurrency).currency)
        let now = context.clock.now()
        guard let quote = try await context.database.lookup({ [context] in try context.rates.table(in: $0).quote(sell, buy, at: now) })
        else {
            throw ResultRefusal(.paramIllegal, "the two currencies are one")
        }
        return InquireQuoteAnswer(result: .success, quote: quote)
    }
}
