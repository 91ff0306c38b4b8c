import ArgumentParser
import BillfoldDiagnosis
import Foundation
import PaymentCryptoOpenSSL
import UnionPay
import X509

/// `unionpay verify`: checks a reply, a notification or, with the merchant's certificate or secret, a request.
struct UnionPayVerify: UnionPayReplying {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check the signature of a message.",
        discussion: "MESSAGE is a form body, a reply body, or JSON of fields. A message that is not verified exits with 1.")

    @Argument(help: "The message.") var message: String
    @Option(help: "Root certificate that UnionPay's certificates chain to, PEM; may be repeated.") var root: [String] = []
    @Option(help: "Intermediate certificate, PEM; may be repeated.") var intermediate: [String] = []
    @Flag(help: "Also accept the name that certificates of the test environment have.") var testName = false
    @Option(help: "The instant at which certificates must be valid: YYYYMMDDhhmmss, Beijing time.") var at: String?
    @Option(help: "Check a merchant's request against this certificate, PEM.") var certificate: String?
    @Option(help: "File whose first line is the shared secret, for 11 and 12.") var secureKeyFile: String?
    @Option(help: "UnionPay's or the merchant's SM2 public key, PEM, for 21.") var sm2Key: String?
    @Option(help: "certId of that key, decimal.") var certId: String?
    @Flag(help: "Show card data.") var reveal = false
    @Flag(help: "Print one JSON object.") var json = false

    func reply(now: Date) throws -> UnionPayReply {
        let fields = try UnionPayFiles.message(message)
        let instant = try at.map { text in
            do { return try BeijingTime(text).date } catch { throw CommandFailure.usage("--at is YYYYMMDDhhmmss") }
        }
        let isReply = fields["respCode"] != nil || fields["signPubKeyCert"] != nil
        let verified =
            isReply
            ? try UnionPayVerifier(means(fields)).verified(fields, at: instant ?? now)
            : try MerchantSignatureVerifier([merchantKey(fields)]).verified(fields)
        return UnionPayReply(
            outcome: "verified", signMethod: fields["signMethod"] ?? "", certId: fields["certId"], signature: nil,
            fields: UnionPayReply.fields(verified.fields, reveal: reveal), body: nil)
    }

    private func means(_ fields: UnionPayFields) throws -> UnionPayVerifier.Means {
        switch SignMethod(rawValue: fields["signMethod"] ?? "") {
        case .secureKeySHA256?: return .secureKeySHA256(try secureKey())
        case .secureKeySM3?: return .secureKeySM3(try secureKey(), OpenSSLShangMi())
        case .sm2?:
            let (key, id) = try sm2()
            return .sm2([.init(certificateID: id, key: key)], OpenSSLShangMi())
        case .rsa?:
            guard !root.isEmpty else { throw CommandFailure.usage("a reply is checked with --root") }
            var trust = UnionPayTrust(
                anchors: try UnionPayFiles.certificates(root), intermediates: try UnionPayFiles.certificates(intermediate))
            if testName { trust.organisations.insert(UnionPayTrust.testOrganisation) }
            return .certificates(trust)
        case nil: throw Self.unknownMethod
        }
    }

    private func merchantKey(_ fields: UnionPayFields) throws -> MerchantSignatureVerifier.Key {
        switch SignMethod(rawValue: fields["signMethod"] ?? "") {
        case .secureKeySHA256?: return .secureKeySHA256(try secureKey())
        case .secureKeySM3?: return .secureKeySM3(try secureKey(), OpenSSLShangMi())
        case .sm2?:
            let (key, id) = try sm2()
            return .sm2(key, OpenSSLShangMi(), id)
        case .rsa?:
            guard let certificate else { throw CommandFailure.usage("a request is checked with --certificate") }
            return .rsa(try UnionPayFiles.certificate(certificate))
        case nil: throw Self.unknownMethod
        }
    }

    private static var unknownMethod: CommandFailure {
        CommandFailure(.refused, code: "unsupported", reason: "the message's signMethod is missing or none that is known")
    }

    private func secureKey() throws -> Secret<String> {
        guard let secureKeyFile else { throw CommandFailure.usage("this signMethod needs --secure-key-file") }
        return try UnionPayFiles.secret(secureKeyFile)
    }

    private func sm2() throws -> (OpenSSLShangMi.Verifier, CertificateID) {
        guard let sm2Key, let certId else { throw CommandFailure.usage("21 needs --sm2-key and --cert-id") }
        return (OpenSSLShangMi.Verifier(key: try SM2PublicKey(pem: UnionPayFiles.text(sm2Key))), try CertificateID(certId))
    }
}
