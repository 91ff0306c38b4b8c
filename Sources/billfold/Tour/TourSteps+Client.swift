import AsyncHTTPClient
import BillfoldSandbox
import Foundation
import NIOCore
import NIOHTTP1
import PassKitSimulator
import Synchronization
import UnionPayApp

/// A purchase by UnionPay's own client (unionpay-tn.md#flow): the tour is the shop's app, with the plug-in by its published names.
extension TourSteps {
    static let clientPurchase = Purchase(
        name: "UnionPay’s own client", tokenVersion: "", script: ShopperScript(lines: [CartLine(product: "field-guide", quantity: 1)]),
        items: ["A field guide to tea 36.00", "Tax 3.24"], total: "39.24")

    private struct Checkout: Encodable {
        var lines: [CartLine]
        var reference: String
    }

    private struct CheckedOut: Decodable {
        var order: String
        var clientSecret: String
    }

    private struct Nothing: Encodable {}

    private struct NumberAnswer: Decodable {
        struct Payment: Decodable { var id: String }
        var payment: Payment
        var tn: String?
        var mode: String?
    }

    private struct Word: Encodable {
        var code: String
        var data: [String: String]
    }

    private struct OrderHead: Decodable { var id: String }

    func payByClient() async throws -> MerchantPayment {
        let purchase = Self.clientPurchase
        let reference = SystemRandomness.name()
        let made = try await TourClient.post(
            "\(addresses.shop)/shop/orders", Checkout(lines: purchase.script.lines, reference: reference)
        ).read(CheckedOut.self)
        let order = "\(addresses.merchant)/v1/orders/\(made.order)"
        let number = try await TourClient.post(
            "\(order)/transaction-numbers", key: made.clientSecret, idempotencyKey: "tour-number-\(reference)", Nothing()
        ).read(NumberAnswer.self)
        try Self.require(number.mode, is: "01", "the number's mode")
        let word = try await word(of: number.tn, total: purchase.total)
        let head = try await TourClient.post("\(order)/app-results", key: made.clientSecret, word).read(OrderHead.self)
        try Self.require(head.id, is: made.order, "the order that the result is of")
        let payment = try await until("payment-unsettled", reason: "the payment did not settle") {
            let payment = try await self.payment(number.payment.id)
            return payment.state == "succeeded" ? payment : nil
        }
        try Self.require(payment.id, is: number.payment.id, "the payment's id")
        try Self.require(payment.order, is: made.order, "the payment's order")
        try Self.require(payment.amount, is: purchase.total, "what was paid")
        try Self.require(payment.currency, is: "CNY", "the currency that was paid")
        try await compareOrder(payment.order, with: purchase, reference: reference)
        return payment
    }

    /// Hands the number to the plug-in, whose customer pays on the page, and returns what the app is opened with.
    private func word(of number: String?, total: String) async throws -> Word {
        let scheme = "teashop"
        let opened = Mutex<URL?>(nil)
        let trouble = Mutex<(any Error)?>(nil)
        let control = UPPaymentControl()
        control.launcher = ScriptedPageLauncher { question in
            do { return try await visit(question, total: total) } catch {
                trouble.withLock { $0 = error }
                throw error
            }
        } opener: { url in
            opened.withLock { $0 = url }
        }
        let isShown = await MainActor.run {
            control.startPay(number, fromScheme: scheme, mode: "01", viewController: UIViewController())
        }
        guard isShown else { throw CommandFailure(.refused, code: "not-shown", reason: "the plug-in shows nothing") }
        let url = try await until("result-lost", reason: "the client's page led back to no app", within: .seconds(20)) {
            if let error = trouble.withLock({ $0 }) { throw error }
            return opened.withLock { $0 }
        }
        var word: Word?
        control.handlePaymentResult(url) { code, data in
            word = Word(code: code ?? "", data: data as? [String: String] ?? [:])
        }
        guard let word, word.code == "success", word.data.count == 2, control.faults.isEmpty else {
            let faults = control.faults.map(\.code.description).joined(separator: ", ")
            throw CommandFailure(.refused, code: "result-differs", reason: "the client's result is \(word?.code ?? "none") \(faults)")
        }
        return word
    }

    /// What leads back to the app is not followed.
    private static let browser = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))

    private func visit(_ question: PluginQuestion, total: String) async throws -> PluginAnswer {
        var request = HTTPClientRequest(url: "\(addresses.unionPay)/unionpay/pay\(question.path)")
        request.method = HTTPMethod(rawValue: question.method)
        if let type = question.contentType { request.headers.add(name: "Content-Type", value: type) }
        if let body = question.body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await Self.browser.execute(request, timeout: .seconds(60))
        let body = try await Data(response.body.collect(upTo: 1_048_576).readableBytesView)
        let (status, place) = (Int(response.status.code), response.headers.first(name: "Location"))
        if question.method == "GET" {
            try Self.require(status, is: 200, "the status of the client's page")
            guard String(decoding: body, as: UTF8.self).contains("<strong>\(total) ") else {
                throw CommandFailure(.refused, code: "value-differs", reason: "the client's page does not say \(total)")
            }
        }
        return PluginAnswer(status: status, location: place, body: body)
    }
}
