import BillfoldTestSupport
import Foundation
import PaymentCrypto

/// One known token with what it must open to.
struct TokenVector: Sendable, CustomStringConvertible {
    struct Expected: Decodable, Sendable {
        var signingTime: String
        var signedContentSha256: String
        var merchantIdentifier: String?
        var merchantIdHashHex: String?
        var sharedSecretHex: String?
        var symmetricKeyHex: String
        var plaintext: String
    }

    struct Payment: Decodable, Sendable {
        struct Header: Decodable, Sendable {
            var ephemeralPublicKey: String?
            var wrappedKey: String?
            var publicKeyHash: String
            var transactionId: String
            var applicationData: String?
        }
        var version: String
        var data: String
        var signature: String
        var header: Header
    }

    private struct Wrapper: Decodable { var paymentData: Payment }

    var name: String
    var token: String
    var expected: String
    var certificate: String?
    var key: String?
    var root = "apple-root-ca-g3.pem"

    var description: String { name }

    static let folder = "apple-pay-acceptance/"
    static let all = [
        TokenVector(
            name: "gala-ec-2021", token: "real/gala-ec-2021/token.json", expected: "real/gala-ec-2021/expected.json",
            certificate: "real/gala-ec-2021/certificate.pem", key: "real/gala-ec-2021/private_key.pem"),
        TokenVector(
            name: "basistheory-ec-2023-03", token: "real/basistheory-ec-2023-03/token.json",
            expected: "real/basistheory-ec-2023-03/expected.json",
            certificate: "real/basistheory-ec-2023-03/certificate.pem", key: "real/basistheory-ec-2023-03/private_key.pem"),
        TokenVector(
            name: "processout-rsa-2017", token: "real/processout-rsa-2017/token.json",
            expected: "real/processout-rsa-2017/expected.json"),
        TokenVector(
            name: "ec-3ds-appdata", token: "synthetic/ec-3ds-appdata.token.json",
            expected: "synthetic/ec-3ds-appdata.expected.json", certificate: "synthetic/merchant-ec.cert.pem",
            key: "synthetic/merchant-ec.key.pem", root: "synthetic/root-ca.pem"),
        TokenVector(
            name: "rsa-emv-unionpay", token: "synthetic/rsa-emv-unionpay.token.json",
            expected: "synthetic/rsa-emv-unionpay.expected.json", certificate: "synthetic/merchant-rsa.cert.pem",
            key: "synthetic/merchant-rsa.key.pem", root: "synthetic/root-ca.pem"),
    ]

    func text(_ path: String) throws -> String { try Vectors.text(Self.folder + path) }

    func payment() throws -> Payment {
        let path = Self.folder + token
        if let wrapped = try? Vectors.json(path, as: Wrapper.self) { return wrapped.paymentData }
        return try Vectors.json(path)
    }

    func outcome() throws -> Expected { try Vectors.json(Self.folder + expected) }

    func anchor() throws -> TrustAnchor { TrustAnchor(try ParsedCertificate(pem: text(root))) }

    func signedContent() throws -> [UInt8] {
        let payment = try payment()
        return try StrictBase64.decode(payment.header.ephemeralPublicKey ?? payment.header.wrappedKey ?? "")
            + StrictBase64.decode(payment.data) + Hexadecimal.decode(payment.header.transactionId)
            + Hexadecimal.decode(payment.header.applicationData ?? "")
    }
}
