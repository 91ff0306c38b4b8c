import BillfoldDiagnosis
import Foundation
import PaymentCrypto
import UnionPay
import X509

/// Examines one message against the keys at hand.
struct MessageExamination {
    let subject: String
    let message: Exhibit.MessageExhibit
    let ring: DiagnosticKeyRing
    let trust: UnionPayTrust?
    let keys: DiagnosticKeys
    let instant: Date

    func run() -> (summary: String, unjudged: Diagnosis.Unjudged?, findings: [Finding]) {
        let findings = MessageLint(subject: subject, fields: message.fields, direction: message.direction).findings()
        var summary = "a UnionPay \(message.title) (\(message.form.rawValue))"
        let examined: [Finding]?
        switch SignMethod(rawValue: message.fields["signMethod"] ?? "") {
        case .rsa? where isDigestText, .sm2? where isDigestText:
            examined = [
                finding(
                    "unionpay.sign-method", cause: "signMethod says a certificate's key, and the signature is one of a shared secret.",
                    mend: "Set signMethod to 11 or 12, or sign with the key.")
            ]
        case .rsa?: examined = message.direction == .reply ? examineReply() : examineRSA()
        case .secureKeySHA256?, .secureKeySM3?: examined = examineSecureKey()
        case .sm2?: examined = examineSM2()
        case nil:
            examined = [
                finding(
                    "unionpay.sign-method", cause: "signMethod is missing or none that is known.",
                    mend: "Send 01, 11, 12 or 21 as the contract says.")
            ]
        }
        if let version = message.fields["version"], !version.isEmpty, version != "5.1.0" {
            summary += ", version \(version.prefix(8))"
        }
        guard let examined else { return (summary + "; its signature is not judged: no key was given", unjudged, findings) }
        return (summary, nil, findings + examined)
    }

    /// What the signature waits for.
    private var unjudged: Diagnosis.Unjudged {
        let key =
            switch SignMethod(rawValue: message.fields["signMethod"] ?? "") {
            case .secureKeySHA256?, .secureKeySM3?: "the shared secret, in a file of its own: --secure-key-file FILE"
            case .sm2?: "the SM2 public key that signs, with its number: --sm2-key FILE --cert-id NUMBER"
            default: "the certificate that signs it, or the merchant's .pfx with --password-file FILE"
            }
        return .init("its signature", need: key)
    }

    func finding(
        _ code: String, cause: String, mend: String, evidence: [Finding.Evidence] = [], severity: Finding.Severity = .defect
    ) -> Finding {
        Finding(code: code, severity: severity, subject: subject, cause: cause, evidence: evidence, mend: mend)
    }

