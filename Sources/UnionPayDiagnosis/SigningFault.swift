import BillfoldDiagnosis
import Foundation
import UnionPay

/// A known way to get the string to sign wrong, how it would look, and how to mend it.
struct SigningFault: Sendable {
    let code: String
    let cause: String
    let mend: String
    /// The drafts that this fault turns a draft into; empty when it cannot apply.
    let bend: @Sendable (SigningDraft) -> [SigningDraft]
    /// What the fitting draft shows.
    let evidence: @Sendable (SigningDraft, SigningDraft) -> String

    init(
        _ code: String, cause: String, mend: String,
        evidence: @escaping @Sendable (SigningDraft, SigningDraft) -> String = { _, _ in "the signature fits once this is undone" },
        bend: @escaping @Sendable (SigningDraft) -> [SigningDraft]
    ) {
        self.code = code
        self.cause = cause
        self.mend = mend
        self.evidence = evidence
        self.bend = bend
    }

    static func one(_ change: @escaping @Sendable (inout SigningDraft) -> Void) -> @Sendable (SigningDraft) -> [SigningDraft] {
        { draft in
            var draft = draft
            change(&draft)
            return [draft]
        }
    }

    static func namesDiffer(_ right: SigningDraft, _ wrong: SigningDraft) -> String {
        let (left, right) = (Set(right.entries.map(\.name)), Set(wrong.entries.map(\.name)))
        return left.symmetricDifference(right).sorted().joined(separator: ", ")
    }

    /// What both a request and a reply can suffer on the way.
    static let common: [SigningFault] = [
        SigningFault(
            "unionpay.plus-became-space", cause: "A + of the message became a space on the way.",
            mend: "Send + as %2B in a form body, and read a reply's body without form decoding: it is not percent-encoded."
        ) { draft in
            var all = draft
            var encodedOnly = draft
            all.signature = all.signature.replacing(" ", with: "+")
            encodedOnly.signature = all.signature
            for index in draft.entries.indices {
                let entry = draft.entries[index]
                if entry.name == "signPubKeyCert" {
                    all.entries[index].value = PEMSpelling.restoringPlus(entry.value)
                    encodedOnly.entries[index].value = all.entries[index].value
                } else {
                    all.entries[index].value = entry.value.replacing(" ", with: "+")
                    if ["accNo", "customerInfo", "cardTransData", "fileContent"].contains(entry.name) {
                        encodedOnly.entries[index].value = all.entries[index].value
                    }
                }
            }
            return [encodedOnly, all]
        },
        SigningFault(
            "unionpay.charset", cause: "The text was signed in another character encoding than the one it is read in.",
            mend: "Use the encoding that the message's field `encoding` names, for the bytes that are signed and for those that are read."
        ) { draft in
            var drafts: [SigningDraft] = []
            var other = draft
            other.encoding = draft.encoding == .utf8 ? .gbk : .utf8
            drafts.append(other)
            // UTF-8 that was read as GBK or as Latin-1, and GBK that was read as Latin-1.
            let readings: [(String) -> String?] = [
                { (try? TextEncoding.gbk.encode($0)).flatMap { try? TextEncoding.utf8.decode($0) } },
                { Latin1.bytes($0).flatMap { try? TextEncoding.utf8.decode($0) } },
                { Latin1.bytes($0).flatMap { try? TextEncoding.gbk.decode($0) } },
            ]
            for reading in readings {
                var reread = draft
                for index in draft.entries.indices {
                    reread.entries[index].value = reading(draft.entries[index].value) ?? draft.entries[index].value
                }
                drafts.append(reread)
            }
            return drafts
        },
        SigningFault(
            "unionpay.html-escaped", cause: "A filter or a template wrote entities of HTML into values.",
            mend: "Take the raw body: frameworks escape request values before your code sees them.",
            evidence: { right, wrong in
                let names = zip(right.entries, wrong.entries).filter { $0.value != $1.value }.map(\.0.name)
                return "\(names.joined(separator: ", ")), with &quot; and its like undone"
            }
        ) { draft in
            var next = draft
            next.signature = HTMLEntities.unescape(draft.signature)
            for index in draft.entries.indices { next.entries[index].value = HTMLEntities.unescape(draft.entries[index].value) }
            return [next]
        },
    ]

