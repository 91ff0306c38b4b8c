import AlipayPlus
import AlipayPlusValues
import BillfoldJSON
import BillfoldSandbox
import BillfoldStorage
import Foundation
import NIOHTTP1
import PaymentCrypto

/// A payment that an acquirer of one's own asks for, signed with its key, and that a played customer makes: its program hears of it at its
/// own address, and in its own time.
struct OwnSheetPayment {
    private let place: TriggerPlace
    private let party: OwnParties.Entry
    private let key: RSAPrivateKey

    /// Finds whose space the key is, and what that acquirer signs with. Refuses with `unauthorized` a key of no space, and with
    /// `key-unusable` an acquirer whose private key is not here.
    init(_ place: TriggerPlace) async throws {
        self.place = place
        let hash = PartyCredentials.hash(place.apiKey)
        let space = try await FolderSpaces(place.folder).read().first { $0.keys.contains(hash) }
        let role = SandboxRegister.Role.acquirer.rawValue
        guard let space, let party = try OwnParties(place.folder).find(role, ofSpace: space.name)
        else {
            throw CommandFailure(
                .refused, code: "unauthorized",
                reason: "the key is that of no acquirer's space, or was ended: 'billfold sandbox register acquirer --space' gives a space "
                    + "and its key, and billfold sandbox parties lists who has one")
        }
        self.party = party
        guard let file = party.variables["ALIPAY_PLUS_PRIVATE_KEY_FILE"] else {
            throw CommandFailure(
                .refused, code: "key-unusable",
                reason: "only the public half of \(party.name)'s key is known here, so its own program has to ask for the payment")
        }
        let text = try CommandFile.text(file)
        do throws(PaymentCryptoError) { key = try RSAPrivateKey(pem: text) } catch {
            throw CommandFailure(.refused, code: "key-unusable", reason: "\(file): \(error.reason)")
        }
    }

    /// Has a payment made at a cashier, in the customer's wallet.
    func pay(by guest: PlusTourSteps.Guest, with steps: PlusTourSteps) async throws -> Trigger.Outcome {
        let request = try request(
            by: WirePaymentMethod(paymentMethodType: PaymentMethodType(rawValue: guest.wallet)),
            factor: WirePaymentFactor(isCashierPayment: true), env: WireEnv(terminalType: .wap, osType: .ios))
        let answer = try await call(request)
        guard let page = answer["normalUrl"]?.string else { throw refused(answer) }
        _ = try await steps.confirm(guest, from: page)
        return try await outcome(of: request, in: guest.wallet)
    }

    /// Has a payment made at a till, by the code that the customer shows.
    func payByShownCode(of guest: PlusTourSteps.Guest, with steps: PlusTourSteps) async throws -> Trigger.Outcome {
        let code = try await steps.shownCode(of: guest)
        let request = try request(
            by: WirePaymentMethod(paymentMethodType: .connectWallet, paymentMethodId: code),
            factor: WirePaymentFactor(isInStorePayment: true, inStorePaymentScenario: .paymentCode), env: WireEnv(storeTerminalId: "TILL-1")
        )
        let answer = try await call(request)
        guard answer["result"]?.object?["resultStatus"]?.string != "F" else { throw refused(answer) }
        return try await outcome(of: request, in: guest.wallet)
    }

    private func request(by method: WirePaymentMethod, factor: WirePaymentFactor, env: WireEnv) throws -> PayRequest {
        let (name, currency) = ("trigger-" + SystemRandomness.name().prefix(24), try variable("ALIPAY_PLUS_SETTLEMENT_CURRENCY"))
        let amount = WireAmount(currency: currency, value: "1999")
        let store = WireStore(referenceStoreId: "STORE-1", storeName: party.name, storeMCC: "5499", storeTerminalId: "TILL-1")
        let merchant = WireMerchant(
            referenceMerchantId: try variable("ALIPAY_PLUS_MERCHANT_ID"), merchantMCC: "5499", merchantName: party.name,
            store: factor.isInStorePayment == true ? store : nil)
        let notifyURL = try variable("ALIPAY_PLUS_NOTIFY_URL")
        return PayRequest(
            paymentRequestId: name, paymentAmount: amount,
            order: WireOrder(
                referenceOrderId: "order-" + name, orderDescription: "Asked for by trigger", orderAmount: amount, merchant: merchant,
                buyer: WireBuyer(referenceBuyerId: "guest"), env: env),
            paymentMethod: method, paymentFactor: factor, paymentNotifyUrl: notifyURL,
            paymentRedirectUrl: factor.isCashierPayment == true ? notifyURL : nil)
    }

    private func variable(_ name: String) throws -> String {
        guard let value = party.variables[name] else {
            throw CommandFailure(.refused, code: "key-unusable", reason: "\(party.folder) was written by another version: register again")
        }
        return value
    }

    private func call<Request: AlipayPlusRequest>(_ request: Request) async throws -> JSONObject {
        let signed = try SignedAlipayPlusMessage(
            .request, target: Request.path, clientID: try variable("ALIPAY_PLUS_CLIENT_ID"), time: AlipayPlusTime(Date()),
            body: request.body,
            by: key)
        return try await LocalClient.send(
            .POST, try variable("ALIPAY_PLUS_GATEWAY") + Request.path, headers: HTTPHeaders(signed.headers.map { ($0.name, $0.value) }),
            body: signed.body
        ).object()
    }

    private func refused(_ answer: JSONObject) -> CommandFailure {
        let result = answer["result"]?.object
        let words = [result?["resultCode"]?.string, result?["resultMessage"]?.string].compactMap(\.self).joined(separator: ": ")
        return CommandFailure(.refused, code: "not-begun", reason: "the gateway begins no payment: \(words)")
    }

    private func outcome(of request: PayRequest, in wallet: String) async throws -> Trigger.Outcome {
        let name = request.paymentRequestId
        let inquiry = InquiryPaymentRequest(paymentRequestId: name)
        let told = try await place.until("the payment's result") {
            let answer = try await call(inquiry)
            let status = answer["paymentResult"]?.object?["resultStatus"]?.string
            return status == "S" || status == "F" ? answer : nil
        }
        let status = told["paymentResult"]?.object?["resultStatus"]?.string ?? "U"
        guard status == "S" else { throw refused(JSONObject([.init("result", told["paymentResult"] ?? .null)])) }
        let (amount, currency) = (request.paymentAmount.value, request.paymentAmount.currency)
        return .init(
            text: "payment \(name) of \(party.name), \(amount) of \(currency)'s smallest unit, is paid by \(wallet); the gateway notifies "
                + (request.paymentNotifyUrl ?? "nobody"),
            facts: [
                ("paymentRequestId", name), ("paymentId", told["paymentId"]?.string ?? ""), ("wallet", wallet), ("state", "paid"),
                ("notifyUrl", request.paymentNotifyUrl ?? ""),
            ])
    }
}
