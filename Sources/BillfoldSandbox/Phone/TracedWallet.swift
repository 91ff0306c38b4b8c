import BillfoldTrace
import Foundation
package import PassKitSimulator

/// Reports what the phone and the wallet say to each other. The PIN and the token's content stay out of it.
package struct TracedWallet: PaymentTokenSource {
    private let wallet: any PaymentTokenSource
    private let reporter: PartyReporter
    private let correlation: @Sendable () -> [String: String]

    init(_ wallet: any PaymentTokenSource, reporter: PartyReporter, correlation: @escaping @Sendable () -> [String: String]) {
        self.wallet = wallet
        self.reporter = reporter
        self.correlation = correlation
    }

    package func token(for payment: AuthorizedPayment) async throws -> IssuedToken {
        var ids = correlation()
        reporter.report(
            .request, from: .phone, to: .wallet, "authorize", correlation: ids,
            fields: [
                .init("card", payment.card.displayName, meaning: "the card the customer chose"),
                .init("merchantIdentifier", payment.merchantIdentifier, meaning: "whose key the token is sealed for"),
                .init("amount", "\(payment.amount) \(payment.currencyCode)", meaning: "what the customer saw and authorised"),
                .init(
                    "applicationData", payment.applicationData.map { "‹\($0.count) bytes›" } ?? "none",
                    meaning: "the token carries their SHA-256, which binds it to the order"),
                .init("pin", payment.pin == nil ? "not asked" : "entered", meaning: "sealed for the issuer; the merchant cannot read it"),
            ])
        do {
            let token = try await wallet.token(for: payment)
            ids[Correlation.transaction] = token.transactionIdentifier.lowercased()
            reporter.report(
                .response, from: .wallet, to: .phone, "token", correlation: ids,
                fields: [
                    .init("transactionIdentifier", token.transactionIdentifier.lowercased()),
                    .init("paymentData", "‹\(token.paymentData.count) bytes›", meaning: "signed, and sealed for the merchant"),
                ])
            return token
        } catch {
            reporter.report(.response, from: .wallet, to: .phone, "token", correlation: ids, problem: "no token was made")
            throw error
        }
    }
}
