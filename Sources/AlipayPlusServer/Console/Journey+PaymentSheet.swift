import BillfoldTrace
package import BillfoldWeb

extension Journey {
    package static let paymentSheet = Journey(
        slug: "payment-sheet", title: "Pay through a sheet of many wallets",
        summary: "An acquirer offers the wallets of several countries in one sheet, each in its own currency.",
        usedBy: "acquirer",
        roles: [
            .init(party: "payer", name: "Customer", duty: "Chooses a wallet on the sheet, and confirms in it.", isOurs: false),
            .init(
                party: "app", name: "Merchant’s app",
                duty: "Asks whether the row may be shown, shows the sheet in a web view, and believes its own server alone.",
                isOurs: false),
            .init(
                party: "acquirer", name: "Acquirer",
                duty: "The merchant’s side: signs every request, verifies every answer and notification, refunds, keeps its books.",
                isOurs: false),
            .init(
                party: "alipay-plus", name: "Acquiring gateway", shortName: "Alipay+",
                duty: "Offers the wallets, draws the sheet, converts, tells both sides, settles with each in its own currency.",
                isOurs: true),
            .init(
                party: "wallet", name: "Wallet",
                duty: "One of several countries: knows its customer, shows the price in its currency, takes the money.",
                isOurs: false),
        ],
        steps: [
            .init(
                title: "The app asks whether there is a row",
                text:
                    "Country, currency, amount and kind of phone decide. Where no wallet could pay, the app says why, or shows nothing."),
            .init(
                title: "The acquirer asks to be paid",
                text:
                    "The amount is an integer of the smallest unit. The signature covers the path, the client, the time and the body to the byte."
            ),
            .init(
                title: "The customer chooses on the sheet",
                text:
                    "A page of the gateway in the app’s web view: the wallets that can pay this order, in the customer’s language. On a desk it shows a code to scan."
            ),
            .init(
                title: "The wallet is asked",
                text:
                    "The gateway makes an order at the wallet with the price in the wallet’s currency, at the rate that holds for this payment."
            ),
            .init(
                title: "The customer confirms in the wallet",
                text: "Logged in there, the amount in view. Only the wallet knows who it is; merchant and acquirer learn a number."),
            .init(
                title: "The result travels back",
                text:
                    "A notification, repeated until it is answered, and an inquiry for whoever has waited. Until one of them is final the payment is open, not failed."
            ),
            .init(
                title: "Money goes back, and the day is settled",
                text: "A payment under way is cancelled, a paid one refunded in parts. The day’s files hold every line in both currencies."),
        ],
        words: Words(
            example: "One payment in a wallet of another country", start: "Open the merchant’s app", latest: "Latest payments",
            none: "No payment yet.", first: "Make one in the merchant’s app."),
        example: manyWallets, families: ["alipay-plus"])

    private static var manyWallets: [Row] {
        [
            ("app", "app", .note, "inquirePaymentOption", [.init("enabled", "true", meaning: "The row is shown, with its marks.")]),
            ("app", "acquirer", .request, "make an order", [.init("offer", "cup"), .init("language", "en_US")]),
            (
                "acquirer", "alipay-plus", .request, "payments/pay",
                [
                    .init("paymentRequestId", "unique", meaning: "The same one asks for the same payment, however often it is sent."),
                    .init("paymentAmount", "2800 JPY", meaning: "Smallest units: the yen has no smaller one."),
                    .init("Signature", "RSA256", meaning: "Over POST, path, client, time and body."),
                ]
            ),
            (
                "alipay-plus", "acquirer", .response, "PAYMENT_IN_PROCESS",
                [.init("resultStatus", "U", meaning: "Neither paid nor failed."), .init("normalUrl", "the sheet")]
            ),
            ("acquirer", "app", .response, "order", [.init("sheet", "what the SDK opens")]),
            (
                "payer", "alipay-plus", .request, "wallet chosen on the sheet",
                [.init("wallet", "KAKAOPAY", meaning: "Of those that can pay this order.")]
            ),
            (
                "alipay-plus", "wallet", .request, "payments/pay",
                [.init("payToAmount", "KRW", meaning: "The price in the wallet’s currency, at the rate of this payment.")]
            ),
            ("wallet", "alipay-plus", .response, "PAYMENT_IN_PROCESS", [.init("schemeUrl, applinkUrl", "into the wallet’s app")]),
            ("payer", "wallet", .note, "confirms", []),
            (
                "wallet", "alipay-plus", .notification, "payments/notifyPayment",
                [.init("paymentResult", "S SUCCESS", meaning: "Verified, compared with what was asked, then booked.")]
            ),
            (
                "alipay-plus", "acquirer", .notification, "payments/notifyPayment",
                [.init("settlement", "JPY", meaning: "What the acquirer gets, in its own currency.")]
            ),
            ("acquirer", "alipay-plus", .response, "SUCCESS", [.init("resultStatus", "S", meaning: "Anything else, and it comes again.")]),
            ("app", "acquirer", .request, "ask for the order", []),
            ("acquirer", "app", .response, "paid", [.init("state", "paid", meaning: "Only now are the goods promised.")]),
        ]
    }
}
