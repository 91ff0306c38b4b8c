import AlipayPlus
import AlipayPlusValues
import BillfoldPayments
import BillfoldStorage

/// Gives out payment codes to wallets, and order codes to payments.
struct PaymentCodeService: Sendable {
    let context: AlipayPlusServerContext
    static let purpose = "alipay-plus-payment-code"

    /// Codes that live one minute and pay once. They are told once and kept as their hashes.
    func issue(_ request: GetPaymentCodeRequest, to wallet: PartnerWallet) async throws -> GetPaymentCodeAnswer {
        guard wallet.scenarios.contains(.paymentCode) else { throw ResultRefusal(.invalidContract, "the wallet shows no codes here") }
        guard wallet.region != "CN" || request.region != nil else { throw ResultRefusal(.paramIllegal, "region is missing") }
        let now = context.clock.now()
        let end = now.advanced(by: context.configuration.codeLifetime)
        var codes: [WirePaymentCode] = []
        while codes.count < request.codeQuantity ?? 1 {
            let number = String(context.identifiers.bits() % 10_000_000_000_000_000)
            let code = try PaymentCode(
                wallet.codeIssuer + PaymentCode.shownType + String(repeating: "0", count: 16 - number.utf8.count) + number)
            let hash = context.hash(code.digits, purpose: Self.purpose)
            let isNew = try await context.database.writeRepeatably { tx in
                try PaymentCodeRecords.insert(hash, wallet: wallet.type, customer: request.customerId, from: now, to: end, in: tx)
            }
            if isNew { codes.append(WirePaymentCode(paymentCode: code.digits, expireTime: end.alipayPlusTime)) }
        }
        return GetPaymentCodeAnswer(result: .success, paymentCodes: codes)
    }

    /// The code that names a payment to every wallet.
    func orderCode(_ payment: AcquirerPayment) throws -> OrderCode {
        let configuration = context.configuration
        return try OrderCode(
            host: configuration.codeHost, given: configuration.codeGiven, chosen: configuration.codeChosen, payload: payment.reference)
    }

    /// The payment that a scanned text names: an order code, or a link that wraps one.
    func reference(in scanned: String) throws -> String {
        let code: OrderCode
        do throws(AlipayPlusError) { code = try OrderCode(scanned) } catch { throw ResultRefusal(.invalidCode, error.reason) }
        guard code.host == context.configuration.codeHost, code.given == context.configuration.codeGiven, code.payload.utf8.count == 32
        else {
            throw ResultRefusal(.invalidCode, "the code is none of ours")
        }
        return code.payload
    }

    /// Which scanned texts are ours, for wallets that ask (alipay-plus.md#wallet-side [D]).
    func rules() -> InquiryCodeRulesAnswer {
        let host = context.configuration.codeHost.replacing(".", with: "\\.")
        return InquiryCodeRulesAnswer(
            result: .success,
            codeRules: [
                WireCodeRule(
                    codeType: .orderCode, expression: "^https://\(host)/281\(context.configuration.codeGiven)04[0-9]{4}[0-9a-f]{32}$")
            ])
    }
}
