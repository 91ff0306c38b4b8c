import BillfoldDiagnosis
import Crypto
import Foundation
import SwiftASN1
import UnionPay
import X509

/// What an artifact turned out to be.
enum Exhibit {
    case message(MessageExhibit)
    case log([StateLog.Entry])
    case certificates([Certificate])
    case key(Certificate.PrivateKey)
    case pkcs12(key: Certificate.PrivateKey, certificate: Certificate)
    /// A PKCS#12 file that none of the passwords opens.
    case closedPKCS12
    /// A PKCS#12 file that its password opens, without a key or a certificate.
    case incompletePKCS12(String)
    /// A PKCS#12 file whose password nobody hashes as often as it asks.
    case costlyPKCS12(rounds: Int)
    /// A message that cannot be read at all, and why.
    case unreadable(UnionPayError)

    struct MessageExhibit {
        enum Form: String {
            case body = "form body"
            case reply = "reply body"
            case json = "JSON of fields"
        }

        var form: Form
        var fields: UnionPayFields
        /// Fields that stand as numbers or booleans where the message has text.
        var bare: [String] = []

        var direction: StringToSign.Direction {
            fields["respCode"] != nil || fields["signPubKeyCert"] != nil ? .reply : .request
        }

        var title: String {
            let type = fields["txnType"].flatMap(TransactionType.init(rawValue:))?.title ?? "message"
            return direction == .request ? "\(type) request" : "\(type) reply or notification"
        }
    }

    static func read(_ artifact: Artifact, _ keys: DiagnosticKeys) -> Exhibit? {
        let text = String(decoding: artifact.bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if text.contains("-----BEGIN"), !text.contains("signPubKeyCert") { return pem(text) }
        if text.hasPrefix("{") || text.hasPrefix("[") { return json(artifact.bytes) }
        if artifact.bytes.first == 0x30 {
            if let certificate = try? Certificate(derEncoded: artifact.bytes) { return .certificates([certificate]) }
            guard let opener = keys.pkcs12, isPKCS12(artifact.bytes) else { return nil }
            return pkcs12(artifact.bytes, passwords: keys.passwords, opener: opener, within: .current)
        }
        return body(Array(text.utf8), original: artifact.bytes)
    }

    private static func pkcs12(
        _ bytes: [UInt8], passwords: [Secret<String>], opener: any PKCS12Opener, within budget: DiagnosisBudget
    ) -> Exhibit? {
        for password in passwords {
            guard !budget.isOver else { return nil }
            let allowed = budget.roundsLeft
            var left = allowed
            let opening = opener.open(bytes, password: password, rounds: &left)
            budget.spend(rounds: allowed - left)
            switch opening {
            case .opened(let key, let certificate):
                // A key of the wallet's is another diagnostician's.
                return isWallets(certificate) ? nil : .pkcs12(key: key, certificate: certificate)
            case .incomplete(let reason): return .incompletePKCS12(reason)
            case .tooCostly(let rounds): return .costlyPKCS12(rounds: rounds)
            case .closed: continue
            }
        }
        return .closedPKCS12
    }

    /// Whether a certificate is of a key that tokens are encrypted to, or of another kind than UnionPay's: RSA or SM2.
    private static func isWallets(_ certificate: Certificate) -> Bool {
        P256.Signing.PublicKey(certificate.publicKey) != nil || P384.Signing.PublicKey(certificate.publicKey) != nil
            || certificate.extensions[oid: [1, 2, 840, 113_635, 100, 6, 32]] != nil
    }

    private static func pem(_ text: String) -> Exhibit? {
        guard let documents = try? PEMDocument.parseMultiple(pemString: text.replacing("\r\n", with: "\n")) else { return nil }
        let certificates = documents.compactMap { try? Certificate(pemDocument: $0) }
        if !certificates.isEmpty { return .certificates(certificates) }
        for document in documents {
            if let key = try? Certificate.PrivateKey(pemDocument: document) { return .key(key) }
        }
        return nil
    }

    /// A PKCS#12 begins with version 3; a certificate or a private key does not.
    private static func isPKCS12(_ bytes: [UInt8]) -> Bool {
        guard let node = try? BER.parse(bytes), case .constructed(let children) = node.content,
            let first = children.first(where: { _ in true }), first.identifier == .integer,
            case .primitive(let content) = first.content
        else { return false }
        return Array(content) == [3]
    }

    private static func json(_ bytes: [UInt8]) -> Exhibit? {
        if let log = StateLog.parse(bytes) { return .log(log) }
        guard let object = try? JSONDecoder().decode([String: Scalar].self, from: Data(bytes)), isUnionPay(Set(object.keys)) else {
            return nil
        }
        let bare = object.filter(\.value.isBare).keys.sorted()
        return .message(MessageExhibit(form: .json, fields: UnionPayFields(object.mapValues(\.text)), bare: bare))
    }

    /// A field's value in JSON, which may have lost its quotation marks.
    private struct Scalar: Decodable {
        var text: String
        var isBare = true

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                (self.text, isBare) = (text, false)
            } else if value.decodeNil() {
                text = ""
            } else if let number = try? value.decode(Int64.self) {
                text = String(number)
            } else if let flag = try? value.decode(Bool.self) {
                text = String(flag)
            } else {
                text = "\(try value.decode(Decimal.self))"
            }
        }
    }

    /// Form and reply bodies look alike. A reply has bare base64 or brackets, a form escapes them.
    private static func body(_ bytes: [UInt8], original: [UInt8]) -> Exhibit? {
        let names = String(decoding: bytes, as: UTF8.self).split(separator: "&").compactMap {
            $0.split(separator: "=").first.map(String.init)
        }
        guard isUnionPay(Set(names)) else { return nil }
        let isReply = names.contains("respCode") && !bytes.contains(UInt8(ascii: "%"))
        do throws(UnionPayError) {
            let fields = isReply ? try ReplyBody.decode(bytes) : try FormBody.decode(bytes)
            return .message(MessageExhibit(form: isReply ? .reply : .body, fields: fields))
        } catch { return .unreadable(error) }
    }

    private static func isUnionPay(_ names: Set<String>) -> Bool {
        let marks: Set<String> = ["version", "txnType", "merId", "signMethod", "respCode", "bizType", "signPubKeyCert", "certId"]
        return names.intersection(marks).count >= 3
    }
}
