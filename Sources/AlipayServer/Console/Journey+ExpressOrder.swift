import BillfoldTrace
package import BillfoldWeb

extension Journey {
    package static let expressOrder = Journey(
        slug: "express-order", title: "Pay an express order",
        summary: "A merchant's app hands a signed order to the wallet's app and learns the result twice: at once, and from the server.",
        usedBy: "merchant and wallet",
        roles: [
            .init(
                party: "app", name: "Merchant’s app", duty: "Hands the order over, takes the result, and believes its own server alone.",
                isOurs: false),
            .init(
                party: "merchant", name: "Merchant's server", shortName: "Merchant",
                duty: "Signs orders, verifies notifications, compares amount and seller, keeps its books.", isOurs: false),
            .init(
                party: "wallet", name: "Wallet and cashier", shortName: "Wallet",
                duty: "Knows the customer and the balance, takes the payment password, holds the money until the gateway has spoken.",
                isOurs: true),
            .init(
                party: "gateway", name: "Order gateway",
                duty: "Verifies orders, makes trades, books them, signs results and notifications, refunds and converts.",
                isOurs: true
            ),
        ],
        steps: [
            .init(
                title: "The server signs the order",
                text:
                    "Number, price, subject and where to notify. The app never holds a key; it gets one string, and may not change a byte of it."
            ),
            .init(
                title: "The app hands it to the wallet",
                text:
                    "By the wallet's own scheme, or by the web cashier where there is no wallet. What is pending is stored first: the app may be killed."
            ),
            .init(
                title: "The wallet asks the gateway",
                text: "Grammar, key, signature, rules and the number are checked. There is no trade yet: a query finds nothing."),
            .init(
                title: "The customer pays",
                text:
                    "At the password the trade is made and its clock starts. The wallet holds the money, and gives it up when the gateway has booked it."
            ),
            .init(
                title: "The result comes back to the app",
                text: "Signed text for 9000. 8000, 6002 and 6004 lead to a question to the server, never to “failed”."),
            .init(
                title: "The gateway tells the server",
                text: "Again and again for a day, until the answer is exactly “success”. Twice, late and out of order must all end right."),
            .init(
                title: "Money goes back",
                text: "In parts, each under a number of its own: the same number moves nothing twice. Abroad, at the rate of the payment."),
        ],
        words: Words(
            example: "One order, paid in the wallet’s app", start: "Open the tea house’s app", latest: "Latest orders",
            none: "No order yet.", first: "Make one in the tea house’s app."),
        example: express, families: ["alipay"], names: ["alipay.order"])

    private static var express: [Row] {
        [
            (
                "app", "merchant", .request, "make an order",
                [.init("offer", "longjing"), .init("generation", "modern", meaning: "Or legacy: quoted pairs.")]
            ),
            (
                "merchant", "app", .response, "order string",
                [
                    .init("biz_content", "out_trade_no, total_amount, subject", meaning: "What was signed must be sent unchanged."),
                    .init("sign", "RSA2", meaning: "Made on the merchant’s server."),
                ]
            ),
            (
                "app", "wallet", .request, "alipay://alipayclient",
                [.init("dataString", "the order string"), .init("fromAppUrlScheme", "billfoldshop", meaning: "The way back.")]
            ),
            ("wallet", "gateway", .request, "orders", [.init("order", "as received", meaning: "Verified; no trade is made.")]),
            (
                "gateway", "wallet", .response, "what to pay",
                [.init("payable", "CNY", meaning: "Price times the day’s rate, for a foreign price.")]
            ),
            (
                "wallet", "gateway", .request, "trades",
                [.init("buyer", "2088…", meaning: "The payer is at the password: the clock starts.")]
            ),
            ("gateway", "wallet", .response, "WAIT_BUYER_PAY", [.init("tradeNo", "28 digits")]),
            (
                "wallet", "gateway", .request, "payments",
                [.init("requestId", "unique", meaning: "Sent again until an answer comes; booked once.")]
            ),
            ("gateway", "wallet", .response, "TRADE_SUCCESS", [.init("result", "signed text")]),
            (
                "wallet", "app", .response, "billfoldshop://safepay",
                [.init("ResultStatus", "9000"), .init("result", "signed text", meaning: "Verified over its exact bytes.")]
            ),
            ("gateway", "merchant", .notification, "TRADE_SUCCESS", [.init("notify_id", "the same with every attempt")]),
            ("merchant", "gateway", .response, "success", [.init("body", "success", meaning: "These seven bytes and no others.")]),
            ("app", "merchant", .request, "ask for the order", []),
            ("merchant", "app", .response, "paid", [.init("state", "paid", meaning: "Only now are the goods promised.")]),
        ]
    }
}
