import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import CryptoExtras
import Foundation
import HTTPTypes
import SwiftASN1
import Synchronization
import UnionPay
import X509

/// Keys and certificates of both sides. RSA keys take long to make, so all tests share them.
struct AcquirerKeys: Sendable {
    static let shared = Result { try AcquirerKeys() }
    static let now = Date(timeIntervalSince1970: 1_795_204_800)  // 2026-11-20T20:00:00Z

    let root: Certificate
    let gateway: ReplySigner
    /// Signs as well as the gateway does, with a certificate that nobody issued.
    let forger: ReplySigner
    let merchantSigner: UnionPaySigner
    let merchantCertificate: Certificate

    private init() throws {
        let keys = try (0..<4).map { _ in Certificate.PrivateKey(try _RSA.Signing.PrivateKey(keySize: .bits2048)) }
        let name = "041@Z2026@中国银联股份有限公司@00000001"
        root = try Self.issue("Test Root", 1, keys[0].publicKey, "Test Root", keys[0], isAuthority: true)
        gateway = try ReplySigner(key: keys[1], certificate: Self.issue(name, 2, keys[1].publicKey, "Test Root", keys[0]))
        forger = try ReplySigner(key: keys[2], certificate: Self.issue(name, 2, keys[2].publicKey, "Test Root", keys[2]))
        merchantCertificate = try Self.issue("Merchant", 3, keys[3].publicKey, "Test Root", keys[0])
        merchantSigner = try UnionPaySigner(key: keys[3], certificate: merchantCertificate)
    }

    private static func issue(
        _ name: String, _ serial: UInt64, _ key: Certificate.PublicKey, _ issuer: String, _ issuerKey: Certificate.PrivateKey,
        isAuthority: Bool = false
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: .init(serial), publicKey: key, notValidBefore: now.addingTimeInterval(-86_400 * 365),
            notValidAfter: now.addingTimeInterval(86_400 * 365), issuer: DistinguishedName { CommonName(issuer) },
            subject: DistinguishedName { CommonName(name) }, signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: Certificate.Extensions {
                Critical(isAuthority ? BasicConstraints.isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: !isAuthority, keyCertSign: isAuthority))
            }, issuerPrivateKey: issuerKey)
    }
}

/// An acquirer in the same process: verifies our signatures, keeps what it received, and answers by script.
final class AcquirerStub: HTTPSender {
    struct Script: Sendable {
        /// The synchronous answer to a consume.
        var syncCode = "00"
        /// What queries say became of it, in order; the last repeats. `34` is a query-level answer. Where there is none, what the message's
        /// own answer leads to.
        var queryCodes: [String] = []
        /// Whether the message arrives and the reply does not.
        var losesReply = false
        /// Whether nothing can be reached at all.
        var isUnreachable = false
        /// Signs with a key that nobody vouches for.
        var isForged = false
        /// Messages of these types are lost on the way, and so are their replies.
        var losesMessages: Set<TransactionType> = []
        /// Changes a reply before it is signed.
        var changesReply: (@Sendable (TransactionType, inout UnionPayFields) -> Void)?
        var refundCode = "00"
        /// As UnionPay answers a second copy: it moves money once.
        var codeOfCopies = "12"
        var reversalCode = "00"
        /// Another amount in query replies and notifications, in fen.
        var otherAmount: String?
        /// The file of the day, zlib over zip.
        var file: [UInt8]?
    }

    private struct State {
        var script = Script()
        var messages: [UnionPayFields] = []
        /// What the first copy of each message was answered.
        var codes: [String: String] = [:]
        var exchanges: [String?] = []
        var lost: [UnionPayFields] = []
        var queries = 0
    }

    private let state = Mutex(State())
    private let keys: AcquirerKeys
    /// Runs while a consume is at the acquirer, before its reply leaves.
    private let duringConsume = Mutex<(@Sendable (UnionPayFields) async -> Void)?>(nil)

    init(_ keys: AcquirerKeys) { self.keys = keys }

    func script(_ change: (inout Script) -> Void) { state.withLock { change(&$0.script) } }
    func whileConsuming(_ body: @escaping @Sendable (UnionPayFields) async -> Void) { duringConsume.withLock { $0 = body } }

    /// The messages of a type that reached the acquirer.
    func received(_ type: TransactionType) -> [UnionPayFields] {
        state.withLock { $0.messages.filter { $0["txnType"] == type.rawValue } }
    }

    /// What `Billfold-Exchange` said on each message, in the order they came.
    var exchanges: [String?] { state.withLock { $0.exchanges } }

    /// The messages that were lost on the way.
    var lost: [UnionPayFields] { state.withLock { $0.lost } }

