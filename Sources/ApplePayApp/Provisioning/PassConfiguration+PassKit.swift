import Foundation

#if canImport(PassKit) && canImport(UIKit)
    public import PassKit
#else
    public import PassKitSimulator
#endif

extension PassConfiguration {
    /// The system's object. Refuses an unknown scheme (`unknown-encryption-scheme`), and a configuration without name and
    /// suffix, or with another card's suffix (`configuration-unfit`): the wallet would fail later, and not say why.
    public func requestConfiguration(for card: IssuerCard) throws(ApplePayAppError) -> PKAddPaymentPassRequestConfiguration {
        guard primaryAccountSuffix.isEmpty || primaryAccountSuffix == card.suffix else {
            throw ApplePayAppError(code: .configurationUnfit, reason: "the configuration's suffix is not the card's")
        }
        return try requestConfiguration()
    }

    /// The same where no card is at hand to compare with.
    func requestConfiguration() throws(ApplePayAppError) -> PKAddPaymentPassRequestConfiguration {
        let scheme = PKEncryptionScheme(rawValue: encryptionScheme)
        guard [.ECC_V2, .RSA_V2].contains(scheme), let made = PKAddPaymentPassRequestConfiguration(encryptionScheme: scheme) else {
            throw ApplePayAppError(code: .unknownScheme, reason: "\(encryptionScheme.prefix(20)) is no scheme of this system")
        }
        guard !cardholderName.isEmpty || !primaryAccountSuffix.isEmpty else {
            throw ApplePayAppError(code: .configurationUnfit, reason: "neither cardholderName nor primaryAccountSuffix is set")
        }
        guard let style = ["payment": PKAddPaymentPassStyle.payment, "access": .access][style] else {
            throw ApplePayAppError(code: .configurationUnfit, reason: "the style is neither payment nor access")
        }
        made.style = style
        made.cardholderName = cardholderName.isEmpty ? nil : cardholderName
        made.primaryAccountSuffix = primaryAccountSuffix.isEmpty ? nil : primaryAccountSuffix
        made.localizedDescription = localizedDescription
        made.primaryAccountIdentifier = primaryAccountIdentifier.isEmpty ? nil : primaryAccountIdentifier
        made.paymentNetwork = paymentNetwork.isEmpty ? nil : PKPaymentNetwork(rawValue: paymentNetwork)
        made.cardDetails = cardDetails.map { PKLabeledValue(label: $0.label, value: $0.value) }
        made.requiresFelicaSecureElement = requiresFelicaSecureElement
        made.productIdentifiers = Set(productIdentifiers)
        return made
    }
}

extension IssuerPassData {
    /// The system's object. Refuses what the wallet's broker could not open (`pass-data-unfit`): no sealed bytes, the other
    /// scheme's key, or an ephemeral key that is no uncompressed point of 65 bytes.
    public func request(for scheme: PKEncryptionScheme) throws(ApplePayAppError) -> PKAddPaymentPassRequest {
        guard !encryptedPassData.isEmpty else { throw ApplePayAppError(code: .passDataUnfit, reason: "encryptedPassData is empty") }
        let request = PKAddPaymentPassRequest()
        request.encryptedPassData = encryptedPassData
        request.activationData = activationData
        switch key {
        case .ephemeralPublicKey(let point) where scheme == .ECC_V2:
            guard point.count == 65, point.first == 0x04 else {
                throw ApplePayAppError(
                    code: .passDataUnfit, reason: "ephemeralPublicKey is \(point.count) bytes, not an uncompressed point of 65")
            }
            request.ephemeralPublicKey = point
        case .wrappedKey(let wrapped) where scheme == .RSA_V2:
            guard !wrapped.isEmpty else { throw ApplePayAppError(code: .passDataUnfit, reason: "wrappedKey is empty") }
            request.wrappedKey = wrapped
        default: throw ApplePayAppError(code: .passDataUnfit, reason: "the key is not of the scheme \(scheme.rawValue)")
        }
        return request
    }
}
