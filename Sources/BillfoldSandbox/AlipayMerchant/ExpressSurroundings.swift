import Alipay
import AlipayApp
import ApplePayApp
import AsyncHTTPClient
import BillfoldTrace
import Foundation
import NIOCore
import NIOHTTP1

/// The parties and the time that a phone with the shop's app meets.
struct ExpressSurroundings: Sendable {
    /// The merchant's own server.
    var merchant: any MerchantConnection
    /// The wallet's origin, as the browser reaches it.
    var wallet: String
    var cashier: any CashierDoor
    var reporter: PartyReporter
    /// The address of an order's messages in the console; nil without one.
    var story: @Sendable (_ order: String) -> String?
    /// Between the app's questions to its server.
    var questionPauses: [Duration] = [.zero, .milliseconds(300), .milliseconds(700), .seconds(1), .seconds(2), .seconds(4)]
}

/// The scheme that the shop's app has registered.
package enum ExpressApp {
    package static let scheme = "billfoldshop"
}

/// What the app's web view does with the cashier beside showing its pages.
protocol CashierDoor: Sendable {
    /// Posts the order; returns the path of the session's first page.
    func open(_ request: CashierRequest) async throws -> String
    /// Tells the cashier that its page was closed, and returns what it says.
    func close(_ path: String) async throws -> PaymentResult
}

/// The cashier at an origin, over HTTP. Give it a client that does not follow redirects.
struct HTTPCashierDoor: CashierDoor {
    let origin: String
    let client: HTTPClient

    func open(_ request: CashierRequest) async throws -> String {
        var question = HTTPClientRequest(url: origin + "/cashier")
        question.method = .POST
        question.headers.add(name: "Content-Type", value: CashierRequest.contentType)
        question.body = .bytes(ByteBuffer(bytes: request.body))
        let response = try await client.execute(question, timeout: .seconds(20))
        let body = try await response.body.collect(upTo: 1_048_576)
        guard response.status.code == 303, let path = response.headers.first(name: "Location"), path.hasPrefix("/cashier/") else {
            let refusal = PartyRefusal(HTTPAnswer(status: Int(response.status.code), body: Data(body.readableBytesView)))
            throw SandboxRefusal(
                code: refusal?.code ?? "cashier-unavailable", reason: refusal?.reason ?? "the cashier answered \(response.status.code)")
        }
        return path
    }

    func close(_ path: String) async throws -> PaymentResult {
        var question = HTTPClientRequest(url: origin + path + "/closing")
        question.method = .POST
        let response = try await client.execute(question, timeout: .seconds(20))
        let body = try await response.body.collect(upTo: PaymentResult.maximumLength * 2)
        guard response.status.code == 200 else {
            throw SandboxError(code: .noAnswer, reason: "the cashier answered \(response.status.code)")
        }
        return try PaymentResult(text: String(decoding: body.readableBytesView, as: UTF8.self))
    }
}

/// The app asks its own server.
struct ExpressOrderQuery: OrderQuery {
    let line: PartyLine

    func state(ofOrder number: String, reply: PaymentResult?) async throws -> OrderState {
        let body = ExpressWire.Reply(resultStatus: reply?.status.rawValue, result: reply?.result, memo: reply?.memo)
        let order: ExpressWire.Order = try await line.ask(
            "/alipay-merchant/v1/orders/\(number)/state", title: "ask for the order", body: body, about: [ExpressTrace.order: number],
            fields: [.init("resultStatus", reply?.status.rawValue ?? "none", meaning: "what the wallet said")])
        return switch order.state {
        case .unpaid: .unpaid
        case .paid, .refunded: .paid
        case .closed: .closed
        }
    }
}

extension PartyLine {
    /// Posts to the merchant's server and reads its answer; its refusals are thrown as they came.
    func ask<Answer: Decodable>(
        _ path: String, title: String, body: some Encodable, about correlation: [String: String], fields: [TraceEntry.Field] = []
    ) async throws -> Answer {
        let answer = try await ask("POST", path, title: title, body: body, correlation: correlation, fields: fields)
        guard answer.status < 300 else {
            let refusal = PartyRefusal(answer)
            throw SandboxRefusal(
                code: refusal?.code ?? "merchant-unavailable", reason: refusal?.reason ?? "the shop answered \(answer.status)",
                status: answer.status)
        }
        return try JSONDecoder().decode(Answer.self, from: answer.body)
    }
}
