import BillfoldDiagnosis
import Foundation
import PaymentCrypto

/// A file of an RSA key or of certificates, read with the mistakes that such files are handed around with.
struct KeyFile {
    enum Content {
        case publicKey(LegacyRSAPublicKey)
        case privateKey(LegacyRSAPublicKey)
        case certificates([ParsedCertificate])
    }

    let content: Content
    /// What a person calls it.
    let form: String
    let findings: [Finding]

    /// Nil for everything that holds no RSA key and no certificate.
    init?(_ artifact: Artifact) {
        guard artifact.bytes.count <= 65_536, artifact.bytes.first != UInt8(ascii: "{") else { return nil }
        var findings: [Finding] = []
        func note(_ code: String, severity: Finding.Severity, cause: String, mend: String, evidence: [Finding.Evidence] = []) {
            findings.append(Finding(code: code, severity: severity, subject: artifact.name, cause: cause, evidence: evidence, mend: mend))
        }
        var text = String(decoding: artifact.bytes, as: UTF8.self)
        if let utf16 = Self.utf16(artifact.bytes) {
            text = utf16
            note(
                "alipay.key-encoding", severity: .defect, cause: "The key file is UTF-16 text.",
                mend: "Save it as ASCII or UTF-8 without a byte order mark.")
        } else if artifact.bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            text.removeFirst()
            note(
                "alipay.key-encoding", severity: .defect, cause: "The key file begins with a byte order mark.",
                mend: "Save it as UTF-8 without a byte order mark.", evidence: [.init("first bytes", "EF BB BF")])
        }
        let lines = Self.restoringLines(text)
        if lines != text {
            note(
                "alipay.key-line-breaks", severity: .defect, cause: "The line ends of the key's PEM text are lost, or written as \\n.",
                mend: "Keep the BEGIN and END lines on lines of their own.")
        }
        if lines.contains("-----BEGIN CERTIFICATE-----"), let certificates = try? ParsedCertificate.all(pem: lines), !certificates.isEmpty {
            (content, form) = (.certificates(certificates), certificates.count == 1 ? "certificate" : "\(certificates.count) certificates")
            self.findings = findings
            return
        }
        let (label, der): (String?, [UInt8])
        if lines.contains("-----BEGIN") {
            guard let block = (try? PEMText(lines))?.blocks.first(where: { $0.label.hasSuffix("KEY") }) else { return nil }
            (label, der) = (block.label, block.bytes)
        } else {
            let bare = lines.filter { !$0.isWhitespace }
            guard bare.hasPrefix("MI"), let bytes = try? StrictBase64.decode(bare) else { return nil }
            (label, der) = (nil, bytes)
        }
        guard let shape = Shape(der) else { return nil }
        if let label, label != shape.label {
            note(
                "alipay.key-form", severity: .defect, cause: "The file says \(label) and holds \(shape.title).",
                mend: "Write the header that belongs to the content, or convert it with openssl.",
                evidence: [.init("header", label), .init("content", shape.title)])
        }
        switch shape {
        case .pkcs8(let key): content = .privateKey(key)
        case .pkcs1(let key):
            content = .privateKey(key)
            note(
                "alipay.private-key-form", severity: .warning,
                cause: "The private key is in the form of PKCS#1, and kits for Java expect PKCS#8.",
                mend: "Convert it: openssl pkcs8 -topk8 -nocrypt; or keep it for kits that want PKCS#1.",
                evidence: [.init("content", shape.title)])
        case .subjectPublicKeyInfo(let key): content = .publicKey(key)
        case .pkcs1Public(let key):
            content = .publicKey(key)
            note(
                "alipay.public-key-form", severity: .warning,
                cause: "The public key is in the form of PKCS#1, which consoles and most kits do not read.",
                mend: "Convert it: openssl rsa -RSAPublicKey_in -pubout.", evidence: [.init("content", shape.title)])
        case .certificate(let certificate):
            content = .certificates([certificate])
            note(
                "alipay.certificate-for-key", severity: .defect, cause: "A certificate stands where a public key is expected.",
                mend: "Take the key out of it: openssl x509 -pubkey -noout; or use certificate mode.")
        }
        form = label == nil ? "\(shape.title), bare base64" : shape.title
        self.findings = findings
    }

    private static func utf16(_ bytes: [UInt8]) -> String? {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return nil }
        return String(data: Data(bytes.dropFirst(2)), encoding: isLittle ? .utf16LittleEndian : .utf16BigEndian)
    }

    /// PEM text whose header, body and footer stand on lines of their own.
    private static func restoringLines(_ text: String) -> String {
        guard text.contains("-----BEGIN") else { return text }
        let unescaped = text.replacing("\\r", with: "").replacing("\\n", with: "\n")
        guard unescaped == text, let header = text.range(of: "-----BEGIN "), let end = text[header.upperBound...].range(of: "-----"),
            let after = text[end.upperBound...].first, !after.isNewline
        else { return unescaped }
        return text.replacing("-----BEGIN ", with: "\n-----BEGIN ").replacing("-----END ", with: "\n-----END ")
            .replacingOccurrences(of: "(BEGIN [A-Z0-9 ]+-----)", with: "$1\n", options: .regularExpression)
    }

    /// What some DER holds, told by its first elements.
    private enum Shape {
        case pkcs8(LegacyRSAPublicKey)
        case pkcs1(LegacyRSAPublicKey)
        case subjectPublicKeyInfo(LegacyRSAPublicKey)
        case pkcs1Public(LegacyRSAPublicKey)
        case certificate(ParsedCertificate)

        init?(_ der: [UInt8]) {
            if let certificate = try? ParsedCertificate(der: der) {
                self = .certificate(certificate)
            } else if let key = try? LegacyRSAPrivateKey(der: der) {
                // Version, then an algorithm (PKCS#8) or the modulus (PKCS#1).
                let body = der.dropFirst(Self.headerLength(der))
                self = body.dropFirst(3).first == 0x30 ? .pkcs8(key.publicKey) : .pkcs1(key.publicKey)
            } else if let key = try? LegacyRSAPublicKey(subjectPublicKeyInfo: der) {
                self = .subjectPublicKeyInfo(key)
            } else if let key = try? LegacyRSAPublicKey(subjectPublicKeyInfo: Self.wrapped(der)) {
                self = .pkcs1Public(key)
            } else {
                return nil
            }
        }

        var title: String {
            switch self {
            case .pkcs8: "a private key in PKCS#8"
            case .pkcs1: "a private key in PKCS#1"
            case .subjectPublicKeyInfo: "a public key (SubjectPublicKeyInfo)"
            case .pkcs1Public: "a public key in PKCS#1"
            case .certificate: "a certificate"
            }
        }

        var label: String {
            switch self {
            case .pkcs8: "PRIVATE KEY"
            case .pkcs1: "RSA PRIVATE KEY"
            case .subjectPublicKeyInfo: "PUBLIC KEY"
            case .pkcs1Public: "RSA PUBLIC KEY"
            case .certificate: "CERTIFICATE"
            }
        }

        private static func headerLength(_ der: [UInt8]) -> Int {
            guard der.count > 1 else { return 0 }
            return der[1] < 0x80 ? 2 : 2 + Int(der[1] & 0x7F)
        }

        /// A PKCS#1 public key as SubjectPublicKeyInfo (RFC 3279, section 2.3.1).
        private static func wrapped(_ key: [UInt8]) -> [UInt8] {
            let algorithm: [UInt8] = [0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]
            return element(0x30, algorithm + element(0x03, [0] + key))
        }

        private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            let count = content.count
            let length: [UInt8] =
                count < 0x80
                ? [UInt8(count)] : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
            return [tag] + length + content
        }
    }
}
