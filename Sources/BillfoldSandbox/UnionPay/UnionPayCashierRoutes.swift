import BillfoldMoney
import BillfoldStorage
import BillfoldTrace
import BillfoldWeb
import Foundation
import HTTPTypes
import Hummingbird
import UnionPay

/// UnionPay's client on the phone, drawn as a page: `GET /unionpay/pay/{tn}?scheme=&mode=`, and `POST …/{tn}/{act}` with the scheme.
///
/// An act leads back to the app: `<scheme>://uppayresult?code=…&data=…` (unionpay-tn.md#result). A success carries the signed text; a
/// failure and a cancellation carry none. A browser follows no app's scheme: the scheme of a shop that is a page leads to that page.
struct UnionPayCashierRoutes: Sendable {
    let service: UnionPayGatewayService
    let tracer: UnionPayGatewayTracer
    /// Where the results of apps that are pages go, by their schemes.
    let pages: [String: String]

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("{tn}") { request, context in try await page(request, context) }
        for act in UnionPayGatewayService.CustomerAct.allCases {
            router.post("{tn}/\(act.rawValue)") { request, context in try await take(act, by: request, context) }
        }
    }

    private struct Page: Sendable {
        let number: String
        let scheme: String
        let amount: Amount
        let text: String?
        let isPaid: Bool
        /// Whether the time to pay ended without a payment.
        let isOver: Bool
        /// Whether it can be paid now.
        let isOpen: Bool
    }

    /// What keeps the client from opening, for whoever started it.
    private struct Problem: Sendable {
        let reason: String

        static let noOrder = Self(
            reason: "No order here has this number. A number is good at the gateway that gave it out, and nowhere else.")
        static let noScheme = Self(
            reason: "The parameter scheme is missing, or is none that an app has of its own. It is the app's URL scheme, without ://.")
        static let noForm = Self(reason: "What came is no form of this page, or one that is too large.")
        static let noMode = Self(reason: "The parameter mode is missing, or is neither 00 nor 01. For the sandbox's numbers it is 01.")
        static let live = Self(reason: "Mode 00 is for live numbers, and the sandbox has test numbers only: start the client with mode 01.")
    }

    private func page(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let query = request.uri.queryParameters
        guard let scheme = Self.scheme(query["scheme"].map(String.init)) else { return try refused(.noScheme) }
        guard let mode = query["mode"], ["00", "01"].contains(mode) else { return try refused(.noMode) }
        guard mode == "01" else { return try refused(.live) }
        guard let order = try await order(context) else { return try refused(.noOrder, status: .notFound) }
        let isOver = !order.isPaid && order.isOver(at: service.clock.now())
        let page = Page(
            number: order.number.description, scheme: scheme,
            amount: try Amount(unionPay: String(order.amount), currencyCode: order.currency), text: order.text,
            isPaid: order.isPaid, isOver: isOver, isOpen: !order.isPaid && !isOver)
        tracer.client(
            "client page", about: order, asked: [.init("scheme", scheme, meaning: "the app that gets the result")],
            shown: [.init("amount", "\(page.amount)"), .init("state", page.isPaid ? "paid" : page.isOver ? "over" : "open")])
        return SandboxBody.page(try PageSet.sandbox.render("unionpay/pay", page), contentSecurityPolicy: Self.policy)
    }

    private static let policy = "default-src 'none'; style-src 'self'; img-src 'self'"

    private func refused(_ problem: Problem, status: HTTPResponse.Status = .badRequest) throws -> Response {
        SandboxBody.page(
            try PageSet.sandbox.render("unionpay/problem", problem), status: status, contentSecurityPolicy: Self.policy)
    }

    private func take(
        _ act: UnionPayGatewayService.CustomerAct, by request: Request, _ context: some RequestContext
    ) async throws -> Response {
        let form: UnionPayFields
        do { form = try await FormBody.decode(Array(request.body.collect(upTo: 4_096).readableBytesView)) } catch {
            return try refused(.noForm)
        }
        guard let scheme = Self.scheme(form["scheme"]) else { return try refused(.noScheme) }
        guard let order = try await order(context) else { return try refused(.noOrder, status: .notFound) }
        let word = try await service.act(act, on: order.number)
        var data = ""
        if word == .success {
            let signed = try service.authority.resultSigner.signed(word, of: order.number)
            data = try UnionPayGatewayRecords.json(["sign": signed.sign, "data": signed.data])
        }
        tracer.client(
            "pay in client", about: order, asked: [.init("act", act.rawValue, meaning: "what the customer did")],
            shown: [
                .init("code", word.rawValue, meaning: "comes back to the app and proves nothing"),
                .init("data", data.isEmpty ? "none" : "‹\(data.utf8.count) bytes›", meaning: "signed; names no amount"),
            ])
        return .seeOther("\(pages[scheme] ?? "\(scheme)://uppayresult")?code=\(word.rawValue)&data=\(Self.encoded(data))")
    }

    private func order(_ context: some RequestContext) async throws -> UnionPayPushedOrder? {
        guard let number = try? TransactionNumber(context.parameters.require("tn")) else { return nil }
        return try await service.pushedOrder(number)
    }

    /// An app's own scheme. Those that a browser follows or runs by itself are none.
    private static func scheme(_ text: String?) -> String? {
        guard let text, let first = text.utf8.first, text.utf8.count <= 64, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20,
            text.utf8.allSatisfy({ byte in
                byte < 0x80 && (UnicodeScalar(byte).properties.isAlphabetic || (48...57).contains(byte) || [43, 45, 46].contains(byte))
            }), !["http", "https", "javascript", "data", "file", "blob", "about", "vbscript", "ws", "wss"].contains(text.lowercased())
        else { return nil }
        return text
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                byte < 0x80 && (UnicodeScalar(byte).properties.isAlphabetic || (48...57).contains(byte) || [45, 46, 95].contains(byte))
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
