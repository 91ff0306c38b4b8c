import AlipayPlus
import BillfoldMoney
import BillfoldServer
import BillfoldStorage
import HTTPTypes
import PaymentCrypto
import Synchronization

@testable import AlipayPlusServer

/// A wallet that the tests play.
struct FakeWallet: Sendable, Hashable {
    var type: String
    var region: String
    var currency: String
    var issuer: String
    var promotion = ""

    var client: String { "SANDBOX_\(type)" }
    var origin: String { "http://\(type.lowercased().replacing("_", with: "-")).test" }

    static let gcash = FakeWallet(type: "GCASH", region: "PH", currency: "PHP", issuer: "281001")
    static let hongKong = FakeWallet(
        type: "ALIPAY_HK", region: "HK", currency: "HKD", issuer: "281002",
        promotion:
            #","promotions":[{"id":"spring","names":[{"language":"en_US","name":"2 HKD off"}],"funder":"ALIPAY_PLUS","fixed":"200","minimum":"1000"}]"#
    )
    static let kakao = FakeWallet(type: "KAKAOPAY", region: "KR", currency: "KRW", issuer: "281003")
    static let dana = FakeWallet(type: "DANA", region: "ID", currency: "IDR", issuer: "281004")
    static let all = [gcash, hongKong, kakao, dana]

    func registration(_ keys: PlusTestKeys) -> String {
        """
        {"clientId":"\(client)","pspId":"10221\(issuer)","paymentMethodType":"\(type)","brand":"\(type)","region":"\(region)",
        "currency":"\(currency)","maximum":"9000000000","scenarios":["cashier","paymentCode","orderCode","entryCode","automaticDebit"],
        "keys":[{"version":1,"publicKey":"\(StrictBase64.encode(keys.wallet.publicKey.subjectPublicKeyInfo))"}],"origin":"\(origin)",
        "links":{"applink":"https://\(type.lowercased()).example/pay","scheme":"\(type.lowercased())://pay",
        "normal":"https://\(type.lowercased()).example/wap","appIdentifier":"example.\(type.lowercased())"},"codeIssuer":"\(issuer)"\(promotion)}
        """
    }
}

/// The wallets' and the acquirer's servers in one: books of their own, answers by script, everything signed.
final class PlusOutside: HTTPSender {
    struct Collected: Sendable {
        enum State: Sendable { case asked, paid, cancelled, refused }
        var wallet: String
        var state: State
        var currency: String
        /// What the customer pays, and what of it went back, in minor units.
        var units: Int64
        var refunded: Int64 = 0
        var number: String
        /// As the wallet was asked.
        var price: WireAmount
        var payable: WireAmount
    }

    struct Told: Sendable {
        var url: String
        var message: NotifyPaymentRequest
        var isVerified: Bool
    }

    /// What the acquirer answers to a notification.
    enum Acknowledgement: Sendable, CaseIterable {
        case signed, unsigned, forged, refused, otherShape, page
        /// What receivers were seen to answer: a login's page with 200, a redirection, nothing, another protocol's word, a byte order
        /// mark before the result, another letter case, the time of a request, headers with capital letters, and more than is asked for.
        case loginPage, redirection, noContent, word, marked, smallLetters, requestsTime, capitals, more, lineEnd
    }

    enum Fault: Sendable, CaseIterable {
        /// Done, and the answer is lost.
        case lostAnswer
        /// Never arrives.
        case lostRequest
        /// Done, and answered by somebody who is not the wallet.
        case forged
        /// Not done: in process.
        case busy
    }

    private struct State {
        var payments: [String: Collected] = [:]
        /// By the refund's request id.
        var refunds: [String: (payment: String, units: Int64)] = [:]
        var told: [Told] = []
        var consents: [AuthNotifyRequest] = []
        var calls: [String] = []
        /// What wallets answer to `pay`, by the customer's id; in process where nothing is said.
        var onPay: [String: AlipayPlusResult] = [:]
        var onRefund: AlipayPlusResult?
        var onCancel: AlipayPlusResult?
        var faults: [Fault] = []
        var acknowledges = Acknowledgement.signed
        var tokens = 0
        var debitedBy: [String] = []
    }

    private let state = Mutex(State())
    /// Runs when a wallet has collected, before its answer leaves.
    private let whilePaying = Mutex<(@Sendable () async -> Void)?>(nil)
    private let keys: PlusTestKeys
    private let clock: HandClock

    init(keys: PlusTestKeys, clock: HandClock) {
        self.keys = keys
        self.clock = clock
    }

