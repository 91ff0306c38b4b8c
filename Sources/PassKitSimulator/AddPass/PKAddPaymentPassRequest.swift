public import Foundation

/// The app's answer to the flow's one question: what the issuer sealed, as raw bytes.
open class PKAddPaymentPassRequest: NSObject {
    open var encryptedPassData: Data?
    /// Optional: without it the networks ask the customer for a proof.
    open var activationData: Data?
    /// With ``PKEncryptionScheme/ECC_V2``.
    open var ephemeralPublicKey: Data?
    /// With ``PKEncryptionScheme/RSA_V2``.
    open var wrappedKey: Data?

    public override init() { super.init() }

    /// What is missing for the scheme, by PassKit's own names for the fields; `activationData` is not counted.
    func missingField(for scheme: PKEncryptionScheme) -> String? {
        func isAbsent(_ data: Data?) -> Bool { data?.isEmpty ?? true }
        if isAbsent(encryptedPassData) { return "encryptedPassData" }
        if scheme == .ECC_V2, isAbsent(ephemeralPublicKey) { return "ephemeralPublicKey" }
        if scheme == .RSA_V2, isAbsent(wrappedKey) { return "wrappedKey" }
        return nil
    }
}
