package import BillfoldWeb

/// Where a person of a merchant looks at a batch of refunds that the merchant signed, and confirms it with a password.
package struct RefundBatchPage: Sendable {
    /// Where its form goes.
    package static let path = "/refund-batches"
    /// Where its style sheets lie.
    package static let assetsPath = "/refund-batches/assets"

    package struct Item: Sendable, Hashable {
        let tradeNo: String
        let amount: String
        let reason: String
        let word: String
        let mark: String

        /// - Parameter outcome: `SUCCESS` or an error, once it is decided.
        package init(tradeNo: String, amount: String, reason: String, outcome: String?) {
            self.tradeNo = tradeNo
            self.amount = amount
            self.reason = reason
            let state = StateWord(outcome == "SUCCESS" ? "done" : outcome ?? "under way")
            word = state.word
            mark = outcome == nil || outcome == "SUCCESS" ? state.mark : "mark-bad"
        }
    }

    let title: String
    let assets = Self.assetsPath
    let action = Self.path
    let merchant: String
    let partner: String
    let number: String
    let total: String
    let items: [Item]
    let count: String
    let call: String?
    let isPasswordWrong: Bool
    let isTest: Bool

    /// - Parameters:
    ///   - partner: 16 digits beginning 2088.
    ///   - call: The signed call as a query, which the form sends back; nil where the batch was taken.
    package init(
        merchant: String, partner: String, number: String, total: String, items: [Item], call: String?, isPasswordWrong: Bool, isTest: Bool
    ) {
        title = "Refunds \(number)"
        self.merchant = merchant
        self.partner = partner
        self.number = number
        self.total = total
        self.items = items
        count = items.count == 1 ? "One refund" : "\(items.count) refunds"
        self.call = call
        self.isPasswordWrong = isPasswordWrong
        self.isTest = isTest
    }

    package func html() throws(WebError) -> String {
        try PageSet.orderGateway.render("gateway/refund-batch", self)
    }
}

/// What a browser is shown whose call for ``RefundBatchPage`` is refused.
package struct RefundProblemPage: Sendable {
    let code: String
    let verifiedText: String?
    let title: String
    let assets = RefundBatchPage.assetsPath
    /// Whoever is refused is not told the mode.
    let isTest = false

    /// - Parameters:
    ///   - code: As the services of the legacy gateway name it: `ILLEGAL_SIGN`.
    ///   - verifiedText: What the signature had to cover, where it did not.
    package init(code: String, verifiedText: String? = nil) {
        title = code
        self.code = code
        self.verifiedText = verifiedText
    }

    package func html() throws(WebError) -> String {
        try PageSet.orderGateway.render("gateway/refund-problem", self)
    }
}
