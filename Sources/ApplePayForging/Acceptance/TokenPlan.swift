public import ApplePay
import BillfoldJSON
public import Foundation

/// What a simulated device is to hand over.
public struct TokenPlan: Sendable {
    public var version: PaymentToken.Version
    public var payload: PaymentPayload
    public var merchant: MerchantCertificate
    /// The request's bytes; the token carries their SHA-256.
    public var applicationData: [UInt8]?
    /// Shift it to make a stale token or one from the future.
    public var signingTime: Date
    public var paymentMethod: PaymentMethod
    public var flaws: Set<TokenFlaw>
    /// Derives the EC key for another identifier than the certificate's: the app's entitlement differs from the server's.
    public var derivedForMerchantIdentifier: String?

    public init(
        version: PaymentToken.Version, payload: PaymentPayload, merchant: MerchantCertificate, applicationData: [UInt8]? = nil,
        signingTime: Date, paymentMethod: PaymentMethod = PaymentMethod(displayName: "Simulated 0016", network: "Visa", type: "debit"),
        flaws: Set<TokenFlaw> = [], derivedForMerchantIdentifier: String? = nil
    ) {
        self.version = version
        self.payload = payload
        self.merchant = merchant
        self.applicationData = applicationData
        self.signingTime = signingTime
        self.paymentMethod = paymentMethod
        self.flaws = flaws
        self.derivedForMerchantIdentifier = derivedForMerchantIdentifier
    }
}

/// A composed token in both forms in which clients see one.
public struct ComposedToken: Sendable {
    /// `PKPaymentToken.paymentData`: send these bytes as they are.
    public var paymentData: [UInt8]
    public var paymentMethod: PaymentMethod
    public var transactionIdentifier: String

    /// The outer object as the web API hands it over.
    public var outer: [UInt8] {
        var method = JSONObject()
        method["displayName"] = paymentMethod.displayName.map { .string($0) }
        method["network"] = paymentMethod.network.map { .string($0) }
        method["type"] = paymentMethod.type.map { .string($0) }
        let data = (try? ApplePayJSON.read(paymentData)) ?? .object(JSONObject())
        return JSONWriter.write(
            JSONObject([
                .init("paymentData", data), .init("paymentMethod", .object(method)),
                .init("transactionIdentifier", .string(transactionIdentifier)),
            ]))
    }
}