    /// Methods 11 and 12 sign with 64 hex characters, which no signature in base64 looks like.
    private var isDigestText: Bool {
        let signature = message.fields["signature"] ?? ""
        return signature.utf8.count == 64 && signature.allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    func findings(of match: SignatureSearch.Match) -> [Finding] {
        let right = SigningDraft(message.fields, message.direction)
        return match.faults.map { fault in
            finding(fault.code, cause: fault.cause, mend: fault.mend, evidence: [.init("what fits", fault.evidence(right, match.draft))])
        }
    }

    static func rsaCheck(_ key: Certificate.PublicKey) -> (SigningDraft, [UInt8]) -> Bool {
        { draft, bytes in
            guard let signature = Data(base64Encoded: draft.signature, options: .ignoreUnknownCharacters) else { return false }
            return key.isValidSignature(
                signature, for: draft.message(bytes),
                signatureAlgorithm: draft.digest.isSHA1 ? .sha1WithRSAEncryption : .sha256WithRSAEncryption)
        }
    }

    // MARK: Requests, method 01

    private func examineRSA() -> [Finding]? {
        guard !ring.holders.isEmpty else { return nil }
        let certificateIDs = ring.certificates.map { (decimal: CertificateID($0).description, hex: CertificateID.hex($0)) }
        let named = message.fields["certId"] ?? ""
        // The key that certId names is tried first, so that a fault of the text is not taken for a wrong key.
        let isNamed = { (holder: DiagnosticKeyRing.Holder) in holder.certificate.map { CertificateID($0).description == named } ?? false }
        let holders = ring.holders.filter(isNamed) + ring.holders.filter { !isNamed($0) }
        let search = SignatureSearch(
            faults: SigningFault.request(certificateIDs: certificateIDs) + SigningFault.common,
            candidates: holders.map { Self.rsaCheck($0.publicKey) })
        guard let match = search.run(SigningDraft(message.fields, .request)) else {
            return [unexplained(holders.map(\.publicKey))] + hexCertificateID(named, certificateIDs)
        }
        var findings = findings(of: match)
        let holder = holders[match.candidate]
        if let certificate = holder.certificate {
            if isUnionPays(certificate) {
                findings.append(
                    finding(
                        "unionpay.other-side-key", cause: "The merchant's request is signed with a key of UnionPay's.",
                        mend: "Sign with the key of the merchant's own certificate, the one that is registered with UnionPay.",
                        evidence: [.init("signed with", holder.source)]))
            } else if CertificateID(certificate).description != named {
                if CertificateID.hex(certificate) == named.lowercased() {
                    if !findings.contains(where: { $0.code == "unionpay.cert-id-hex" }) {
                        findings += hexCertificateID(named, certificateIDs)
                    }
                } else if !findings.contains(where: { $0.code == "unionpay.cert-id-not-signed" }) || !named.isEmpty {
                    findings.append(
                        finding(
                            "unionpay.wrong-certificate",
                            cause: "The message names one certificate and was signed with the key of another.",
                            mend: "Take key and certId from the same PKCS#12 file, the one that is registered with UnionPay.",
                            evidence: [
                                .init("certId of the message", named),
                                .init("certId of the signing key", CertificateID(certificate).description),
                            ]))
                }
            }
            findings += datesOf(certificate, "The merchant's signing certificate")
        } else if !named.isEmpty, ring.certificates.contains(where: { CertificateID($0).description == named }) {
            findings.append(
                finding(
                    "unionpay.wrong-key", cause: "The message was signed with a private key that does not belong to its certificate.",
                    mend: "Deploy the key and the certificate of the same PKCS#12 file.", evidence: [.init("signed with", holder.source)]))
        }
        return findings
    }

    private func hexCertificateID(_ named: String, _ ids: [(decimal: String, hex: String)]) -> [Finding] {
        guard let id = ids.first(where: { $0.hex == named.lowercased() && $0.decimal != named }) else { return [] }
        return [
            finding(
                "unionpay.cert-id-hex", cause: "The certificate's serial number was written in hex.",
                mend: "Write certId as the serial number in decimal, in the string to sign and in the message.",
                evidence: [.init("certId", named), .init("decimal", id.decimal)])
        ]
    }

    func unexplained(_ candidates: [Certificate.PublicKey]) -> Finding {
        let signature = Data(base64Encoded: message.fields["signature"] ?? "", options: .ignoreUnknownCharacters).map { Array($0) }
        guard let signature, !signature.isEmpty else {
            return finding(
                "unionpay.signature-missing", cause: "The message has no signature that is base64.",
                mend: "Sign the message before sending it.")
        }
        guard let recovery = keys.recovery else {
            return finding(
                "unionpay.signature-mismatch",
                cause: "The signature fits no known way of building the string to sign, with any key at hand.",
                mend:
                    "Compare the string that was signed with the sorted, unencoded `k=v&k=v` of the message, and the keys with the contract."
            )
        }
        for key in candidates {
            guard let (hash, digest) = recovery.recover(signature, key: key) else { continue }
            return finding(
                "unionpay.content-changed",
                cause: "The key is right, and it signed another text: the message changed after it was signed, or was built differently.",
                mend: "Log the string that is signed, and send exactly its fields.",
                evidence: [.init("hash inside the signature", hash), .init("digest inside the signature", Hexadecimal.encode(digest))])
        }
        return finding(
            "unionpay.foreign-key", cause: "None of the keys at hand made this signature.",
            mend: message.direction == .reply
                ? "Refuse the message. Check with the certificate that came with it, and look whether that or the signature was changed."
                : "Sign with the key of the registered certificate; a key of the test environment does not work in production.")
    }

    func datesOf(_ certificate: Certificate, _ who: String) -> [Finding] {
        guard instant < certificate.notValidBefore || instant > certificate.notValidAfter else { return [] }
        return [
            finding(
                "unionpay.certificate-expired", cause: "\(who) is not valid at the time that was asked about.",
                mend: "Install the renewed certificate; UnionPay changes its own routinely, so load trust from configuration.",
                evidence: [
                    .init("valid from", BeijingTime(certificate.notValidBefore).description),
                    .init("valid to", BeijingTime(certificate.notValidAfter).description),
                ])
        ]
    }

    func isUnionPays(_ certificate: Certificate) -> Bool {
        let names = trust?.organisations ?? [UnionPayTrust.organisation, UnionPayTrust.testOrganisation]
        return UnionPayTrust.organisation(of: certificate).map(names.contains) ?? false
    }

    // MARK: Shared secrets and SM2

    /// Ways to sign that a certificate's RSA key alone has.
    private static let ofRSA: Set = [
        "unionpay.signed-once", "unionpay.digest-upper-case", "unionpay.digest-raw", "unionpay.legacy-sha1", "unionpay.rsa-sha1",
    ]

    private func examineSecureKey() -> [Finding]? {
        if let signature = Data(base64Encoded: message.fields["signature"] ?? ""), signature.count >= 128 {
            return [
                finding(
                    "unionpay.sign-method", cause: "signMethod says shared secret, and the signature is one of a certificate's key.",
                    mend: "Set signMethod to 01, or sign with the shared secret.")
            ]
        }
        let isSM3 = message.fields["signMethod"] == SignMethod.secureKeySM3.rawValue
        guard !keys.secureKeys.isEmpty, !isSM3 || keys.sm3 != nil else { return nil }
        var request = SigningFault.request(certificateIDs: []).filter {
            !Self.ofRSA.contains($0.code)
        }
        request.append(
            SigningFault(
                "unionpay.secure-key-plain", cause: "The shared secret itself was appended; the protocol appends its digest.",
                mend: "Append & and the lower-case hex digest of the secret to the string, and digest the whole.",
                bend: SigningFault.one { $0.digest = .none }))
        let search = SignatureSearch(
            faults: (message.direction == .request ? request : SigningFault.reply) + SigningFault.common,
            candidates: keys.secureKeys.map { secret in
                { draft, bytes in
                    let digest: ([UInt8]) -> String? = { input in
                        guard isSM3 else { return String(decoding: SignatureDigest.sha256HexText(input), as: UTF8.self) }
                        return keys.sm3.flatMap { try? SignatureDigest.sm3HexText(input, $0) }.map { String(decoding: $0, as: UTF8.self) }
                    }
                    let plain = secret.reveal()
                    guard let key = draft.digest == .none ? plain : digest(Array(plain.utf8)) else { return false }
                    return digest(bytes + [UInt8(ascii: "&")] + Array(key.utf8)) == draft.signature.lowercased()
                }
            })
        guard let match = search.run(SigningDraft(message.fields, message.direction)) else {
            return [
                finding(
                    "unionpay.secure-key", cause: "The signature fits none of the shared secrets, in any known way of using them.",
                    mend: "Take the secret of this merchant and this environment, and the digest that signMethod names.")
            ]
        }
        return findings(of: match)
    }

    private func examineSM2() -> [Finding]? {
        guard let sm3 = keys.sm3, !keys.sm2.isEmpty else { return nil }
        let defaultUser = SigningFault(
            "unionpay.sm2-user-id", cause: "The signature was made with the usual default user id of SM2.",
            mend: "Use the decimal certId as the SM2 user id.", bend: SigningFault.one { $0.digest = .rawDigest })
        let once = SigningFault(
            "unionpay.signed-once", cause: "The string itself was signed; the protocol signs the hex text of its digest.",
            mend: "Take the SM3 of the string as lower-case hex, and sign those 64 characters.",
            bend: SigningFault.one { $0.digest = .none })
        let text = SigningFault.request(certificateIDs: []).filter {
            !Self.ofRSA.contains($0.code)
        }
        let search = SignatureSearch(
            faults: [defaultUser, once] + (message.direction == .request ? text : SigningFault.reply) + SigningFault.common,
            candidates: keys.sm2.map { pinned in
                { draft, bytes in
                    guard let raw = Data(base64Encoded: draft.signature), let der = SM2SignatureForm.der(from: Array(raw)),
                        let digest = try? SignatureDigest.sm3HexText(bytes, sm3)
                    else { return false }
                    let user = draft.digest == .rawDigest ? "1234567812345678" : pinned.certificateID.description
                    return pinned.key.isValidSM2Signature(der, for: draft.digest == .none ? bytes : digest, userID: Array(user.utf8))
                }
            })
        guard let match = search.run(SigningDraft(message.fields, message.direction)) else {
            return [
                finding(
                    "unionpay.signature-mismatch", cause: "The SM2 signature fits no known way of building the string to sign.",
                    mend: "Compare the string that was signed with the sorted, unencoded `k=v&k=v` of the message.")
            ]
        }
        return findings(of: match)
    }
}
