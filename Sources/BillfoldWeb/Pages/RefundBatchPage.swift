/// Where a person of a merchant looks at a batch of refunds that the merchant signed, and confirms it with a password.
public struct RefundBatchPage: Sendable {
    /// Where its form goes.
    public static let path = "/refund-batches"
    /// Where its style sheets lie.
    public static let assetsPath = "/refund-batches/assets"
    /// The files among ``WebAssets`` that it loads.
    public static let assets: Set<String> = ["billfold.css", "billfold.svg", "gateway/refunds.css"]

    public struct Item: Sendable, Hashable {
        public var tradeNo: String
        public var amount: String
        public var reason: String
        /// `SUCCESS` or an error, once it is decided.
        public var outcome: String?

        public init(tradeNo: String, amount: String, reason: String, outcome: String?) {
            self.tradeNo = tradeNo
            self.amount = amount
            self.reason = reason
            self.outcome = outcome
        }
    }

    public var merchant: String
    /// 16 digits beginning 2088.
    public var partner: String
    public var number: String
    public var total: String
    public var items: [Item]
    /// The signed call as a query, which the form sends back; nil where the batch was taken.
    public var call: String?
    public var isPasswordWrong: Bool
    public var isTest: Bool

    public init(
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

    public func html() throws(WebError) -> String {
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
        return try PageTemplates.render("gateway/refund-batch", model)
    }

    private static func state(_ item: Item) -> [String: Any] {
        switch item.outcome {
        case nil: StateWord("under way").model
        case "SUCCESS"?: StateWord("done").model
        case let code?: ["word": code, "mark": "mark-bad"]
        }
    }
}

/// What a browser is shown whose call for ``RefundBatchPage`` is refused.
public struct RefundProblemPage: Sendable {
    /// As the services of the legacy gateway name it: `ILLEGAL_SIGN`.
    public var code: String
    /// What the signature had to cover, where it did not.
    public var verifiedText: String?

    public init(code: String, verifiedText: String? = nil) {
        self.code = code
        self.verifiedText = verifiedText
    }

    public func html() throws(WebError) -> String {
        var model: [String: Any] = ["title": code, "assets": RefundBatchPage.assetsPath, "code": code]
        model["verifiedText"] = verifiedText
        return try PageTemplates.render("gateway/refund-problem", model)
    }
}
