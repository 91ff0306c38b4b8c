package import AlipayPlus
import BillfoldJSON
package import BillfoldMoney

/// Why a wallet cannot pay: one case per rule, in the order in which they are looked at.
package enum WalletObstacle: String, Sendable, Hashable, CaseIterable {
    /// The merchant names another wallet.
    case notNamed = "not-named"
    /// The acquirer's contract does not cover it.
    case contract
    /// `allowedPspRegions` leaves its region out.
    case region
    /// It cannot be paid by in this way.
    case scenario
    /// There is no rate between the merchant's currency and its own.
    case currency
    /// The amount is under its least, or over its most.
    case amount

    /// In words, for a merchant's engineers and for operators. A person who pays reads a `DisableReason`.
    package var reason: String {
        switch self {
        case .notNamed: "The payment names another wallet."
        case .contract: "The acquirer's contract does not cover this wallet."
        case .region: "allowedPspRegions leaves this wallet's region out."
        case .scenario: "This wallet cannot be paid by in this way."
        case .currency: "There is no rate between the payment's currency and this wallet's."
        case .amount: "The amount is outside this wallet's limits."
        }
    }

    /// What the API says of it (alipay-plus.md#result-codes [D]).
    var result: AlipayPlusResult {
        switch self {
        case .notNamed, .region, .scenario: .unavailablePaymentMethod
        case .contract: .invalidContract
        case .currency: .currencyNotSupport
        case .amount: .paymentAmountExceedLimit
        }
    }
}

/// The rules by which a wallet is offered, or missing.
package struct WalletFilter: Sendable {
    package var acquirer: Acquirer
    package var scenario: PaymentScenario?
    package var onlyWallet: String?
    package var allowedRegions: [String]

    package init(acquirer: Acquirer, scenario: PaymentScenario?, onlyWallet: String? = nil, allowedRegions: [String] = []) {
        self.acquirer = acquirer
        self.scenario = scenario
        self.onlyWallet = onlyWallet
        self.allowedRegions = allowedRegions
    }

    init(_ payment: AcquirerPayment, of acquirer: Acquirer) {
        self.init(
            acquirer: acquirer, scenario: payment.scenario, onlyWallet: payment.terms.onlyWallet,
            allowedRegions: payment.terms.allowedRegions)
    }

    /// Everything that keeps the wallet from paying; nothing where it can.
    ///
    /// - Parameter payable: The amount in the wallet's currency; nil where there is no rate, zero where it is not known yet.
    package func obstacles(to wallet: PartnerWallet, payable: Amount?) -> [WalletObstacle] {
        var found: [WalletObstacle] = []
        if let onlyWallet, !ExactText.equal(onlyWallet, wallet.type) { found.append(.notNamed) }
        if !acquirer.covers(wallet.type) { found.append(.contract) }
        if !allowedRegions.isEmpty, !allowedRegions.contains(wallet.region) { found.append(.region) }
        if let scenario, !wallet.scenarios.contains(scenario) { found.append(.scenario) }
        guard let payable else { return found + [.currency] }
        let isTooLittle = wallet.minimum.map { payable.minorUnits < $0 } ?? false
        let isTooMuch = wallet.maximum.map { payable.minorUnits > $0 } ?? false
        if !payable.isZero, isTooLittle || isTooMuch { found.append(.amount) }
        return found
    }
}
