import ApplePayApp
import BillfoldMoney
import BillfoldTrace

/// Reports what the phone and the merchant's server say to each other.
struct TracedMerchant: MerchantServer {
    let server: any MerchantServer
    let reporter: PartyReporter
    let reference: String

    func order(_ access: OrderAccess) async throws(ApplePayAppError) -> CheckoutOrder {
        try await exchange("read order", access: access, ids: [:], asked: []) { () throws(ApplePayAppError) in
            let order = try await server.order(access)
            let states = order.payments.map { "\($0.id): \($0.state)" }.joined(separator: ", ")
            return (
                order,
                [
                    .init("state", order.state), .init("total", "\(order.total)", meaning: "computed by the server"),
                    .init("payments", states.isEmpty ? "none" : states),
                ]
            )
        }
    }

    func quote(_ request: QuoteRequest, for order: CheckoutOrder, access: OrderAccess) async throws(ApplePayAppError) -> CheckoutQuote {
        let place = [request.shippingContact?.locality, request.shippingContact?.countryCode].compactMap(\.self).joined(separator: ", ")
        let asked: [TraceEntry.Field] = [
            .init("shippingContact", place.isEmpty ? "none" : place, meaning: "redacted until the customer authorises"),
            .init("shippingMethod", request.shippingMethod ?? "none"), .init("couponCode", request.couponCode ?? "none"),
            .init("paymentMethod", request.paymentMethod.map { "\($0.network ?? "?") \($0.type)" } ?? "none"),
        ]
        return try await exchange("quote", access: access, ids: [:], asked: asked) { () throws(ApplePayAppError) in
            let quote = try await server.quote(request, for: order, access: access)
            let items = quote.items.map { TraceEntry.Field($0.label, $0.amount.text) }
            let errors = quote.errors.map { TraceEntry.Field("error", "\($0.code) \($0.field ?? "")") }
            return (quote, items + [.init("total", "\(quote.total)", meaning: "the exact sum of the lines")] + errors)
        }
    }

    func pay(_ submission: PaymentSubmission, key: IdempotencyKey, access: OrderAccess) async throws(ApplePayAppError) -> PaymentAnswer {
        let asked: [TraceEntry.Field] = [
            .init("paymentData", "‹\(submission.token.paymentData.utf8.count) base64 letters›", meaning: "the token, byte for byte"),
            .init("paymentMethod", submission.token.paymentMethod.displayName ?? "", meaning: "not signed: for display only"),
            .init("Idempotency-Key", key.rawValue, meaning: "the same for every repetition"),
            .init("shippingMethod", submission.shippingMethod ?? "none"), .init("couponCode", submission.couponCode ?? "none"),
        ]
        let ids = [Correlation.transaction: submission.token.transactionIdentifier.lowercased()]
        return try await exchange("pay", access: access, ids: ids, asked: asked) { () throws(ApplePayAppError) in
            let answer = try await server.pay(submission, key: key, access: access)
            return (
                answer,
                [
                    .init("payment", answer.payment.id), .init("state", answer.payment.state),
                    .init("sheet", answer.sheet.rawValue, meaning: "what the customer is shown"),
                ] + (answer.payment.reason.map { [.init("reason", $0)] } ?? [])
            )
        }
    }

    private func exchange<Answer>(
        _ title: String, access: OrderAccess, ids: [String: String], asked: [TraceEntry.Field],
        _ ask: () async throws(ApplePayAppError) -> (Answer, [TraceEntry.Field])
    ) async throws(ApplePayAppError) -> Answer {
        let correlation = ids.merging([Correlation.order: access.orderID, Correlation.reference: reference]) { first, _ in first }
        let exchange = reporter.report(.request, from: .phone, to: .merchant, title, correlation: correlation, fields: asked)
        do throws(ApplePayAppError) {
            // `withValue` loses the error's type on the way.
            let result = await Exchange.$reported.withValue(exchange) {
                () async -> Result<(Answer, [TraceEntry.Field]), ApplePayAppError> in
                do throws(ApplePayAppError) { return .success(try await ask()) } catch { return .failure(error) }
            }
            let (answer, told) = try result.get()
            reporter.report(.response, from: .merchant, to: .phone, title, correlation: correlation, fields: told)
            return answer
        } catch {
            let code = error.serverCode ?? error.code.description
            let isRefusal = error.code == .serverRefused
            reporter.report(
                .response, from: .merchant, to: .phone, title, correlation: correlation,
                problem: isRefusal ? "refused: \(code)" : "no usable answer: \(code)")
            throw error
        }
    }
}