    var payments: [String: Collected] { state.withLock { $0.payments } }
    var refunds: [String: (payment: String, units: Int64)] { state.withLock { $0.refunds } }
    var told: [Told] { state.withLock { $0.told } }
    /// What acquirers were told of consents, under a signature that fits.
    var consents: [AuthNotifyRequest] { state.withLock { $0.consents } }
    /// The APIs that wallets were called by, in order.
    var calls: [String] { state.withLock { $0.calls } }
    /// The tokens that payments were asked for with.
    var debitedBy: [String] { state.withLock { $0.debitedBy } }
    func answerPay(of customer: String, _ result: AlipayPlusResult) { state.withLock { $0.onPay[customer] = result } }
    func answerRefund(_ result: AlipayPlusResult?) { state.withLock { $0.onRefund = result } }
    func answerCancel(_ result: AlipayPlusResult?) { state.withLock { $0.onCancel = result } }
    /// The next calls of wallets go wrong so.
    func fail(_ faults: [Fault]) { state.withLock { $0.faults += faults } }
    func whilePaying(_ body: @escaping @Sendable () async -> Void) { whilePaying.withLock { $0 = body } }
    func acknowledge(_ value: Bool) { acknowledge(value ? .signed : .refused) }
    func acknowledge(_ how: Acknowledgement) { state.withLock { $0.acknowledges = how } }

    /// The customer confirms in the wallet; nil where the wallet has no such payment, or not any more.
    func confirm(_ requestID: String) -> String? {
        state.withLock { state in
            guard state.payments[requestID]?.state == .asked || state.payments[requestID]?.state == .paid else { return nil }
            state.payments[requestID]?.state = .paid
            return state.payments[requestID]?.number
        }
    }

