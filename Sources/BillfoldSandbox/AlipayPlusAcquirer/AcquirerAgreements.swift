import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldStorage

/// A customer's consent that the merchant debits a wallet, in the acquirer's books.
struct AcquirerAgreement: PartyDocument, Hashable {
    static let kind = "acquirer.agreement"

    enum State: String, Sendable, Hashable, Codable {
        /// The customer was sent to the wallet.
        case asked
        /// There is a token to debit by.
        case active
        /// Either side took it back.
        case ended
    }

    /// `referenceAgreementId`, and `authState`.
    var id: String
    /// `paymentMethodType`.
    var wallet: String
    var state = State.asked
    /// Where the customer agrees.
    var page: String?
    var customer: String?
    /// A secret: it debits without anybody being asked.
    var accessToken: String?
    var refreshToken: String?
    /// Milliseconds since 1970, as all times here.
    var accessEnds: Int64?
    var madeAt: Int64

    mutating func end() {
        state = .ended
        (accessToken, refreshToken) = (nil, nil)
    }
}

/// Automatic debit: from the question to the customer to the last payment.
extension AlipayPlusAcquirerService {
    /// What a debit is for.
    static let delivery = PlusOffer(
        id: "weekly-kaya", name: "Kaya of the week", summary: "A jar every week, debited when it leaves.",
        price: Amount(minorUnits: 980, currency: .sgd), picture: "tray.svg")

    func agreements() async throws -> [AcquirerAgreement] {
        try await database.read { try PartyRecords.all(AcquirerAgreement.self, in: $0) }.sorted { ($0.madeAt, $0.id) > ($1.madeAt, $1.id) }
    }

    /// Asks a wallet's customer to agree. Refuses with `consent-refused`, or with `alipay-plus-silent` where nobody knows.
    func prepareAgreement(with wallet: String) async throws -> AcquirerAgreement {
        var agreement = AcquirerAgreement(id: newNumber("AG"), wallet: wallet, madeAt: now)
        let request = PrepareRequest(
            authClientId: AcquirerContract.merchantID, authClientName: AcquirerContract.merchantName,
            authClientDisplayName: AcquirerContract.merchantName, scopes: ["AGREEMENT_PAY"],
            authRedirectUrl: "\(shop)/plus-shop/weekly/return", authState: agreement.id, referenceAgreementId: agreement.id,
            paymentMethodType: PaymentMethodType(rawValue: wallet), terminalType: .web)
        let answer = try await said { try await line.call(request, about: [:]) }
        guard answer.result.isSuccess, let page = answer.normalUrl ?? answer.authUrl else {
            throw SandboxRefusal(code: "consent-refused", reason: answer.result.resultCode, status: 422)
        }
        agreement.page = page
        let made = agreement
        try await database.write { try PartyRecords.put(made, in: $0) }
        return made
    }

    /// The customer is back with a code, which is turned into a token once. Refuses with `agreement-unknown` and `consent-refused`.
    func redeem(_ code: String, for id: String) async throws -> AcquirerAgreement {
        let agreement = try await agreement(id)
        guard agreement.state == .asked else { return agreement }
        let answer = try await said {
            try await line.call(
                ApplyTokenRequest(grantType: .authorizationCode, authClientId: AcquirerContract.merchantID, authCode: code), about: [:])
        }
        guard answer.result.isSuccess, let token = answer.accessToken else {
            throw SandboxRefusal(code: "consent-refused", reason: answer.result.resultCode, status: 422)
        }
        return try await changeAgreement(id) { agreement in
            guard agreement.state == .asked else { return }
            agreement.state = .active
            (agreement.accessToken, agreement.refreshToken) = (token, answer.refreshToken)
            agreement.accessEnds = answer.accessTokenExpiryTime?.millisecondsSince1970
            agreement.customer = answer.customerId
        }
    }

    /// Debits what one delivery costs. Refuses with `agreement-missing` and `pay-refused`.
    func debit(_ id: String) async throws -> AcquirerOrder {
        let agreement = try await agreement(id)
        guard agreement.state == .active else {
            throw SandboxRefusal(code: "agreement-missing", reason: "nobody agreed to be debited", status: 409)
        }
        return try await pay(place(Self.delivery).id, by: .automaticDebit, agreement: agreement)
    }

    /// The merchant debits no more. Refuses with `consent-refused` where Alipay+ does not take the token back.
    func endAgreement(_ id: String) async throws -> AcquirerAgreement {
        let agreement = try await agreement(id)
        if let token = agreement.accessToken {
            let answer = try await said { try await line.call(CancelTokenRequest(accessToken: token), about: [:]) }
            guard answer.result.isSuccess else {
                throw SandboxRefusal(code: "consent-refused", reason: answer.result.resultCode, status: 422)
            }
        }
        return try await changeAgreement(id) { $0.end() }
    }

    private func agreement(_ id: String) async throws -> AcquirerAgreement {
        guard let found = try await database.read({ try PartyRecords.find(AcquirerAgreement.self, id, in: $0) }) else {
            throw SandboxRefusal(code: "agreement-unknown", reason: "nobody was asked for this consent", status: 404)
        }
        return found
    }

    private func changeAgreement(
        _ id: String, _ body: @escaping @Sendable (inout AcquirerAgreement) -> Void
    ) async throws -> AcquirerAgreement {
        try await database.write { tx in
            guard var agreement = try PartyRecords.find(AcquirerAgreement.self, id, in: tx) else {
                throw SandboxRefusal(code: "agreement-unknown", reason: "nobody was asked for this consent", status: 404)
            }
            body(&agreement)
            try PartyRecords.put(agreement, in: tx)
            return agreement
        }
    }

    /// What Alipay+ said; `alipay-plus-silent` where it said nothing.
    private func said<Answer>(_ call: () async throws -> Answer) async throws -> Answer {
        do { return try await call() } catch is SandboxError {
            throw SandboxRefusal(code: "alipay-plus-silent", reason: "Alipay+ does not answer; try again", status: 503)
        }
    }
}

/// The static code at the counter: its address asks for the amount (alipay-plus.md#entry-code [D]).
extension AlipayPlusAcquirerService {
    static let counterPath = "/plus-shop/store/pay"
    /// Of one payment at the counter.
    private static let most = Amount(minorUnits: 500_000, currency: .sgd)

    var counterAddress: String { shop + Self.counterPath }

    /// Begins the payment of an amount that the customer typed. Refuses with `amount-malformed`.
    func payAtCounter(_ text: String, userAgent: String?) async throws -> AcquirerOrder {
        guard let price = try? Amount(text, currency: .sgd), price.isPositive, price.minorUnits <= Self.most.minorUnits else {
            throw SandboxRefusal(code: "amount-malformed", reason: "an amount is above zero and at most \(Self.most)", status: 400)
        }
        let order = try await place(
            PlusOffer(id: "counter", name: "At the counter of Pier Nine", summary: "", price: price, picture: "tray.svg"))
        return try await pay(order.id, by: .entryCode, userAgent: userAgent.map { String($0.prefix(512)) })
    }
}
