/// What kind of private key some DER holds, told before the library that parses it is chosen.
enum PrivateKeyForm {
    case rsa
    case elliptic(OID)
    case other(OID)

    init(der: [UInt8]) throws(PaymentCryptoError) {
        do throws(PaymentCryptoError) {
            var outer = BERReader(der, rules: .der)
            var body = try outer.enter(0x30, "private key")
            let version = try body.nextSmallInteger("private key version")
            switch body.peek {
            case 0x30:  // PKCS#8: version, algorithm, key
                var algorithm = try body.enter(0x30, "key algorithm")
                let oid = try algorithm.nextOID("key algorithm")
                if oid == .rsaEncryption {
                    self = .rsa
                } else if oid == .ecPublicKey, algorithm.peek == 0x06 {
                    self = .elliptic(try algorithm.nextOID("curve"))
                } else {
                    self = .other(oid)
                }
            case 0x02:  // PKCS#1: version, modulus, ...
                self = .rsa
            case 0x04 where version == 1:  // SEC1: version, scalar, [0] curve
                let scalar = try body.next(0x04, "scalar")
                if let parameters = try body.nextIf(0xA0) {
                    var inner = try body.inside(parameters)
                    self = .elliptic(try inner.nextOID("curve"))
                } else {
                    self = .elliptic(scalar.content.count > 32 ? .curveP384 : .curveP256)
                }
            default:
                throw PaymentCryptoError(code: .malformedKey, reason: "neither PKCS#8 nor SEC1 nor PKCS#1")
            }
        } catch {
            guard error.code == .malformedASN1 else { throw error }
            throw PaymentCryptoError(code: .malformedKey, reason: error.reason)
        }
    }

    /// The first private key of a PEM text.
    static func block(of pem: String) throws(PaymentCryptoError) -> [UInt8] {
        let text = try PEMText(pem)
        let labels = ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"]
        if let block = text.blocks.first(where: { labels.contains($0.label) }) { return block.bytes }
        if text.blocks.contains(where: { $0.label == "ENCRYPTED PRIVATE KEY" }) {
            throw PaymentCryptoError(code: .unsupportedKey, reason: "the private key is encrypted; decrypt it first")
        }
        throw PaymentCryptoError(code: .malformedPEM, reason: "no private key was found")
    }
}
