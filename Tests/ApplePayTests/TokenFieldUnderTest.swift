@testable import ApplePay

/// The signed fields of a token and its signature, for tests that alter them.
enum TokenFieldUnderTest: CaseIterable {
    case key, data, transactionId, applicationData, signature

    private func bytes(_ token: PaymentToken) -> [UInt8] {
        switch self {
        case .key: token.header.key.bytes
        case .data: token.data
        case .transactionId: token.header.transactionId
        case .applicationData: token.header.applicationData ?? []
        case .signature: token.signature
        }
    }

    func count(_ token: PaymentToken) -> Int { bytes(token).count }

    func flipped(_ token: PaymentToken, _ index: Int) -> PaymentToken {
        var changed = bytes(token)
        changed[index] ^= 0x01
        switch self {
        case .key:
            let key: PaymentToken.KeyMaterial
            switch token.header.key {
            case .ephemeralPublicKey: key = .ephemeralPublicKey(changed)
            case .wrappedKey: key = .wrappedKey(changed)
            }
            return Self.replacing(token, key: key)
        case .data: return Self.replacing(token, data: changed)
        case .transactionId: return Self.replacing(token, transactionId: changed)
        case .applicationData: return Self.replacing(token, applicationData: changed)
        case .signature: return Self.replacing(token, signature: changed)
        }
    }

    static func replacing(
        _ token: PaymentToken, key: PaymentToken.KeyMaterial? = nil, data: [UInt8]? = nil, transactionId: [UInt8]? = nil,
        applicationData: [UInt8]? = nil, signature: [UInt8]? = nil
    ) -> PaymentToken {
        PaymentToken(
            version: token.version, data: data ?? token.data, signature: signature ?? token.signature,
            header: .init(
                key: key ?? token.header.key, publicKeyHash: token.header.publicKeyHash,
                transactionId: transactionId ?? token.header.transactionId,
                applicationData: applicationData ?? token.header.applicationData))
    }
}
