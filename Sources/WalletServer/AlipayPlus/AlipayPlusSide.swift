public import BillfoldDiagnosis
public import PaymentCrypto

extension WalletConfiguration {
    /// How the wallet takes part in Alipay+, as a mobile payment provider (MPP) such as `ALIPAY_CN`.
    public struct AlipayPlus: Sendable {
        /// How the wallet registers itself at a gateway of test mode. In production the operators exchange keys, and the gateway's file
        /// describes the wallet.
        public struct Enrolment: Sendable {
            /// What the gateway lets parties register themselves with.
            public var bearer: Secret<String>
            /// `paymentMethodType`.
            public var type: String
            public var brand: String
            /// Two letters.
            public var region: String
            /// The six digits that codes of the wallet's customers would begin with (alipay-plus.md#payment-code [D]).
            public var codeIssuer: String

            public init(bearer: Secret<String>, type: String, brand: String, region: String, codeIssuer: String) {
                self.bearer = bearer
                self.type = type
                self.brand = brand
                self.region = region
                self.codeIssuer = codeIssuer
            }
        }

        /// `Client-Id`, in both directions.
        public var clientID: String
        /// What bodies call the wallet.
        public var pspID: String
        /// Of one payment, in minor units of the wallet's currency.
        public var limits: ClosedRange<Int64> = 10...5_000_000
        /// Signs requests and answers.
        public var key: any MessageSigner
        /// Under which the gateway has registered the key.
        public var keyVersion = 1
        /// The gateway's origin.
        public var gateway: String
        /// What the gateway signs with, by version. Empty where the wallet registers itself and is told.
        public var gatewayKeys: [Int: PublicKey]
        /// The wallet's own origin, as the gateway and its customers' browsers reach it.
        public var origin: String
        /// In test mode, where the gateway's keys are not known yet.
        public var enrolment: Enrolment?

        public init(
            clientID: String, pspID: String, key: any MessageSigner, gateway: String, gatewayKeys: [Int: PublicKey] = [:], origin: String,
            enrolment: Enrolment? = nil
        ) {
            self.clientID = clientID
            self.pspID = pspID
            self.key = key
            self.gateway = gateway
            self.gatewayKeys = gatewayKeys
            self.origin = origin
            self.enrolment = enrolment
        }

        /// Below which the gateway's calls come: beside it on one listener, the wallet's API is not the gateway's.
        static let path = "/wallet/alipay-plus"
        /// Where the gateway calls.
        var callOrigin: String { origin + Self.path }
    }
}