    /// How the digest is taken or signed wrongly.
    private static let digests: [SigningFault] = [
        SigningFault(
            "unionpay.signed-once", cause: "The string itself was signed; the protocol signs the hex text of its digest.",
            mend: "Take the SHA-256 of the string as lower-case hex, and sign those 64 characters with SHA-256 and RSA.",
            bend: one { $0.digest = .none }),
        SigningFault(
            "unionpay.digest-upper-case", cause: "The hex text of the digest was signed in upper case.",
            mend: "Write the digest in lower-case hex before signing it.", bend: one { $0.digest = .upperHexText }),
        SigningFault(
            "unionpay.digest-raw", cause: "The digest's 32 bytes were signed, not their hex text.",
            mend: "Write the digest as 64 hex characters and sign those.", bend: one { $0.digest = .rawDigest }),
        SigningFault(
            "unionpay.legacy-sha1", cause: "The message was signed with SHA-1, as version 5.0.0 has it.",
            mend: "Version 5.1.0 digests and signs with SHA-256.", bend: one { $0.digest = .legacySHA1 }),
        SigningFault(
            "unionpay.rsa-sha1",
            cause: "The digest is SHA-256's, and RSA signed it with SHA-1: the hash that is taken where none is named.",
            mend: "Name SHA-256 where it is signed: OPENSSL_ALGO_SHA256, SHA256withRSA.",
            evidence: { _, wrong in wrong.digest == .noneByRSASHA1 ? "RSA with SHA-1 over the string itself" : "RSA with SHA-1" },
            bend: { draft in
                [SigningDraft.Digest.hexTextByRSASHA1, .noneByRSASHA1].map {
                    var next = draft
                    next.digest = $0
                    return next
                }
            }),
    ]

    /// How a merchant's own signing goes wrong: reply 11.
    static func request(certificateIDs: [(decimal: String, hex: String)]) -> [SigningFault] {
        [
            SigningFault(
                "unionpay.signed-encoded", cause: "The values were percent-encoded before they were signed.",
                mend: "Sign the unencoded values; encode them only when the form body is written."
            ) { draft in
                ["-._*", "-._~", "-._~!*'()"].map {
                    var next = draft
                    next.unreserved = $0
                    return next
                }
            },
            SigningFault(
                "unionpay.signed-ignoring-case", cause: "The fields were sorted without regard to upper and lower case.",
                mend: "Sort by the bytes of the keys: every upper-case letter comes before every lower-case one.",
                bend: one { $0.order = .ignoringCase }),
            SigningFault(
                "unionpay.signed-unsorted", cause: "The fields were signed in the order in which they were written, not sorted.",
                mend: "Sort the fields by the bytes of their keys before joining them.", bend: one { $0.order = .arrival }),
            SigningFault(
                "unionpay.empty-fields-signed", cause: "Empty fields were left in the string to sign.",
                mend: "Drop empty fields before signing a request, and do not send them.", bend: one { $0.keepsEmpty = true }),
            SigningFault(
                "unionpay.blanks-signed", cause: "Values were signed with blanks at their ends.",
                mend: "Trim every value before signing and sending.", bend: one { $0.trims = false }),
            SigningFault(
                "unionpay.cert-id-hex", cause: "The certificate's serial number was written in hex.",
                mend: "Write certId as the serial number in decimal, in the string to sign and in the message."
            ) { draft in
                certificateIDs.filter { $0.hex != $0.decimal }.flatMap { id in
                    [id.hex, id.hex.uppercased()].map {
                        var next = draft
                        next["certId"] = $0
                        return next
                    }
                }
            },
            SigningFault(
                "unionpay.cert-id-not-signed", cause: "certId was added after the signature was made.",
                mend: "Set certId first, then build the string to sign.", bend: one { $0["certId"] = nil }),
        ] + digests + [
            SigningFault(
                "unionpay.trailing-ampersand", cause: "The string to sign ended with an &.",
                mend: "Join the pairs with & between them only.", bend: one { $0.suffix = "&" }),
            SigningFault(
                "unionpay.field-added-after-signing", cause: "A field was added after the signature was made.",
                mend: "Sign last: set every field first, then build the string to sign.", evidence: namesDiffer
            ) { draft in
                draft.entries.indices.compactMap { index in
                    guard draft.entries[index].name != "certId" else { return nil }
                    var next = draft
                    next.entries.remove(at: index)
                    return next
                }
            },
        ]
    }

