public import Alipay

/// What a client stands on, beside the phone and the server.
public struct PaymentClientConfiguration: Sendable {
    /// Returns when the duration is over; throws when its task is cancelled.
    public typealias Wait = @Sendable (Duration) async throws -> Void

    public var environment: PaymentEnvironment
    /// What results of legacy orders are checked with: Alipay's key for that gateway, the same for all merchants.
    public var legacyResultKeys: AlipayVerificationKeys
    /// What results of modern orders are checked with: for RSA2 Alipay's key for this one application. The three keys of Alipay
    /// are different keys [V].
    public var modernResultKeys: AlipayVerificationKeys
    /// The pauses before each question to the merchant's server. At the end of them an outcome that nobody knows is undecided.
    public var questionPauses: [Duration] = [.zero, .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(15), .seconds(30)]
    /// How long a return URL may come after the app itself. Only then is its absence taken for a lost one.
    public var returnGrace = Duration.seconds(1)
    /// Milliseconds since 1970.
    public var now: @Sendable () -> Int64
    public var wait: Wait

    public init(
        environment: PaymentEnvironment, legacyResultKeys: AlipayVerificationKeys = .init(),
        modernResultKeys: AlipayVerificationKeys = .init(), now: @escaping @Sendable () -> Int64,
        wait: @escaping Wait = { try await Task.sleep(for: $0) }
    ) {
        self.environment = environment
        self.legacyResultKeys = legacyResultKeys
        self.modernResultKeys = modernResultKeys
        self.now = now
        self.wait = wait
    }
}
