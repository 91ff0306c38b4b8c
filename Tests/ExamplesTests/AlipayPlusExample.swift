import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import Foundation
import PaymentCrypto
import Testing

struct AlipayPlusExample {
    // Example
    /// The acquirer asks for a payment, for which a person chooses the wallet in a merchant's app. Post its body under its headers.
    func message(for price: Amount, requestID: String, key: any MessageSigner, at now: Date) throws -> SignedAlipayPlusMessage {
        let request = PayRequest(
            paymentRequestId: requestID, paymentAmount: WireAmount(price),
            order: WireOrder(
                referenceOrderId: "A1", orderDescription: "Tea", orderAmount: WireAmount(price),
                env: WireEnv(terminalType: .app, osType: .ios)),
            paymentMethod: WirePaymentMethod(paymentMethodType: .connectWallet),
            paymentFactor: WirePaymentFactor(isCashierPayment: true), paymentRedirectUrl: "teashop://paid")
        return try SignedAlipayPlusMessage(
            .request, target: PayRequest.path, clientID: "SANDBOX_1", time: AlipayPlusTime(now), body: request.body, by: key)
    }

    /// Alipay+ tells the acquirer's own address how the payment ended. `header` finds a header by its name in lower case.
    func outcome(
        of asked: AskedPayment, told body: [UInt8], at target: String, header: (String) -> String?, keys: AlipayPlusKeyVersions
    ) throws -> AlipayPlusOutcome {
        let message = try UnverifiedAlipayPlusMessage(.request, target: target, body: body, header: header).verified(by: keys)
        return try message.read(NotifyPaymentRequest.self).outcome(of: asked)
    }
    // End

    @Test func example() throws {
        let (acquirer, gateway) = try ExampleRSAKeys.pair.get()
        let now = Date(timeIntervalSince1970: 1_795_204_800)
        let price = try Amount("25.00", currency: .hkd)
        let signed = try message(for: price, requestID: "pr-1", key: acquirer, at: now)
        let received = try verified(signed, at: PayRequest.path, by: acquirer)
        let request = try received.read(PayRequest.self)
        #expect(request.violations.isEmpty && request.paymentFactor?.scenario == .cashier)
        #expect(try request.paymentAmount.amount() == price)

        let notification = NotifyPaymentRequest(
            paymentResult: .success, acquirerId: "A1112TEST0000000", paymentRequestId: "pr-1", paymentId: "2026",
            paymentAmount: WireAmount(price))
        let told = try SignedAlipayPlusMessage(
            .request, target: "/alipay-plus/notify", clientID: "SANDBOX_1", time: AlipayPlusTime(now), body: notification.body, by: gateway)
        let headers = Dictionary(uniqueKeysWithValues: told.headers.map { ($0.name, $0.value) })
        let keys = try AlipayPlusKeyVersions([1: gateway.publicKey])
        let asked = AskedPayment(requestID: "pr-1", amount: WireAmount(price))
        let end = try outcome(of: asked, told: told.body, at: "/alipay-plus/notify", header: { headers[$0] }, keys: keys)
        #expect(end == .done)
        #expect(throws: AlipayPlusError(code: .signatureMismatch, reason: "")) {
            try outcome(of: asked, told: told.body, at: "/another", header: { headers[$0] }, keys: keys)
        }
    }

    /// What the other side makes of a message.
    private func verified(
        _ signed: SignedAlipayPlusMessage, at target: String, by key: RSAPrivateKey
    ) throws -> VerifiedAlipayPlusMessage {
        let headers = Dictionary(uniqueKeysWithValues: signed.headers.map { ($0.name, $0.value) })
        return try UnverifiedAlipayPlusMessage(.request, target: target, body: signed.body) { headers[$0] }
            .verified(by: AlipayPlusKeyVersions([1: key.publicKey]))
    }
}
