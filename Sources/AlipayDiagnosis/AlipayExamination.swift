import Alipay
import BillfoldDiagnosis
import Crypto
import Foundation
import PaymentCrypto

/// Examines one message against the keys at hand.
struct AlipayExamination {
    let subject: String
    let message: AlipayMessage
    let ring: AlipayKeyRing
    let keys: AlipayDiagnosticKeys

    func run() -> (summary: String, unjudged: Diagnosis.Unjudged?, findings: [Finding]) {
        var summary = "\(message.carrier.map { "\($0) with " } ?? "")an Alipay \(message.title)"
        if message.kind == .notification { summary += ", which says: \(VerifiedNotification.Event { message.value($0) }.name)" }
        var findings = message.notes.map(finding) + gateway() + OrderLint(subject: subject, message: message).findings()
        switch signature() {
        case .judged(let found): findings += found
        case .noKey: return (summary + "; its signature is not judged: no key was given", unjudged, findings)
        case .unsigned: summary += ", unsigned"
        }
        return (summary, nil, findings)
    }

    /// What the signature waits for.
    private var unjudged: Diagnosis.Unjudged {
        let key =
            switch (message.signType == "MD5", message.isAlipays, message.generation) {
            case (true, _, _): "the account's shared key, in a file of its own: --md5-key-file FILE"
            case (_, true, .legacy): "Alipay's public key of the old gateway, as PEM or its bare text, in a file named mapi…"
            case (_, true, .modern): "Alipay's public key of this application, or its certificate, in a file named alipay…"
            case (_, false, _): "the merchant's private key, or the public one that is registered, in a file named merchant… or registered…"
            }
        return .init("its signature", need: key)
    }

    private enum Judgement {
        case judged([Finding])
        case noKey
        case unsigned
    }

    func finding(_ note: AlipayMessage.Note) -> Finding {
        Finding(code: note.code, severity: note.severity, subject: subject, cause: note.cause, evidence: note.evidence, mend: note.mend)
    }

    func finding(_ code: String, cause: String, mend: String, evidence: [Finding.Evidence] = []) -> Finding {
        Finding(code: code, subject: subject, cause: cause, evidence: evidence, mend: mend)
    }

    private func signature() -> Judgement {
        guard !message.signature.isEmpty else {
            // The gateway signs no failures, and notify_verify is never signed.
            if message.kind == .answer || message.kind == .legacyCall || message.isRefusal { return .unsigned }
            return .judged([
                finding("alipay.sign-missing", cause: "The message carries no signature.", mend: "Sign it, and keep sign where it is read.")
            ])
        }
        if let type = message.signType, AlipaySignatureAlgorithm(rawValue: type) == nil {
            return .judged([
                finding(
                    "alipay.sign-type", cause: "sign_type is none that is known.", mend: "Write RSA, RSA2 or MD5 in capital letters.",
                    evidence: [.init("sign_type", type)])
            ])
        }
        return message.signType == "MD5" ? md5() : rsa()
    }

    // MARK: MD5

