/// A journey in which faults can befall the messages of somebody's own orders: by which members its messages name an order, at which
/// paths of ours they arrive, and what can go wrong.
package enum FaultJourney: String, Sendable, Hashable, Codable, CaseIterable {
    case acceptApplePay = "apple-pay-unionpay"
    case provisionCard = "provision-card"
    case expressOrder = "express-order"
    case paymentSheet = "payment-sheet"
    case miniProgram = "mini-program"

    /// The members that name an order, the caller's own names first. A path names by what stands before a name: `/v1/orders/7` by `order`.
    var names: [String] {
        switch self {
        case .acceptApplePay: ["reference", "order", "id", "payment"]
        case .provisionCard: ["card", "customer", "tokenReference", "requestId", "id"]
        case .expressOrder: ["out_trade_no", "trade_no", "tradeNo", "tradeNO", "ref", "cashier"]
        case .paymentSheet: ["paymentRequestId", "paymentId"]
        case .miniProgram: ["authClientId", "appId", "app", "referenceClientId", "authCode", "accessToken", "referenceAgreementId"]
        }
    }

    /// The members and headers that say whose an order is.
    var owners: [String] {
        switch self {
        case .acceptApplePay, .provisionCard: [MessageNames.keyName]
        case .expressOrder: ["app_id", "partner", "seller_id", "auth_app_id", "merchant_pid"]
        case .paymentSheet, .miniProgram: ["client-id", "acquirerId", "authClientId"]
        }
    }

    /// What the paths of its interface begin with.
    private var paths: [String] {
        switch self {
        case .acceptApplePay: ["/v1/orders", "/v1/payments", "/v1/refunds"]
        case .provisionCard: ["/provisioning/v1/"]
        case .expressOrder: ["/gateway.do"]
        case .paymentSheet: ["/aps/api/v1/"]
        case .miniProgram: ["/v1/authorizations/", "/v2/authorizations/", "/v2/users/", "/v1/customers/", "/mini-programs/v1/author/"]
        }
    }

    /// Whether a path is one of its interface, and not a page for people.
    func isInterface(_ path: String) -> Bool { paths.contains { path.hasPrefix($0) } }

    /// The journey that a request to a server of ours belongs to; nil for what no order is named in.
    static func of(_ path: String) -> FaultJourney? {
        if path.hasPrefix("/cashier") || path.hasPrefix("/wallet/pay") { return .expressOrder }
        return allCases.first { $0.isInterface(path) }
    }

    /// Whether a request begins an order: a plan for the next one becomes that order's.
    func begins(by method: String, at path: String, naming message: MessageNames) -> Bool {
        switch self {
        case .acceptApplePay: method == "POST" && path == "/v1/orders"
        case .provisionCard: method == "POST" && (path.hasSuffix("/pass-data") || path.hasSuffix("/activations"))
        case .expressOrder:
            method == "POST" && path == "/cashier" || path == "/wallet/pay"
                || path == "/gateway.do"
                    && message["method"].contains { name in [".create", ".precreate", ".pay"].contains { name.hasSuffix($0) } }
        case .paymentSheet: path.hasSuffix("/payments/pay")
        case .miniProgram: path.hasSuffix("/applyToken")
        }
    }

    /// What can go wrong. What a journey does not sign cannot come unsigned.
    package var faults: [OrderFault] {
        let transport: [OrderFault] = [.requestLost, .requestRefused, .replyLost, .replyLate]
        let signed: [OrderFault] = [.replyCorrupt, .replyUnsigned]
        let notifications = OrderFault.allCases.filter { $0.moment == .notification }
        return switch self {
        case .acceptApplePay, .provisionCard: notifications + transport
        case .expressOrder: OrderFault.allCases.filter { [.result, .payment].contains($0.moment) } + notifications + transport + signed
        case .paymentSheet: notifications + transport + signed
        case .miniProgram: transport + signed
        }
    }

    /// The id by which stories know its orders.
    var correlation: String {
        switch self {
        case .acceptApplePay: "order"
        case .provisionCard: "provisioning.card"
        case .expressOrder: "alipay.order"
        case .paymentSheet: "alipay-plus.request"
        case .miniProgram: "mini-program.client"
        }
    }
}
