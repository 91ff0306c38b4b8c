import BillfoldDiagnosis
import BillfoldServer
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL

extension DataFolder {
    /// The folder at a path, new keys from the system's generator.
    init(_ path: String, encryption: KeyEncryption? = nil) throws(ServerError) {
        try self.init(path, encryption: encryption, random: SystemRandomness.source)
    }

    /// A bearer that parties of one data folder share, made where it is missing: in production somebody else brings it.
    func bearer(_ name: String) throws -> Secret<String> {
        let bytes = try secret(name) { Array("bf_test_\(SystemRandomness.name())\(SystemRandomness.name())".utf8) }
        return Secret(String(decoding: bytes.reveal(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// What seals our own keys and values at rest.
    func sealer() throws -> EnvelopeSealer {
        EnvelopeSealer(ring: KeyRing(active: "sealing-1", try SealingKey(bytes: symmetric("sealing").reveal())))
    }

    /// An RSA key of 2,048 bits of our own, PKCS#8, made when it is first asked for and sealed at rest.
    func rsa(_ name: String) throws -> [UInt8] {
        let (context, sealer) = (Array(name.utf8), try sealer())
        let sealed = try secret("\(name).key") {
            var generator = SystemRandomNumberGenerator()
            return try sealer.seal(RSAPrivateKey(bits: 2048).pkcs8, context: context, using: &generator)
        }
        return try sealer.open(sealed.reveal(), context: context)
    }

    /// The same as a signer.
    func rsaSigner(_ name: String) throws -> any MessageSigner { try RSAPrivateKey(der: rsa(name)).fasterSigner }
}
