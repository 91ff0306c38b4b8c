extension Flip {
    /// The messages of the journey "pay an express order" whose damage shows. Beside what ``Flip`` leaves out:
    /// - Pages and their forms' texts for people.
    /// - Answers `success` to notifications: whatever else they say, the notification is sent again.
    /// - What the app's server says of an order: the app asks again.
    static let expressOrder = [
        Flip(
            "seller:registration-key", .shopToGateway, .request, "POST", "/onboarding/v1/merchants",
            .blob(after: #""rsa":""#, distance: 80),
            "the key that the gateway verifies the merchant's orders with"),
        Flip(
            "gateway:registration", .shopToGateway, .answer, "POST", "/onboarding/v1/merchants",
            .blob(after: #""gatewayKey":""#, distance: 120), "the key that the merchant verifies results and notifications with"),
        Flip(
            "customer:phone", .payerToShop, .request, "POST", "/alipay-shop/phones", .value(after: #""model":""#),
            "which phone the customer takes"),
        Flip(
            "app:phone", .payerToShop, .answer, "POST", "/alipay-shop/phones", .value(after: #""session":""#),
            "the phone that is handed out"),
        Flip("customer:buy", .payerToShop, .request, "POST", "/taps", .value(after: #""value":""#), "what the customer buys"),
        Flip(
            "app:order", .everyoneToShop, .request, "POST", "/alipay-merchant/v1/orders", .value(after: #""offer":""#),
            "what the app orders at its server"),
        Flip(
            "seller:order", .everyoneToShop, .answer, "POST", "/alipay-merchant/v1/orders", .blob(after: "biz_content", distance: 60),
            "the signed order on its way to the app"),
        Flip(
            "wallet:order", .walletToGateway, .request, "POST", "/link/v1/orders", .blob(after: "biz_content", distance: 60),
            "the signed order on its way to the gateway"),
        Flip(
            "gateway:order", .walletToGateway, .answer, "POST", "/link/v1/orders", .value(after: #""ref":""#),
            "the gateway's name of the order"),
        Flip(
            "wallet:trade", .walletToGateway, .request, "POST", "/link/v1/trades", .value(after: #""ref":""#),
            "which order the payer begins to pay"),
        Flip(
            "gateway:trade", .walletToGateway, .answer, "POST", "/link/v1/trades", .value(after: #""tradeNo":""#), "the number of the trade"
        ),
        Flip(
            // The second digit: an amount that begins with a zero is no amount, and a copy that cannot be read is sent again.
            "wallet:payment", .walletToGateway, .request, "POST", "/link/v1/payments", .value(after: #""value":"1"#),
            "how much the wallet pays"),
        Flip(
            "gateway:payment", .walletToGateway, .answer, "POST", "/link/v1/payments", .blob(after: "sign", distance: 60),
            "the signed result on its way to the wallet"),
        Flip(
            "customer:way-back", .payerToShop, .request, "POST", "/open", .blob(after: "sign", distance: 60),
            "the signed result on its way to the app"),
        Flip(
            "app:screen", .payerToShop, .answer, "GET", "/alipay-shop/phones/*", .value(after: #""status":""#),
            "what the app's block was told"),
        Flip(
            "gateway:notification", .everyoneToShop, .request, "POST", "/alipay-merchant/notify", .blob(after: "sign="),
            "the gateway's signed notification of the payment"),
        Flip(
            "seller:refund", .shopToGateway, .request, "GET", "/gateway.do", .target(after: "alipay.trade.refund"),
            "the signed refund on its way to the gateway"),
        Flip(
            "gateway:refund", .gatewayToWallet, .request, "POST", "/wallet/link/v1/refunds", .value(after: #""value":""#),
            "how much the wallet is to give back"),
        Flip(
            "gateway:books", .walletToGateway, .answer, "GET", "/link/v1/books", .value(after: #""value":""#),
            "an amount in the gateway's books"),
        Flip(
            "wallet:books", .gatewayToWallet, .answer, "GET", "/wallet/link/v1/books", .value(after: #""value":""#),
            "an amount in the wallet's books"),
        Flip(
            "seller:books", .payerToShop, .answer, "GET", "/alipay-merchant/v1/books", .value(after: #""value":""#),
            "an amount in the merchant's books"),
    ]
}
