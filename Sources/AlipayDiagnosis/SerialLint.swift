import Alipay
import BillfoldDiagnosis
import Crypto
import PaymentCrypto

/// Compares the serial numbers that a request or an answer of certificate mode names with the certificates at hand.
struct SerialLint {
    struct File {
        var name: String
        var certificates: [ParsedCertificate]

        /// A bundle of roots: certificates that are their own issuers.
        var isRoots: Bool { certificates.allSatisfy { $0.issuer == $0.subject } }
    }

    let subject: String
    let message: AlipayMessage
    let files: [File]

    func findings() -> [Finding] {
        var findings: [Finding] = []
        if let sent = message.value("alipay_root_cert_sn") { findings += root(sent) }
        if let sent = message.value("app_cert_sn") {
            findings += leaf(sent, in: "app_cert_sn", among: files.filter { !$0.isRoots }, isCertain: { $0.lowercased().contains("app") })
        }
        return findings
    }

    private func root(_ sent: String) -> [Finding] {
        let bundles = files.filter(\.isRoots)
        guard !bundles.isEmpty, !bundles.contains(where: { Self.joined($0.certificates, .right) == sent }) else { return [] }
        for bundle in bundles {
            for mistake in Mistake.allCases where mistake != .right && Self.joined(bundle.certificates, mistake) == sent {
                return [
                    finding(
                        "alipay.root-serial", parameter: "alipay_root_cert_sn", sent: sent, right: Self.joined(bundle.certificates, .right),
                        mistake: mistake, file: bundle.name)
                ]
            }
        }
        return [
            Finding(
                code: "alipay.root-serial", subject: subject, cause: "alipay_root_cert_sn is not that of the root bundle at hand.",
                evidence: [.init("sent", sent), .init("of \(bundles[0].name)", Self.joined(bundles[0].certificates, .right))],
                mend: "Compute it from the bundle of the same environment: sandbox and production have different roots.")
        ]
    }

    private func leaf(_ sent: String, in parameter: String, among files: [File], isCertain: (String) -> Bool) -> [Finding] {
        let firsts = files.compactMap { file in file.certificates.first.map { (file.name, $0) } }
        guard !firsts.isEmpty, !firsts.contains(where: { Self.serial($0.1, .right) == sent }) else { return [] }
        for (name, certificate) in firsts {
            for mistake in Mistake.ofOne where Self.serial(certificate, mistake) == sent {
                return [
                    finding(
                        "alipay.certificate-serial", parameter: parameter, sent: sent, right: Self.serial(certificate, .right),
                        mistake: mistake, file: name)
                ]
            }
        }
        guard let (name, certificate) = firsts.first(where: { isCertain($0.0) }) else { return [] }
        return [
            Finding(
                code: "alipay.certificate-serial", subject: subject, cause: "\(parameter) names another certificate than the one at hand.",
                evidence: [.init("sent", sent), .init("of \(name)", Self.serial(certificate, .right))],
                mend: "Send the serial number of the certificate whose key signs.")
        ]
    }

    private func finding(_ code: String, parameter: String, sent: String, right: String, mistake: Mistake, file: String)
        -> Finding
    {
        Finding(
            code: code, subject: subject, cause: "\(parameter) was computed wrongly: \(mistake.rawValue).",
            evidence: [.init("sent", sent), .init("right", right), .init("file", file)],
            mend:
                "md5 of the issuer's RFC 2253 text, last name first, and the decimal serial number; of RSA-signed roots only, joined by _.")
    }

    enum Mistake: String, CaseIterable {
        case right
        case allRoots = "roots that are not signed with RSA are included"
        case forward = "the issuer's names stand in the order of the encoding"
        case hexadecimal = "the serial number is in hexadecimal"
        case unpadded = "a leading zero is lost"
        case firstOnly = "only the first root is included"
        case upperCase = "it is in capital letters"

        static let ofOne: [Mistake] = [.forward, .hexadecimal, .unpadded, .upperCase]
    }

    static func joined(_ certificates: [ParsedCertificate], _ mistake: Mistake) -> String {
        let family = certificates.filter { mistake == .allRoots || $0.signatureAlgorithmOID.description.hasPrefix("1.2.840.113549.1.1.") }
        return (mistake == .firstOnly ? Array(family.prefix(1)) : family).map { serial($0, mistake) }.joined(separator: "_")
    }

    static func serial(_ certificate: ParsedCertificate, _ mistake: Mistake) -> String {
        let names = mistake == .forward ? CertificateName(certificate.issuer.attributes.reversed()) : certificate.issuer
        let number = mistake == .hexadecimal ? certificate.serialNumber.hex : certificate.serialNumber.decimal
        let digits = Hexadecimal.encode(Array(Insecure.MD5.hash(data: Array((names.rfc2253 + number).utf8))))
        return switch mistake {
        case .unpadded: String(digits.drop { $0 == "0" })
        case .upperCase: digits.uppercased()
        default: digits
        }
    }
}
