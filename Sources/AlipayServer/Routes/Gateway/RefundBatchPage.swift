package import BillfoldWeb

/// Where a person of a merchant looks at a batch of refunds that the merchant signed, and confirms it with a password.
package struct RefundBatchPage: Sendable {
    /// Where its form goes.
    package static let path = "/refund-batches"
    /// Where its style sheets lie.
    package static let assetsPath = "/refund-batches/assets"

    package struct Item: Sendable, Hashable {
        package var tradeNo: String
        package var amount: String
        package var reason: String
        /// `SUCCESS` or an error, once it is decided.
        package var outcome: String?

        package init(tradeNo: String, amount: String, reason: String, outcome: String?) {
            self.tradeNo = tradeNo
            self.amount = amount
            self.reason = reason
            self.outcome = outcome
        }
    }

    package var merchant: String
    /// 16 digits beginning 2088.
    package var partner: String
    package var number: String
    package var total: String
    package var items: [Item]
    /// The signed call as a query, which the form sends back; nil where the batch was taken.
    package var call: String?
    package var isPasswordWrong: Bool
    package var isTest: Bool

    package init(
        merchant: String, partner: String, number: String, total: String, items: [Item], call: String?, isPasswordWrong: Bool, isTest: Bool
    ) {
        self.merchant = merchant
        self.partner = partner
        self.number = number
        self.total = total
        self.items = items
        self.call = call
        self.isPasswordWrong = isPasswordWrong
        self.isTest = isTest
    }

    package func html() throws(WebError) -> String {
        var model: [String: Any] = [
            "title": "Refunds \(number)", "assets": Self.assetsPath, "path": Self.path, "merchant": merchant, "partner": partner,
            "number": number, "total": total, "isPasswordWrong": isPasswordWrong, "isTest": isTest,
            "items": items.map {
                ["tradeNo": $0.tradeNo, "amount": $0.amount, "reason": $0.reason, "state": Self.state($0)] as [String: Any]
            },
            "isOpen": call != nil,
            "count": items.count == 1 ? "One refund" : "\(items.count) refunds",
        ]
        model["call"] = call
        return try PageSet.orderGateway.render("gateway/refund-batch", model)
    }

    private static func state(_ item: Item) -> Any {
        switch item.outcome {
        case nil: StateWord("under way")
        case "SUCCESS"?: StateWord("done")
        case let code?: ["word": code, "mark": "mark-bad"] as [String: Any]
        }
    }
}

/// What a browser is shown whose call for ``RefundBatchPage`` is refused.
package struct RefundProblemPage: Sendable {
    /// As the services of the legacy gateway name it: `ILLEGAL_SIGN`.
    package var code: String
    /// What the signature had to cover, where it did not.
    package var verifiedText: String?

    package init(code: String, verifiedText: String? = nil) {
        self.code = code
        self.verifiedText = verifiedText
    }

    package func html() throws(WebError) -> String {
        var model: [String: Any] = ["title": code, "assets": RefundBatchPage.assetsPath, "code": code]
        model["verifiedText"] = verifiedText
        return try PageSet.orderGateway.render("gateway/refund-problem", model)
    }
}