    private func md5() -> Judgement {
        guard !keys.md5.isEmpty else { return .noKey }
        let signature = message.signature
        guard signature.utf8.count == 32, signature.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            return .judged([
                finding("alipay.sign-type", cause: "sign_type says MD5 and the signature is no MD5.", mend: "Set sign_type to what signs.")
            ])
        }
        for key in keys.md5 {
            let search = SlipSearch(slips: SigningSlip.ofPairs) { text in AlipayMD5Signer.digest(text, key) == signature.lowercased() }
            guard let match = search.run(message.draft) else { continue }
            var findings = findings(of: match)
            if signature != signature.lowercased() {
                findings.append(finding("alipay.md5-upper-case", cause: "The MD5 is in capital letters.", mend: "Write it in lower case."))
            }
            return .judged(findings)
        }
        return .judged([
            finding(
                "alipay.md5-mismatch", cause: "The signature fits no known way of building the text, with any shared key at hand.",
                mend:
                    "Compare the shared key with the one of the account and environment, and the text with the sorted, unencoded k=v&k=v.",
                evidence: [.init("keys tried", String(keys.md5.count))])
        ])
    }

    // MARK: RSA

    private func rsa() -> Judgement {
        let candidates = ring.distinct
        guard !candidates.isEmpty else { return .noKey }
        guard let repair = SignatureRepair(message.signature) else {
            return .judged([
                finding("alipay.sign-damaged", cause: "The signature is no base64.", mend: "Keep the signature's text as it was made.")
            ])
        }
        let findings = repair.notes.map(finding)
        let sizes = Set(candidates.map { ($0.key.bits + 7) / 8 })
        guard sizes.contains(repair.bytes.count) else {
            if let other = otherSize(repair.bytes.count, candidates) { return .judged(findings + [other]) }
            return .judged(
                findings + [
                    finding(
                        "alipay.sign-damaged", cause: "The signature is cut or altered: it does not have the size of any key at hand.",
                        mend: "Keep the signature's text whole; a column or log that is too short cuts it.",
                        evidence: [
                            .init("bytes", String(repair.bytes.count)),
                            .init("bytes of the keys", sizes.sorted().map(String.init).joined(separator: ", ")),
                        ])
                ])
        }
        guard let (signer, signed) = signer(of: repair.bytes, among: candidates) else {
            return .judged(findings + [unmade(candidates)])
        }
        var found = findings + owner(of: signer) + hash(signed.hash, signer)
        let search = SlipSearch(slips: message.draft.node.isEmpty ? SigningSlip.ofPairs : SigningSlip.ofNode, fits: signed.fits)
        if let match = search.run(message.draft) {
            found += self.findings(of: match)
        } else {
            var evidence: [Finding.Evidence] = [.init("hash inside the signature", signed.hash)]
            if let digest = signed.digest { evidence.append(.init("digest inside the signature", Hexadecimal.encode(digest))) }
            evidence.append(.init("signed with", signer.file))
            found.append(
                finding(
                    "alipay.text-changed",
                    cause: "The key is right, and it signed another text: the message was changed after signing, or built anew.",
                    mend: "Log the text that is signed, and send exactly that.", evidence: evidence))
        }
        return .judged(found)
    }

    /// The sizes of keys in use, in bytes: a signature that is whole has one of them.
    private static let keySizes = [128, 256, 384, 512]

    /// A whole signature of a size that no key at hand has: nothing was cut, another key made it.
    private func otherSize(_ bytes: Int, _ candidates: [AlipayKeyRing.Held]) -> Finding? {
        guard Self.keySizes.contains(bytes) else { return nil }
        return finding(
            "alipay.wrong-key", cause: "Another key made this signature: one of \(8 * bytes) bits, and no key at hand has that size.",
            mend: wrongKeyMend,
            evidence: [
                .init("bits of the key that signed", String(8 * bytes)),
                .init("keys tried", candidates.map { "\($0.file), \($0.key.bits) bits" }.joined(separator: "; ")),
            ])
    }

    private var wrongKeyMend: String {
        message.kind.isAlipays
            ? "Check with Alipay's key for this application, environment and sign_type."
            : "Sign with the key whose public half is registered for this account and environment."
    }

    private struct Signed {
        var hash: String
        var digest: [UInt8]?
        var fits: ([UInt8]) -> Bool
    }

    /// The key that made the signature, whatever it signed. Without OpenSSL only one whose text fits as it stands is found.
    private func signer(of signature: [UInt8], among candidates: [AlipayKeyRing.Held]) -> (AlipayKeyRing.Held, Signed)? {
        for held in candidates where (held.key.bits + 7) / 8 == signature.count {
            if let recovery = keys.recovery {
                guard let (hash, digest) = recovery.recover(signature, key: held.key) else { continue }
                return (held, Signed(hash: hash, digest: digest) { Self.digest($0, hash) == digest })
            }
            for hash in LegacyRSAHash.allCases {
                let fits = { (text: [UInt8]) in held.key.isValidSignature(signature, over: text, hash: hash) }
                let slips = message.draft.node.isEmpty ? SigningSlip.ofPairs : SigningSlip.ofNode
                if SlipSearch(slips: slips, fits: fits).run(message.draft) != nil {
                    return (held, Signed(hash: hash == .sha1 ? "SHA-1" : "SHA-256", fits: fits))
                }
            }
        }
        return nil
    }

    private static func digest(_ text: [UInt8], _ hash: String) -> [UInt8]? {
        switch hash {
        case "SHA-1": Array(Insecure.SHA1.hash(data: text))
        case "SHA-256": Array(SHA256.hash(data: text))
        case "SHA-384": Array(SHA384.hash(data: text))
        case "SHA-512": Array(SHA512.hash(data: text))
        default: nil
        }
    }

    private func unmade(_ candidates: [AlipayKeyRing.Held]) -> Finding {
        let files = candidates.map(\.file).joined(separator: ", ")
        // A public key file that is the merchant's own, where Alipay's belongs.
        if message.kind.isAlipays, let own = ring.held.first(where: { !$0.isPrivate && $0.owner != .merchant && ring.isMerchants($0.key) })
        {
            return finding(
                "alipay.own-key-pasted", cause: "The key that is meant to check Alipay's messages is the merchant's own public key.",
                mend: "Copy Alipay's public key from the console, which shows it after yours is saved; the two look alike.",
                evidence: [.init("merchant's own key", own.file)])
        }
        if keys.recovery == nil {
            return finding(
                "alipay.signature-mismatch", cause: "The signature fits no known way of building the text, with any key at hand.",
                mend: "Compare keys and text with what the signer used.", evidence: [.init("keys tried", files)])
        }
        return finding(
            "alipay.wrong-key", cause: "None of the keys at hand made this signature.", mend: wrongKeyMend,
            evidence: [.init("keys tried", files)])
    }

    /// Whether the key that made the signature is the one that it should be.
    private func owner(of signer: AlipayKeyRing.Held) -> [Finding] {
        let owners = ring.held.filter { $0.key == signer.key }
        if message.isAlipays {
            // A file under Alipay's name may be the gateway's own, private or public; a merchant's key makes none of Alipay's messages.
            let isAlipays = owners.contains { !$0.isPrivate && $0.owner.isAlipays }
            if let own = owners.first(where: { $0.isPrivate ? !isAlipays || $0.isNamedMerchants : $0.owner == .merchant }) {
                return [
                    finding(
                        "alipay.own-key-signed",
                        cause:
                            "The message says to be Alipay's, and the merchant's own key made its signature: it is forged, or from a test.",
                        mend: "Refuse it. Check what Alipay sends with Alipay's key alone, and never with one's own.",
                        evidence: [.init("signed with", own.file)])
                ]
            }
            let other: AlipayKeyRing.Owner = message.generation == .legacy ? .openPlatform : .legacyGateway
            let named = owners.map(\.owner)
            // The key that fits is the other generation's: the one in use for this message is not.
            let using = ring.held.first { $0.owner == (message.generation == .legacy ? .legacyGateway : .openPlatform) }
            if named.contains(other), !named.contains(.alipay), let using, using.key != signer.key {
                return [
                    finding(
                        "alipay.shared-key-swapped", cause: "The message was made with Alipay's key of the other generation.",
                        mend:
                            "The old gateway, the open platform and each application have keys of their own: check with the one that fits.",
                        evidence: [.init("fits", signer.file), .init("does not fit", using.file)])
                ]
            }
            return []
        }
        if let alipays = owners.first(where: { $0.owner.isAlipays }), !owners.contains(where: { $0.isPrivate || $0.owner == .merchant }) {
            return [
                finding(
                    "alipay.other-side-key", cause: "The merchant's message is signed with the key that is filed as Alipay's.",
                    mend: "Sign with the merchant's own private key; or put Alipay's key where the merchant's public key was pasted.",
                    evidence: [.init("signed with", alipays.file)])
            ]
        }
        // A registered key is on file, and another one signed.
        let registered = ring.held.filter { !$0.isPrivate && $0.owner == .merchant }
        guard let first = registered.first, !registered.contains(where: { $0.key == signer.key }) else { return [] }
        return [
            finding(
                "alipay.key-not-registered", cause: "The message was signed with another key than the one that is registered.",
                mend:
                    "Register the public half of the key that signs, or sign with the registered one's private half; keep sandbox and production apart.",
                evidence: [.init("signed with", signer.file), .init("registered", first.file)])
        ]
    }

    private func hash(_ hash: String, _ signer: AlipayKeyRing.Held) -> [Finding] {
        // Answers do not name theirs.
        guard let type = message.signType else { return [] }
        let expected = type == "RSA2" ? "SHA-256" : "SHA-1"
        let evidence: [Finding.Evidence] = [
            .init("sign_type", type), .init("hash inside the signature", hash), .init("key", "\(signer.key.bits) bits"),
        ]
        if hash != expected {
            return [
                finding(
                    "alipay.sign-type-hash", cause: "sign_type says \(type), and the signature was made with \(hash).",
                    mend: "RSA is SHA-1 and RSA2 is SHA-256: set sign_type to what signs.", evidence: evidence)
            ]
        }
        if type == "RSA2", signer.key.bits < 2048 {
            return [
                finding(
                    "alipay.key-too-short", cause: "RSA2 was used with a key of fewer than 2048 bits.",
                    mend: "Make a key of 2048 bits for RSA2 and register it.",
                    evidence: evidence)
            ]
        }
        return []
    }

    private func findings(of match: SlipSearch.Match) -> [Finding] {
        let text = DiagnosisText.printable(message.draft.charset.display(match.text))
        return match.slips.map { found in
            let mend = message.isAlipays ? found.slip.mend : found.slip.merchantsMend ?? found.slip.mend
            return finding(
                found.slip.code, cause: found.slip.cause, mend: mend, evidence: found.evidence + [.init("text that was signed", text)])
        }
    }

    // MARK: Where it was sent

    private func gateway() -> [Finding] {
        guard let host = message.host?.lowercased() else { return [] }
        let isLegacyHost = host.contains("mapi")
        let isModernHost = host.contains("openapi")
        guard isLegacyHost != isModernHost, (message.generation == .legacy) != isLegacyHost else { return [] }
        return [
            finding(
                "alipay.gateway-mismatch",
                cause: "The call went to the gateway of the other generation, which does not know the account's id.",
                mend: "service and partner go to mapi or intlmapi, method and app_id to openapi.", evidence: [.init("host", host)])
        ]
    }
}