    func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        let script = state.withLock { $0.script }
        if script.isUnreachable { throw SendFailure(code: .notConnected, reason: "down", mayHaveArrived: false) }
        let lost = SendFailure(code: .timedOut, reason: "no answer", mayHaveArrived: true)
        guard let received = try? FormBody.decode(request.body),
            let fields = try? MerchantSignatureVerifier([.rsa(keys.merchantCertificate)]).verified(received).fields,
            let type = fields["txnType"].flatMap(TransactionType.init(rawValue:))
        else { return OutgoingAnswer(status: .badRequest, headers: [:], body: []) }
        if script.losesMessages.contains(type) {
            state.withLock { $0.lost.append(fields) }
            throw lost
        }
        let exchange = HTTPField.Name(Exchange.headerName).flatMap { request.headers[$0] }
        let isCopy = state.withLock { state in
            // A number is taken once a day.
            let day = "\(fields["orderId"] ?? "")/\(fields["txnTime"]?.prefix(8) ?? "")"
            let isCopy = [.consume, .refund, .void].contains(type) && state.codes.keys.contains { $0.hasPrefix(day) }
            if !isCopy, type != .query, type != .reversal {
                state.codes[Self.triple(fields)] = type == .consume ? script.syncCode : script.refundCode
            }
            state.messages.append(fields)
            state.exchanges.append(exchange)
            return isCopy
        }
        if type == .consume, let hook = duringConsume.withLock({ $0 }) { await hook(fields) }
        if script.losesReply, type == .consume { throw lost }
        var told = script
        if isCopy { (told.syncCode, told.refundCode) = (script.codeOfCopies, script.codeOfCopies) }
        guard let reply = try? answer(type, fields, told), let body = try? ReplyBody.encode(reply) else {
            throw lost
        }
        return OutgoingAnswer(status: .ok, headers: [:], body: body)
    }

    private static func triple(_ fields: UnionPayFields) -> String { "\(fields["orderId"] ?? "")/\(fields["txnTime"] ?? "")" }

    private func answer(_ type: TransactionType, _ fields: UnionPayFields, _ script: Script) throws -> UnionPayFields {
        var reply: UnionPayFields = ["version": "5.1.0", "encoding": "UTF-8", "merId": fields["merId"] ?? ""]
        for name in ["orderId", "txnTime", "txnType", "txnSubType", "bizType", "accessType"] { reply[name] = fields[name] }
        switch type {
        case .consume: reply["respCode"] = script.syncCode
        case .refund, .void: reply["respCode"] = script.refundCode
        case .reversal: reply["respCode"] = script.reversalCode
        case .query: try query(&reply, fields, script)
        case .fileTransfer:
            reply["settleDate"] = fields["settleDate"]
            reply["respCode"] = script.file == nil ? "98" : "00"
            reply["fileName"] = "20261121_777290058167151.zip"
            reply["fileContent"] = script.file.map { Data($0).base64EncodedString() }
        }
        reply["respMsg"] = "成功[0000000]"
        script.changesReply?(type, &reply)
        return try (script.isForged ? keys.forger : keys.gateway).signed(reply)
    }

    /// What a message that was refused as such has left behind is nothing.
    private static func outcome(of code: String) -> String {
        switch ReplyCode(rawValue: code).class {
        case .declined, .disputed: code
        case .ourFault, .setUp, .reference, .alreadyDone: "34"
        default: "00"
        }
    }

    private func query(_ reply: inout UnionPayFields, _ fields: UnionPayFields, _ script: Script) throws {
        let (code, original) = state.withLock { state -> (String, UnionPayFields?) in
            let scripted = script.queryCodes.isEmpty ? nil : script.queryCodes[min(state.queries, script.queryCodes.count - 1)]
            state.queries += 1
            let original = state.messages.first { Self.triple($0) == Self.triple(fields) && $0["txnType"] != "00" }
            return (scripted ?? Self.outcome(of: state.codes[Self.triple(fields)] ?? "00"), original)
        }
        guard let original, code != "34" else {
            reply["respCode"] = "34"
            return
        }
        reply["respCode"] = "00"
        reply["origRespCode"] = code
        reply["origRespMsg"] = code == "00" ? "成功[0000000]" : "失败[2000000]"
        reply["txnAmt"] = script.otherAmount ?? original["txnAmt"]
        reply["currencyCode"] = "156"
        reply["queryId"] = Self.queryID(original)
        reply["settleDate"] = "1121"
    }

    /// UnionPay's number: 21 digits that depend on the order alone.
    static func queryID(_ fields: UnionPayFields) -> String {
        let digits = (fields["orderId"] ?? "").utf8.map { String($0 % 10) }.joined()
        return "2026112100" + String(digits.suffix(11))
    }

    /// The notification of a message that was received, as the body that UnionPay posts.
    func notification(of fields: UnionPayFields, amount: String? = nil, forged: Bool = false) throws -> [UInt8] {
        var message: UnionPayFields = [
            "version": "5.1.0", "encoding": "UTF-8", "respCode": "00", "respMsg": "成功[0000000]", "currencyCode": "156",
            "settleCurrencyCode": "156", "settleDate": "1121", "traceNo": "123456", "traceTime": "1121040000", "accessType": "0",
            "exchangeRate": "", "reqReserved": fields["reqReserved"] ?? "",
        ]
        for name in ["merId", "orderId", "txnTime", "txnType", "txnSubType", "bizType"] { message[name] = fields[name] }
        message["txnAmt"] = amount ?? fields["txnAmt"]
        message["settleAmt"] = message["txnAmt"]
        message["queryId"] = Self.queryID(fields)
        return Array(try FormBody.encode((forged ? keys.forger : keys.gateway).signed(message)).utf8)
    }
}
