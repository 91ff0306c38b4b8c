import AlipayPlus
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// What a wallet is to be told, frozen with the change that it follows from: every attempt sends the same body under the same request id.
struct WalletErrand: Sendable, Hashable, Codable {
    enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case pay = "wallet-pay"
        /// Take a payment back as a whole.
        case cancel = "wallet-cancel"
        /// Refund what was collected in vain.
        case giveBack = "wallet-give-back"
        /// Refund what the acquirer refunds.
        case refund = "wallet-refund"
        /// Take back a payment that the books do not know; its subject is a notice.
        case takeBack = "wallet-take-back"
    }

    var kind: Kind
    /// Its payment method type.
    var wallet: String
    /// The body, as its JSON text. A wallet's token is put in when it is sent: no errand holds a secret in the clear.
    var body: String
    /// The wallet's token of an automatic debit, sealed as its authorisation has it: every attempt sends the same.
    var sealedToken: [UInt8]?

    /// The waits of the vendor's in-store client come first (alipay-plus.md#polling [O]); then it goes on for two days.
    static let schedules: [String: RetrySchedule] = {
        let hours: [Duration] = Array(repeating: .seconds(3_600), count: 48)
        let first = AlipayPlusSchedule.inStoreCancel + [10, 30, 60, 300, 600]
        let common: [Duration] = first.map { .seconds($0) } + hours
        // A pay that nobody answers is asked for by inquiry, and cancelled when its time ends.
        return [
            Kind.pay.rawValue: .fixed(AlipayPlusSchedule.inStoreInquiry.map { .seconds($0) }), Kind.cancel.rawValue: .fixed(common),
            Kind.giveBack.rawValue: .fixed(common), Kind.refund.rawValue: .fixed(common),
            Kind.takeBack.rawValue: .fixed(common),
        ]
    }()

    static func destination(of wallet: String) -> String { "wallet:\(wallet)" }

    /// - Parameters:
    ///   - id: The message's own; a pay's is its leg's, so that it can be taken back.
    ///   - subject: The leg, or the refund.
    ///   - lease: How long the message is left to the request that makes it; nothing where a worker takes it.
    static func message(
        _ kind: Kind, _ body: some AlipayPlusRequest, to wallet: String, of payment: AcquirerPayment, id: TimeOrderedID,
        subject: TimeOrderedID, sealedToken: [UInt8]? = nil, lease: Duration?, at now: Timestamp
    ) throws -> OutboxMessage {
        let errand = WalletErrand(kind: kind, wallet: wallet, body: String(decoding: body.body, as: UTF8.self), sealedToken: sealedToken)
        return OutboxMessage(
            merchant: payment.acquirer, id: id, destination: destination(of: wallet), kind: kind.rawValue, subject: subject,
            subjectVersion: payment.version, body: try JSONDocument.encode(errand), schedule: kind.rawValue,
            dueAt: lease.map { now.advanced(by: $0) } ?? now, createdAt: now)
    }

    static func pay(_ leg: CollectionLeg, of payment: AcquirerPayment, _ detail: AcquirerPayment.LegDetail, pspID: String)
        -> WalletPayRequest
    {
        let money = detail.money
        // The wallet's own offer is the wallet's to take off; it owes us the full amount.
        let promotion = money.promotion.flatMap { $0.funder == .wallet ? nil : $0 }
        return WalletPayRequest(
            acquirerId: payment.acquirer.description, pspId: pspID, paymentRequestId: payment.walletRequestID(of: leg.id),
            order: payment.terms.order,
            paymentAmount: WireAmount(money.price), payToAmount: WireAmount(money.payable), paymentQuote: money.payQuote,
            paymentMethod: WirePaymentMethod(
                paymentMethodType: PaymentMethodType(rawValue: leg.wallet), customerId: detail.customerID),
            paymentFactor: factor(payment.scenario), paymentExpiryTime: payment.expiresAt.alipayPlusTime,
            paymentRedirectUrl: payment.terms.redirectURL,
            promoAmount: promotion.map { WireAmount(currency: money.payable.currency.alphabeticCode, value: String($0.amount)) },
            promoNames: money.promotion.map { [$0.name] })
    }

    private static func factor(_ scenario: PaymentScenario) -> WirePaymentFactor {
        switch scenario {
        case .cashier: WirePaymentFactor(isCashierPayment: true)
        case .automaticDebit: WirePaymentFactor(isAgreementPayment: true)
        case .paymentCode: WirePaymentFactor(isInStorePayment: true, inStorePaymentScenario: .paymentCode)
        case .orderCode: WirePaymentFactor(isInStorePayment: true, inStorePaymentScenario: .orderCode)
        case .entryCode: WirePaymentFactor(isInStorePayment: true, inStorePaymentScenario: .entryCode)
        }
    }
}
