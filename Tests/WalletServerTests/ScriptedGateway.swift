import BillfoldServer
import BillfoldStorage
import Foundation
import HTTPTypes
import Synchronization

/// The gateway by script, at the HTTP boundary: it keeps orders, trades and payments, and loses what it is told to lose.
final class ScriptedGateway: HTTPSender {
    static let credential = "wk_test_0123456789abcdef0123456789"
    static let callerKey = "gk_test_0123456789abcdef0123456789"

    /// What happens to a payment on its way.
    enum Fault: Sendable {
        /// The gateway takes it and its answer is lost.
        case answerLost
        /// It never arrives, and the sender cannot know.
        case requestLost
        /// It certainly did not leave.
        case notSent
        case serverError
        case refuse(String)
    }

    struct Books: Sendable {
        var payments: [String: (trade: String, body: String, at: Int64)] = [:]
        var refused: [String: String] = [:]
        /// Requests by path, in order.
        var calls: [String] = []
        var bodies: [String] = []
        var trades: [String: String] = [:]
        var faults: [Fault] = []
        /// The gateway cannot be reached at all.
        var isSilent = false
        var orderState = "new"
        var refusedOrder: (code: String, text: String)?
        var refusedTrade: String?
        var price = (value: "10.00", currency: "HKD")
        var payable = "9.12"
        var returnURL: String?
        var hangs: (@Sendable () async -> Void)?
    }

    private let books = Mutex(Books())
    let clock: HandClock

    init(clock: HandClock) { self.clock = clock }

    func change(_ body: (inout Books) -> Void) { books.withLock { body(&$0) } }
    func look<Value>(_ body: (Books) -> Value) -> Value { books.withLock { body($0) } }
    var paymentCount: Int { look { $0.payments.count } }
    func calls(_ path: String) -> Int { look { $0.calls.filter { $0 == path }.count } }

    func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        guard request.headers[.authorization] == "Bearer \(Self.credential)", let url = URLComponents(string: request.url) else {
            return Self.json(.unauthorized, ["error": ["code": "unauthorized", "reason": "who is it"]])
        }
        if let hangs = look({ $0.hangs }) { await hangs() }
        if look({ $0.isSilent }) { throw SendFailure(code: .notConnected, reason: "silent", mayHaveArrived: false) }
        let path = String(url.path.dropFirst("/link/v1/".count))
        let name = path.split(separator: "/").first.map(String.init) ?? ""
        let text = String(decoding: request.body, as: UTF8.self)
        change {
            $0.calls.append("\(request.method.rawValue) \(name)")
            $0.bodies.append(text)
        }
        let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
        switch (request.method, name) {
        case (.post, "orders"): return order()
        case (.post, "trades"): return trade(body)
        case (.post, "payments"): return try pay(body, text)
        case (.get, "payments"): return payment(path.split(separator: "/").last.map(String.init) ?? "")
        case (.get, "results"): return result()
        default: return Self.json(.notFound, ["error": ["code": "not-found", "reason": ""]])
        }
    }

    private func order() -> OutgoingAnswer {
        books.withLock { books in
            if let refused = books.refusedOrder {
                return Self.json(
                    .badRequest,
                    [
                        "error": [
                            "code": refused.code, "reason": "signature <b>", "verifiedText": refused.text, "parameter": "sign<i>",
                            "order": "T/1",
                        ]
                    ])
            }
            var answer: [String: Any] = [
                "ref": "ref-1", "generation": "legacy", "merchant": ["name": "Two Leaves Tea", "id": "2088101122136241"],
                "subject": "Oolong & <b>cup</b>", "price": ["value": books.price.value, "currency": books.price.currency],
                "payable": ["value": books.payable, "currency": "CNY"], "rate": "0.912", "state": books.orderState,
            ]
            answer["returnURL"] = books.returnURL
            if books.orderState == "paid" {
                answer["over"] = ["code": "ALI38869", "reason": "paid <b>", "parameter": "out_trade_no", "order": "T/1"]
            }
            return Self.json(.ok, answer)
        }
    }

    private func trade(_ body: [String: Any]) -> OutgoingAnswer {
        books.withLock { books in
            let buyer = (body["buyer"] as? [String: Any])?["id"] as? String ?? ""
            if let refused = books.refusedTrade { return Self.json(.conflict, ["error": ["code": refused, "reason": "over"]]) }
            if let other = books.trades["ref-1"], other != buyer {
                return Self.json(.conflict, ["error": ["code": "ALIN10023", "reason": "second payer"]])
            }
            books.trades["ref-1"] = buyer
            return Self.json(
                .ok,
                [
                    "tradeNo": "2026112122001400000000000001", "state": "WAIT_BUYER_PAY", "expiresAt": 1_900_000_000_000,
                    "payable": ["value": books.payable, "currency": "CNY"],
                ])
        }
    }

    private func pay(_ body: [String: Any], _ text: String) throws(SendFailure) -> OutgoingAnswer {
        let id = body["requestId"] as? String ?? ""
        let now = clock.now().microseconds / 1_000
        let (fault, known): (Fault?, OutgoingAnswer?) = books.withLock { books in
            let fault = books.faults.isEmpty ? nil : books.faults.removeFirst()
            switch fault {
            case .requestLost, .notSent, .serverError: return (fault, nil)
            case .refuse(let code):
                books.refused[id] = code
                return (nil, Self.json(.conflict, ["error": ["code": code, "reason": "no"]]))
            case .answerLost, nil: break
            }
            if let payment = books.payments[id], payment.body != text {
                return (nil, Self.json(.conflict, ["error": ["code": "request-id-reused", "reason": ""]]))
            }
            if books.payments[id] == nil { books.payments[id] = (body["tradeNo"] as? String ?? "", text, now) }
            return (fault, nil)
        }
        switch fault {
        case .requestLost, .answerLost: throw SendFailure(code: .timedOut, reason: "lost", mayHaveArrived: true)
        case .notSent: throw SendFailure(code: .notConnected, reason: "not sent", mayHaveArrived: false)
        case .serverError: return OutgoingAnswer(status: .internalServerError, headers: [:], body: Array("oops".utf8))
        case .refuse, nil: return known ?? payment(id)
        }
    }

    private func payment(_ id: String) -> OutgoingAnswer {
        books.withLock { books in
            if let code = books.refused[id] { return Self.json(.conflict, ["error": ["code": code, "reason": "no"]]) }
            guard let payment = books.payments[id] else {
                return Self.json(.notFound, ["error": ["code": "payment-unknown", "reason": "never had it"]])
            }
            return Self.json(
                .ok,
                [
                    "tradeNo": payment.trade, "state": "TRADE_SUCCESS", "paidAt": payment.at,
                    "result": [
                        "resultStatus": "9000", "memo": "", "result": #"out_trade_no="1"&success="true"&sign_type="RSA"&sign="a+b=""#,
                    ],
                ])
        }
    }

    private func result() -> OutgoingAnswer {
        let status = look { $0.orderState == "paid" ? "9000" : "4000" }
        return Self.json(.ok, ["resultStatus": status, "memo": "", "result": status == "9000" ? "signed" : ""])
    }

    private static func json(_ status: HTTPResponse.Status, _ value: [String: Any]) -> OutgoingAnswer {
        let data = (try? JSONSerialization.data(withJSONObject: value)) ?? Data()
        return OutgoingAnswer(status: status, headers: [.contentType: "application/json"], body: Array(data))
    }
}
