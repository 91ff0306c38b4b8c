public import AlipayPlus
public import BillfoldDiagnosis
public import BillfoldServer
package import BillfoldStorage

/// What a gateway is composed from, read once.
public struct AlipayPlusServerConfiguration: Sendable {
    package var mode: ServerMode
    package var keys: AlipayPlusGatewayKeys
    package var origin: String
    /// The host in order codes. A code is recognised by its path; nothing has to answer at the host [I].
    public var codeHost = "qr.alipay-plus.example"
    /// The three digits that order codes have of us, and the four that they have where an acquirer chose none [I].
    public var codeGiven = "010"
    public var codeChosen = "0001"
    /// Lets acquirers and wallets register themselves over HTTP; test mode only.
    public var onboardingKey: Secret<String>?
    /// How far a `Request-Time` may be from the clock; no tolerance is published [I].
    public var timeTolerance: Duration = .seconds(600)
    /// In test mode, where the gateway's clock can be moved: the clock that clients of others go by. Its time is taken as well.
    package var clientsClock: (any WallClock)?
    /// How long an acquirer has to acknowledge a notification (alipay-plus.md#acknowledgement [D]).
    package var notificationTimeout: Duration = .seconds(AlipayPlusSchedule.acknowledgement)
    /// How long a wallet has to answer (alipay-plus.md#time-outs [D]).
    package var walletTimeout: Duration = .seconds(AlipayPlusSchedule.longTimeout)
    /// How long a message belongs to whoever took it.
    package var lease: Duration = .seconds(60)
    /// How long a payment waits where its request says nothing: 14 minutes (alipay-plus.md#expiry [I]); shown codes and tokens are
    /// short [I].
    public var lifetimes: [PaymentScenario: Duration] = [
        .cashier: .seconds(AlipayPlusSchedule.paymentLifetime), .orderCode: .seconds(AlipayPlusSchedule.paymentLifetime),
        .entryCode: .seconds(AlipayPlusSchedule.paymentLifetime), .paymentCode: .seconds(60), .automaticDebit: .seconds(60),
    ]
    /// The longest that a request may ask for [I].
    public var maximumLifetime: Duration = .seconds(86_400)
    /// How long a shown code can pay (alipay-plus.md#payment-code [D]).
    package var codeLifetime: Duration = .seconds(AlipayPlusSchedule.codeLifetime)
    public var inquiries = InquirySchedule()
    /// Signature checks per client, before any cryptography.
    package var callRate = RateLimit(perSecond: 2_000, burst: 10_000)

    /// - Parameters:
    ///   - mode: Production takes HTTPS alone, and lets nobody register over HTTP.
    ///   - keys: The gateway's own: for signing, sealing, hashing and the audit.
    ///   - origin: Where acquirers, wallets and phones reach this gateway, without a path.
    public init(mode: ServerMode, keys: AlipayPlusGatewayKeys, origin: String) {
        self.mode = mode
        self.keys = keys
        self.origin = origin
    }

    /// Refuses with `configuration-invalid` what cannot be served safely.
    package func validate() throws(AlipayPlusServerError) {
        func invalid(_ reason: String) -> AlipayPlusServerError { AlipayPlusServerError(code: .configurationInvalid, reason: reason) }
        guard notificationTimeout < lease, walletTimeout < lease else {
            throw invalid("a lease must be longer than the time that another party has to answer")
        }
        guard (try? OrderCode(host: codeHost, given: codeGiven, chosen: codeChosen, payload: "0")) != nil else {
            throw invalid("order codes cannot be made with this host and these digits")
        }
        guard mode == .production else { return }
        guard clientsClock == nil else { throw invalid("production has one clock") }
        guard onboardingKey == nil else { throw invalid("parties are onboarded over HTTP in test mode only") }
        guard origin.hasPrefix("https://") else { throw invalid("production speaks HTTPS only") }
    }
}
