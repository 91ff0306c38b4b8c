extension Flip {
    /// The messages of the journey "pay an express order" whose damage shows. Beside what ``Flip`` leaves out:
    /// - Pages and their forms' texts for people.
    /// - Answers `success` to notifications: whatever else they say, the notification is sent again.
    /// - What the app's server says of an order: the app asks again.
    static let expressOrder = [
        Flip(
            "seller:registration-key", on: .shopToGateway, in: .request, method: "POST", path: "/onboarding/v1/merchants",
            at: .blob(after: #""rsa":""#, distance: 80), what: "the key that the gateway verifies the merchant's orders with"),
        Flip(
            "gateway:registration", on: .shopToGateway, in: .answer, method: "POST", path: "/onboarding/v1/merchants",
            at: .blob(after: #""gatewayKey":""#, distance: 120), what: "the key that the merchant verifies results and notifications with"),
        Flip(
            "customer:phone", on: .payerToShop, in: .request, method: "POST", path: "/alipay-shop/phones", at: .value(after: #""model":""#),
            what: "which phone the customer takes"),
        Flip(
            "app:phone", on: .payerToShop, in: .answer, method: "POST", path: "/alipay-shop/phones", at: .value(after: #""session":""#),
            what: "the phone that is handed out"),
        Flip(
            "customer:buy", on: .payerToShop, in: .request, method: "POST", path: "/taps", at: .value(after: #""value":""#),
            what: "what the customer buys"),
        Flip(
            "app:order", on: .everyoneToShop, in: .request, method: "POST", path: "/alipay-merchant/v1/orders",
            at: .value(after: #""offer":""#), what: "what the app orders at its server"),
        Flip(
            "seller:order", on: .everyoneToShop, in: .answer, method: "POST", path: "/alipay-merchant/v1/orders",
            at: .blob(after: "biz_content", distance: 60), what: "the signed order on its way to the app"),
        Flip(
            "wallet:order", on: .walletToGateway, in: .request, method: "POST", path: "/link/v1/orders",
            at: .blob(after: "biz_content", distance: 60), what: "the signed order on its way to the gateway"),
        Flip(
            "gateway:order", on: .walletToGateway, in: .answer, method: "POST", path: "/link/v1/orders", at: .value(after: #""ref":""#),
            what: "the gateway's name of the order"),
        Flip(
            "wallet:trade", on: .walletToGateway, in: .request, method: "POST", path: "/link/v1/trades", at: .value(after: #""ref":""#),
            what: "which order the payer begins to pay"),
        Flip(
            "gateway:trade", on: .walletToGateway, in: .answer, method: "POST", path: "/link/v1/trades", at: .value(after: #""tradeNo":""#),
            what: "the number of the trade"
        ),
        Flip(
            // The second digit: an amount that begins with a zero is no amount, and a copy that cannot be read is sent again.
            "wallet:payment", on: .walletToGateway, in: .request, method: "POST", path: "/link/v1/payments",
            at: .value(after: #""value":"1"#), what: "how much the wallet pays"),
        Flip(
            "gateway:payment", on: .walletToGateway, in: .answer, method: "POST", path: "/link/v1/payments",
            at: .blob(after: "sign", distance: 60), what: "the signed result on its way to the wallet"),
        Flip(
            "customer:way-back", on: .payerToShop, in: .request, method: "POST", path: "/open", at: .blob(after: "sign", distance: 60),
            what: "the signed result on its way to the app"),
        Flip(
            "app:screen", on: .payerToShop, in: .answer, method: "GET", path: "/alipay-shop/phones/*", at: .value(after: #""status":""#),
            what: "what the app's block was told"),
        Flip(
            "gateway:notification", on: .everyoneToShop, in: .request, method: "POST", path: "/alipay-merchant/notify",
            at: .blob(after: "sign="), what: "the gateway's signed notification of the payment"),
        Flip(
            "seller:refund", on: .shopToGateway, in: .request, method: "GET", path: "/gateway.do",
            at: .target(after: "alipay.trade.refund"), what: "the signed refund on its way to the gateway"),
        Flip(
            "gateway:refund", on: .gatewayToWallet, in: .request, method: "POST", path: "/wallet/link/v1/refunds",
            at: .value(after: #""value":""#), what: "how much the wallet is to give back"),
        Flip(
            "gateway:books", on: .walletToGateway, in: .answer, method: "GET", path: "/link/v1/books", at: .value(after: #""value":""#),
            what: "an amount in the gateway's books"),
        Flip(
            "wallet:books", on: .gatewayToWallet, in: .answer, method: "GET", path: "/wallet/link/v1/books",
            at: .value(after: #""value":""#), what: "an amount in the wallet's books"),
        Flip(
            "seller:books", on: .payerToShop, in: .answer, method: "GET", path: "/alipay-merchant/v1/books",
            at: .value(after: #""value":""#), what: "an amount in the merchant's books"),
    ]
}
