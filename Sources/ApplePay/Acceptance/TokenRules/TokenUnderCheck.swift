public import Foundation
public import PaymentCrypto

/// A token with everything the rules look at, taken apart once.
///
/// What could not be found is nil; the rule that needs it says so, and the rules behind it are not reached.
public struct TokenUnderCheck: Sendable {
    /// How old the token may be.
    public enum Age: Sendable {
        /// Within the freshness window around this instant.
        case window(Date)
        /// Any age: for recorded tokens.
        case any
    }

    public let token: PaymentToken
    public let age: Age
    public let freshness: Freshness
    public let signedContent: [UInt8]
    public let signedData: Result<SignedData, PaymentCryptoError>
    /// The only signer; nil when there is none or more than one.
    public let signer: SignerInfo?
    /// The signer's certificate.
    public let leaf: ParsedCertificate?
    /// What the chain rules said; nil until the chain was judged.
    public internal(set) var chain: ChainReport?

    init(_ token: PaymentToken, freshness: Freshness, age: Age, parse: ([UInt8]) -> ParsedCertificate?) {
        self.token = token
        self.age = age
        self.freshness = freshness
        signedContent = token.signedContent
        do throws(PaymentCryptoError) {
            let signedData = try SignedData(ber: token.signature)
            self.signedData = .success(signedData)
            signer = signedData.signers.count == 1 ? signedData.signers.first : nil
            leaf = signer.flatMap { signedData.certificate(of: $0) }.flatMap(parse)
        } catch {
            signedData = .failure(error)
            (signer, leaf) = (nil, nil)
        }
    }

    var readable: SignedData? { try? signedData.get() }

    /// The signed claim of when the token was made.
    public var signingTime: Date? { signer?.signedAttributes?.signingTime }
}
