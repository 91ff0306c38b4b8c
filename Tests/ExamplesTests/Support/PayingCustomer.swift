import ApplePayApp
import BillfoldDiagnosis
import Foundation
import PassKitSimulator

/// A customer who authorises the sheet that comes up.
@MainActor
struct PayingCustomer {
    private struct Wallet: PaymentTokenSource {
        func token(for payment: AuthorizedPayment) async throws -> IssuedToken {
            IssuedToken(paymentData: Data("token".utf8), transactionIdentifier: "5c3a")
        }
    }

    private let phone = SimulatedDevice(
        .init(
            cards: [WalletCard(id: "visa", issuer: "Example Bank", suffix: "4242", network: .visa, type: .credit)],
            contacts: [SimulatedContact(id: "home", givenName: "Li", familyName: "Wei", emailAddress: "li.wei@example.com")]),
        tokenSource: Wallet())

    /// Runs the app's code on the customer's phone.
    func pays(_ app: @escaping @MainActor () async throws -> String) async throws -> String {
        let phone = phone
        let customer = Task {
            while !Task.isCancelled {
                if let sheet = phone.presentedSheet { return sheet.perform(.authorize) }
                await Task.yield()
            }
        }
        defer { customer.cancel() }
        return try await SimulatedDevice.$current.withValue(phone) { try await app() }
    }
}

/// A shop's server for one order, over HTTP that stays in the process.
enum TeaShopServer {
    static let access = OrderAccess(orderID: "0198c0de", clientSecret: Secret("client-secret"))
    static let server = HTTPMerchantServer { question in HTTPAnswer(status: 200, body: Data(TeaShopServer.answer(to: question.path).utf8)) }

    private static func answer(to path: String) -> String {
        if path.hasSuffix("/quote") { return #"{"items":[{"label":"Song","amount":"8.00"}],"total":"8.00"}"# }
        if path.hasSuffix("/payments") { return #"{"payment":{"id":"p1","state":"succeeded"},"sheet":"success"}"# }
        return """
            {"id":"0198c0de","reference":"R-1","state":"open","goods":"electronic","currency":"CNY","country":"CN",
            "merchantName":"Tea House","merchantIdentifier":"merchant.example.tea","supportedNetworks":["visa"],
            "merchantCapabilities":["threeDSecure"],"applicationData":"b3JkZXI=","requiredShippingContactFields":["emailAddress"],
            "items":[{"label":"Song","amount":"8.00","type":"final"}],"total":"8.00"}
            """
    }
}
