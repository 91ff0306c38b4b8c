public import BillfoldDiagnosis
public import PaymentCrypto

extension WalletConfiguration {
    /// How the wallet takes part in Alipay+, as a mobile payment provider (MPP) such as `ALIPAY_CN`.
    public struct AlipayPlus: Sendable {
        /// How the wallet registers itself at a gateway of test mode. In production the operators exchange keys, and the gateway's file
        /// describes the wallet.
        public struct Enrolment: Sendable {
            package var bearer: Secret<String>
            package var type: String
            package var brand: String
            package var region: String
            package var codeIssuer: String

            /// - Parameters:
            ///   - bearer: What the gateway lets parties register themselves with.
            ///   - type: `paymentMethodType`.
            ///   - brand: As the payment sheet names the wallet.
            ///   - region: Two letters.
            ///   - codeIssuer: The six digits that codes of the wallet's customers would begin with (alipay-plus.md#payment-code [D]).
            public init(bearer: Secret<String>, type: String, brand: String, region: String, codeIssuer: String) {
                self.bearer = bearer
                self.type = type
                self.brand = brand
                self.region = region
                self.codeIssuer = codeIssuer
            }
        }

        package var clientID: String
        package var pspID: String
        /// Of one payment, in minor units of the wallet's currency.
        public var limits: ClosedRange<Int64> = 10...5_000_000
        package var key: any MessageSigner
        /// Under which the gateway has registered the key.
        public var keyVersion = 1
        package var gateway: String
        package var gatewayKeys: [Int: PublicKey]
        package var origin: String
        package var enrolment: Enrolment?

        /// - Parameters:
        ///   - clientID: `Client-Id`, in both directions.
        ///   - pspID: What bodies call the wallet.
        ///   - key: Signs requests and answers.
        ///   - gateway: The gateway's origin.
        ///   - gatewayKeys: What the gateway signs with, by version. Empty where the wallet registers itself and is told.
        ///   - origin: The wallet's own, as the gateway and its customers' browsers reach it.
        ///   - enrolment: In test mode, where the gateway's keys are not known yet.
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
