import ApplePayForging
import Foundation
import PaymentCrypto

/// The broker's certificate authority in a folder: made once, the same after every start. Its keys may never be production keys.
enum BrokerAuthority {
    /// Loads the authority, or makes it.
    static func load(_ keys: PartyKeys, at instant: Date, random: @escaping @Sendable () -> UInt64) throws -> ProvisioningAuthority {
        let bundle = try keys.material("authority.pem") {
            var generator = InjectedGenerator(draw: random)
            // The RSA library draws its primes from the system's generator.
            let authority = try ProvisioningAuthority(at: instant, rsaLeafKey: RSAPrivateKey(bits: 2048), using: &generator)
            return Array(text(of: authority).utf8)
        }
        let blocks = try PEMText(String(decoding: bundle, as: UTF8.self)).blocks
        let certificates = try blocks.filter { $0.label == "CERTIFICATE" }.map { try ParsedCertificate(der: $0.bytes) }
        let privateKeys = blocks.filter { $0.label == "PRIVATE KEY" }.map(\.text)
        guard certificates.count == 4, privateKeys.count == 3 else {
            throw SandboxError(code: .stateUnusable, reason: "authority.pem does not hold four certificates and three keys")
        }
        return ProvisioningAuthority(
            root: certificates[0], intermediate: certificates[1], leaf: certificates[2],
            leafKey: try P256PrivateKey(pem: privateKeys[0]), rsaLeaf: certificates[3], rsaLeafKey: try RSAPrivateKey(pem: privateKeys[2]),
            nonceKey: try P256PrivateKey(pem: privateKeys[1]))
    }

    /// Root, sub-CA, leaf and RSA leaf; then the leaf's key, the key that signs nonces, and the RSA leaf's.
    private static func text(of authority: ProvisioningAuthority) -> String {
        let certificates = [authority.root, authority.intermediate, authority.leaf, authority.rsaLeaf].compactMap { $0?.pem }
        let keys = [authority.leafKey.pkcs8, authority.nonceKey.pkcs8, authority.rsaLeafKey?.pkcs8].compactMap { $0 }
        return (certificates + keys.map { PEMText.Block(label: "PRIVATE KEY", bytes: $0).text }).joined(separator: "\n")
    }
}
