import Alipay
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

/// Known answers from outside; the folder's own list says where each comes from.
struct KnownAnswer: Decodable, Sendable, CustomTestStringConvertible {
    static let folder = "alipay-express-order/"
    static var areThere: Bool { Vectors.available("alipay-express-order") }

    var id: String
    var kind: String
    var verify_key: String?
    var private_key: String?
    var encoding: String?
    var signed_text: String?
    var signature: String?
    var order_string: String?
    var result: String?
    var url: String?
    var body: String?
    var fields: [String: String]?
    var form_body_gbk: String?
    var outcome: String?
    var md5_key: String?
    var md5_sign: String?
    var pem: String?
    var certificates: [Certificate]?
    var cert_sn: String?
    var alipay_root_cert_sn: String?

    struct Certificate: Decodable, Sendable {
        var issuer_rfc2253: String
        var serial_decimal: String
        var signature_oid: String
        var sn: String
    }

    var testDescription: String { id }

    static func all(_ file: String) -> [KnownAnswer] {
        guard areThere else { return [] }
        return (try? Vectors.json(folder + file)) ?? []
    }

    static func one(_ file: String, _ id: String) throws -> KnownAnswer {
        guard let found = all(file).first(where: { $0.id == id }) else { throw Vectors.Missing(path: "\(file) \(id)") }
        return found
    }

    private struct Keys: Decodable {
        var public_keys_spki_base64: [String: String]
        var private_keys_pem_published_test_keys: [String: String]
    }

    static func publicKey(_ name: String) throws -> LegacyRSAPublicKey {
        let keys: Keys = try Vectors.json(folder + "keys.json")
        guard let text = keys.public_keys_spki_base64[name] else { throw Vectors.Missing(path: name) }
        return try AlipayKeyText.publicKey(text)
    }

    static func privateKey(_ name: String) throws -> LegacyRSAPrivateKey {
        let keys: Keys = try Vectors.json(folder + "keys.json")
        guard let text = keys.private_keys_pem_published_test_keys[name] else { throw Vectors.Missing(path: name) }
        return try AlipayKeyText.privateKey(text)
    }

    /// The entry's key for both RSA algorithms.
    func keys() throws -> AlipayVerificationKeys {
        let key = try Self.publicKey(verify_key ?? "")
        return AlipayVerificationKeys(rsa: key, rsa2: key)
    }

    func signedBytes() throws -> [UInt8] { try (AlipayCharset(name: encoding ?? "utf-8") ?? .utf8).encode(signed_text ?? "") }
}
