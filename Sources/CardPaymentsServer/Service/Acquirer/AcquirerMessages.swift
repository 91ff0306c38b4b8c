import ApplePay
import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import PaymentCrypto
import UnionPay

/// A message that is signed and frozen: its fields, and the body that carries them.
struct SignedMessage: Sendable {
    let fields: UnionPayFields
    let body: [UInt8]

    init(_ request: some UnionPayRequest, by signer: UnionPaySigner) throws {
        fields = try request.signed(by: signer)
        body = try FormBody.bytes(of: fields)
    }

    /// Reads a message that was stored.
    init(body: [UInt8]) throws {
        fields = try FormBody.decode(body)
        self.body = body
    }
}

/// Freezes, signs and seals what goes to the acquirer.
struct AcquirerMessages: Sendable {
    /// Kinds of outbox rows; also the titles in traces.
    enum Kind: String, Sendable {
        case consume
        case refund
        case void
        case reversal
        /// An order that UnionPay's own client is to be paid by.
        case push

        /// Whether its subject is a payment, and not a modification of one.
        var beginsPayment: Bool { self == .consume || self == .push }

        var type: TransactionType {
            switch self {
            case .consume, .push: .consume
            case .refund: .refund
            case .void: .void
            case .reversal: .reversal
            }
        }
    }

    static let destination = "unionpay"

    let configuration: CardPaymentsConfiguration
    let identifiers: IdentifierSource

    /// The acquirer's key for a new message: our id has 32 letters and digits, and is unique for ever.
    func key(_ id: TimeOrderedID, merchant: MerchantProfile, at now: Timestamp) throws -> TransactionKey {
        TransactionKey(merchant: merchant.acquirerID, order: try OrderID(id.description), time: now.beijing)
    }

    /// `reqReserved` names our order, so that both sides' people can find it: the acquirer's `orderId` is the attempt.
    func consume(
        _ key: TransactionKey, order: TimeOrderedID, amount: Amount, payload: PaymentPayload, merchant: MerchantProfile,
        at now: Timestamp
    ) throws -> SignedMessage {
        guard case .emv(let emv) = payload.paymentData else {
            throw CardPaymentsError(code: .cardNotSupported, reason: "the acquirer takes cards with EMV data only")
        }
        let card = CardTransactionData(
            accountNumber: payload.applicationPrimaryAccountNumber, emvData: emv.emvData, encryptedPIN: emv.encryptedPINData)
        return try SignedMessage(
            ConsumeRequest(
                profile: merchant.messageProfile, key: key, amount: amount, card: card, backURL: configuration.endpoints.notification,
                payTimeout: now.advanced(by: configuration.payTimeout).beijing, reserved: order.description),
            by: merchant.signer)
    }

    /// The message that asks for an order's number. The customer pays until its time limit.
    func push(
        _ key: TransactionKey, order: TimeOrderedID, amount: Amount, text: String, merchant: MerchantProfile, until limit: Timestamp
    ) throws -> SignedMessage {
        try SignedMessage(
            OrderPushRequest(
                profile: merchant.messageProfile, key: key, amount: amount, backURL: configuration.endpoints.notification,
                orderDescription: text, payTimeout: limit.beijing, reserved: order.description),
            by: merchant.signer)
    }

    /// - Parameter product: That of the payment.
    func refund(
        _ modification: Modification, original: OriginalReference, product: String, merchant: MerchantProfile
    ) throws -> SignedMessage {
        try SignedMessage(
            RefundRequest(
                profile: merchant.messageProfile, key: TransactionKey(externalKey: modification.externalKey), original: original,
                amount: modification.amount, backURL: configuration.endpoints.notification, businessType: product),
            by: merchant.signer)
    }

    func void(
        _ modification: Modification, original: OriginalReference, product: String, merchant: MerchantProfile
    ) throws -> SignedMessage {
        try SignedMessage(
            VoidRequest(
                profile: merchant.messageProfile, key: TransactionKey(externalKey: modification.externalKey), original: original,
                amount: modification.amount, backURL: configuration.endpoints.notification, businessType: product),
            by: merchant.signer)
    }

    /// A reversal carries the original's key.
    func reversal(of payment: Payment, merchant: MerchantProfile) throws -> SignedMessage {
        try SignedMessage(
            ReversalRequest(
                profile: merchant.messageProfile, key: TransactionKey(externalKey: payment.externalKey), amount: payment.amount),
            by: merchant.signer)
    }

    func query(_ externalKey: String, reference: String?, merchant: MerchantProfile) throws -> SignedMessage {
        try SignedMessage(
            QueryRequest(
                profile: merchant.messageProfile, key: TransactionKey(externalKey: externalKey),
                queryID: try reference.map { text throws(UnionPayError) in try QueryID(text) }),
            by: merchant.signer)
    }

    func file(_ day: SettlementDay, merchant: MerchantProfile, at now: Timestamp) throws -> SignedMessage {
        try SignedMessage(
            FileTransferRequest(profile: merchant.messageProfile, merchant: merchant.acquirerID, time: now.beijing, settlementDay: day),
            by: merchant.signer)
    }

    /// An outbox row with the body sealed under the row's id: a deduct message holds card data. The id is the subject's own, so
    /// that each payment, refund, void or reversal has one message, found without a search.
    ///
    /// - Parameter lease: How long the row belongs to the request that makes it; zero leaves it to the workers at once.
    func row(
        _ kind: Kind, _ message: SignedMessage, subject: TimeOrderedID, version: Int64, merchant: MerchantProfile, lease: Duration,
        at now: Timestamp
    ) throws -> OutboxMessage {
        var generator = SourcedGenerator(source: identifiers)
        let sealed = try configuration.keys.sealer.seal(message.body, context: Self.context(subject), using: &generator)
        return OutboxMessage(
            merchant: merchant.id, id: subject, destination: Self.destination, kind: kind.rawValue, subject: subject,
            subjectVersion: version,
            body: sealed, schedule: kind.rawValue, dueAt: now.advanced(by: lease), createdAt: now)
    }

    func open(_ message: OutboxMessage) throws -> SignedMessage {
        try SignedMessage(body: configuration.keys.sealer.open(message.body, context: Self.context(message.id)))
    }

    /// Contacts are sealed under the payment's bare id; a message is none of them.
    private static func context(_ id: TimeOrderedID) -> [UInt8] { Array("outbox:".utf8) + id.bytes }
}