    func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        guard let wallet = FakeWallet.all.first(where: { request.url.hasPrefix($0.origin + "/") }) else { return try acquirer(request) }
        let fault = state.withLock { state in state.faults.isEmpty ? nil : state.faults.removeFirst() }
        if fault == .lostRequest { throw SendFailure(code: .notConnected, reason: "nobody listens", mayHaveArrived: false) }
        let path = String(request.url.dropFirst(wallet.origin.count))
        guard verified(request, path, by: keys.gatewayWallets) else { return OutgoingAnswer(status: .badRequest, headers: [:], body: []) }
        let body = fault == .busy ? PlainAnswer(result: .unknownException).body : (try? answer(path, request.body, wallet)) ?? []
        if path == WalletPayRequest.path, let hook = whilePaying.withLock({ $0 }) { await hook() }
        if fault == .lostAnswer { throw SendFailure(code: .timedOut, reason: "no answer", mayHaveArrived: true) }
        return signed(body, path, wallet.client, by: fault == .forged ? keys.stranger : keys.wallet)
    }

    private func answer(_ path: String, _ body: [UInt8], _ wallet: FakeWallet) throws -> [UInt8] {
        try state.withLock { state in
            state.calls.append(String(path.dropFirst(AlipayPlusPath.base.count)))
            switch path {
            case WalletPayRequest.path:
                let request = try WalletPayRequest(body: body)
                let customer = request.paymentMethod?.customerId ?? ""
                let known = state.payments[request.paymentRequestId]
                if let token = request.paymentMethod?.paymentMethodId { state.debitedBy.append(token) }
                let result = state.onPay[customer] ?? .paymentInProcess
                if known == nil {
                    let payable = try (request.payToAmount ?? request.paymentAmount).amount()
                    let off = try request.promoAmount?.amount().minorUnits ?? 0
                    state.payments[request.paymentRequestId] = Collected(
                        wallet: wallet.type, state: result.isSuccess ? .paid : result.isFailure ? .refused : .asked,
                        currency: payable.currency.alphabeticCode, units: payable.minorUnits - off,
                        number: "W\(state.payments.count)", price: request.paymentAmount,
                        payable: request.payToAmount ?? request.paymentAmount)
                }
                return WalletPayAnswer(
                    result: result, paymentId: state.payments[request.paymentRequestId]?.number, paymentAmount: request.paymentAmount
                ).body
            case WalletInquiryRequest.path:
                let request = try WalletInquiryRequest(body: body)
                guard let found = state.payments[request.paymentRequestId ?? ""] else {
                    return WalletInquiryAnswer(result: .orderNotExist).body
                }
                let result: AlipayPlusResult =
                    switch found.state {
                    case .asked: .paymentInProcess
                    case .paid: .success
                    case .cancelled: .orderIsClosed
                    case .refused: .userBalanceNotEnough
                    }
                return WalletInquiryAnswer(
                    result: .success, paymentResult: result, paymentRequestId: request.paymentRequestId, paymentId: found.number,
                    paymentAmount: found.price, payToAmount: found.payable
                ).body
            case WalletCancelRequest.path:
                let request = try WalletCancelRequest(body: body)
                if let scripted = state.onCancel { return PlainAnswer(result: scripted).body }
                guard state.payments[request.paymentRequestId ?? ""] != nil else { return PlainAnswer(result: .orderNotExist).body }
                state.payments[request.paymentRequestId ?? ""]?.state = .cancelled
                return PlainAnswer(result: .success).body
            case WalletRefundRequest.path:
                let request = try WalletRefundRequest(body: body)
                if let scripted = state.onRefund { return WalletRefundAnswer(result: scripted).body }
                let units = try (request.refundFromAmount ?? request.refundAmount).amount().minorUnits
                if state.refunds[request.refundRequestId] == nil {
                    state.refunds[request.refundRequestId] = (request.paymentRequestId ?? "", units)
                    state.payments[request.paymentRequestId ?? ""]?.refunded += units
                }
                return WalletRefundAnswer(result: .success, refundId: "R-\(request.refundRequestId)").body
            case PrepareRequest.path:
                let state = try PrepareRequest(body: body).authState ?? ""
                return PrepareAnswer(result: .success, normalUrl: "https://wallet.example/consent?state=\(state)").body
            case ApplyTokenRequest.path:
                state.tokens += 1
                return ApplyTokenAnswer(
                    result: .success, accessToken: "wallet-access-\(state.tokens)", refreshToken: "wallet-refresh-\(state.tokens)",
                    customerId: "c-7"
                ).body
            case CancelTokenRequest.path: return PlainAnswer(result: .success).body
            default: return PlainAnswer(result: .noInterfaceDef).body
            }
        }
    }

    private func acquirer(_ request: OutgoingRequest) throws(SendFailure) -> OutgoingAnswer {
        let path = request.url.split(separator: "9300", maxSplits: 1).last.map(String.init) ?? request.url
        let isVerified = verified(request, path, by: keys.gateway)
        let (consent, payment) = (try? AuthNotifyRequest(body: request.body), try? NotifyPaymentRequest(body: request.body))
        guard consent != nil || payment != nil else {
            throw SendFailure(code: .notConnected, reason: "nobody listens", mayHaveArrived: false)
        }
        let acknowledges = state.withLock { state in
            if let payment { state.told.append(Told(url: request.url, message: payment, isVerified: isVerified)) }
            if let consent, isVerified { state.consents.append(consent) }
            return state.acknowledges
        }
        let success = PlainAnswer(result: .success).body
        switch acknowledges {
        case .signed: return signed(success, path, PlusHarness.client, by: keys.acquirer)
        case .unsigned: return OutgoingAnswer(status: .ok, headers: [:], body: success)
        case .forged: return signed(success, path, PlusHarness.client, by: keys.stranger)
        case .refused: return signed(PlainAnswer(result: .unknownException).body, path, PlusHarness.client, by: keys.acquirer)
        case .otherShape:
            return signed(Array(#"{"code":"SUCCESS","message":"ok"}"#.utf8), path, PlusHarness.client, by: keys.acquirer)
        case .page: return OutgoingAnswer(status: .init(code: 419), headers: [:], body: Array("<html>Page Expired</html>".utf8))
        case .loginPage: return OutgoingAnswer(status: .ok, headers: [:], body: Array("\n<!doctype html><form>Log in".utf8))
        case .redirection: return OutgoingAnswer(status: .found, headers: [.location: "/login"], body: [])
        case .noContent: return OutgoingAnswer(status: .noContent, headers: [:], body: [])
        case .word: return OutgoingAnswer(status: .ok, headers: [:], body: Array("success".utf8))
        default: return signed(acknowledges, success, path)
        }
    }

    /// Signed, and unusual.
    private func signed(_ how: Acknowledgement, _ success: [UInt8], _ path: String) -> OutgoingAnswer {
        let body: [UInt8] =
            switch how {
            case .marked: [0xEF, 0xBB, 0xBF] + success
            case .smallLetters: Array(#"{"result":{"resultStatus":"s","resultCode":"success"}}"#.utf8)
            case .more: Array(#"{"result":{"resultStatus":"S","resultCode":"SUCCESS","took":3},"more":[1]}"#.utf8)
            case .lineEnd: success + [0x0A]
            default: success
            }
        var answer = signed(body, path, PlusHarness.client, by: keys.acquirer)
        func rename(_ old: String, _ new: String) {
            if let name = HTTPField.Name(old), let other = HTTPField.Name(new), let value = answer.headers[name] {
                answer.headers[name] = nil
                answer.headers[other] = value
            }
        }
        if how == .requestsTime { rename("response-time", "request-time") }
        if how == .capitals { for name in ["Signature", "Client-Id", "Response-Time"] { rename(name.lowercased(), name) } }
        return answer
    }

    private func verified(_ request: OutgoingRequest, _ path: String, by key: RSAPrivateKey) -> Bool {
        let unverified = try? UnverifiedAlipayPlusMessage(.request, target: path, body: request.body) { name in
            HTTPField.Name(name).flatMap { request.headers[$0] }
        }
        return (try? unverified?.verified(by: AlipayPlusKeyVersions([1: key.publicKey]))) != nil
    }

    private func signed(_ body: [UInt8], _ path: String, _ client: String, by key: RSAPrivateKey) -> OutgoingAnswer {
        var headers: HTTPFields = [:]
        let message = try? SignedAlipayPlusMessage(
            .answer, target: path, clientID: client, time: clock.now().alipayPlusTime, body: body, by: key)
        for field in message?.headers ?? [] {
            if let name = HTTPField.Name(field.name) { headers[name] = field.value }
        }
        return OutgoingAnswer(status: .ok, headers: headers, body: body)
    }
}