    /// Fields that replies carry empty in practice; the candidates when a receiver has dropped empty fields.
    private static let oftenEmpty = [
        "reqReserved", "reserved", "exchangeRate", "exchangeDate", "accNo", "payCardNo", "payCardType", "payType", "settleDate",
        "settleAmt", "settleCurrencyCode", "traceNo", "traceTime", "issuerIdentifyMode", "acqInsCode", "subMerId", "respMsg",
    ]

    /// How a reply or a notification is damaged by its receiver.
    static let reply: [SigningFault] = [
        SigningFault(
            "unionpay.line-ends", cause: "The line ends of signPubKeyCert were changed; they are CR LF and they are signed.",
            mend: "Keep every value exactly as received, CR LF included, until the signature is checked."
        ) { draft in
            guard let text = draft["signPubKeyCert"] else { return [] }
            return PEMSpelling.lineEndVariants(text).map {
                var next = draft
                next["signPubKeyCert"] = $0
                return next
            }
        },
        SigningFault(
            "unionpay.query-merged", cause: "Fields that are not UnionPay's were mixed into the message: a query string or cookies.",
            mend: "Take the fields from the POST body alone.", evidence: namesDiffer
        ) { draft in
            var drafts: [SigningDraft] = []
            var listed = draft
            listed.entries.removeAll { !FieldGuide.isListed($0.name) }
            if listed.entries.count < draft.entries.count { drafts.append(listed) }
            for index in draft.entries.indices {
                var next = draft
                next.entries.remove(at: index)
                drafts.append(next)
            }
            return drafts
        },
        SigningFault(
            "unionpay.empty-fields-dropped", cause: "Empty fields were dropped before the signature was checked.",
            mend: "Keep empty fields of replies and notifications: `name=` is part of the signed string.", evidence: namesDiffer
        ) { draft in
            let present = Set(draft.entries.map(\.name))
            let absent = oftenEmpty.filter { !present.contains($0) }
            var drafts: [SigningDraft] = []
            for (first, name) in absent.enumerated() {
                var one = draft
                one.entries.append(.init(name, ""))
                drafts.append(one)
                for other in absent[(first + 1)...] {
                    var two = one
                    two.entries.append(.init(other, ""))
                    drafts.append(two)
                }
            }
            return drafts
        },
        SigningFault(
            "unionpay.still-encoded", cause: "The values are still percent-encoded, as they were on the wire.",
            mend: "Decode the form body once, then check the signature over the decoded values."
        ) { draft in
            var next = draft
            next.signature = next.signature.removingPercentEncoding ?? next.signature
            for index in draft.entries.indices {
                next.entries[index].value = draft.entries[index].value.removingPercentEncoding ?? draft.entries[index].value
            }
            return [next]
        },
    ]
}

/// Texts of a PEM certificate that mean the same and are signed differently.
enum PEMSpelling {
    /// Line ends stay as they are; CR LF is one `Character`, so the lines are cut by scalars.
    static func restoringPlus(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                let line = String(line)
                return line.hasPrefix("-----") ? line : line.replacing(" ", with: "+")
            }.joined(separator: "\n")
    }

    static func lineEndVariants(_ text: String) -> [String] {
        let lines = lines(text)
        let joined = lines.joined(separator: "\r\n")
        let unix = lines.joined(separator: "\n")
        return [joined, joined + "\r\n", unix, unix + "\n"].filter { $0 != text }
    }

    /// The certificate's text with usual line ends and restored `+`, for reading it.
    static func readable(_ text: String) -> String { restoringPlus(lines(text).joined(separator: "\n") + "\n") }

    private static func lines(_ text: String) -> [String] {
        // A literal backslash-n is what double JSON escaping leaves.
        text.replacing("\\r", with: "\r").replacing("\\n", with: "\n").replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            .split(separator: "\n").map(String.init)
    }
}

enum Latin1 {
    static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard scalar.value < 0x100 else { return nil }
            bytes.append(UInt8(scalar.value))
        }
        return bytes
    }
}
