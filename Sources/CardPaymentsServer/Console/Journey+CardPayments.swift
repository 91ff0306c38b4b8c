import BillfoldTrace
package import BillfoldWeb

extension Journey {
    package static let acceptApplePay = Journey(
        slug: "apple-pay-unionpay", title: "Accept Apple Pay, settle by UnionPay",
        summary: "A shop takes Apple Pay. The token is opened on the merchant's server, and UnionPay moves the money.",
        usedBy: "merchant",
        roles: [
            .init(
                party: "phone", name: "Phone",
                duty: "Shows the payment sheet, makes the encrypted token, and waits for the server's answer.",
                isOurs: false),
            .init(
                party: "wallet", name: "Wallet",
                duty: "The wallet maker's servers: certificates, and the keys that tokens are signed with.",
                isOurs: false),
            .init(party: "shop", name: "Shop", duty: "The merchant's shop front: goods, basket, order.", isOurs: false),
            .init(
                party: "merchant", name: "Merchant server", shortName: "Merchant",
                duty: "Checks and opens the token, asks for the money, keeps the books.",
                isOurs: true),
            .init(
                party: "unionpay", name: "UnionPay gateway", shortName: "UnionPay",
                duty: "Takes the deduct message, notifies, answers queries, refunds, writes the day's file.",
                isOurs: false),
        ],
        steps: [
            .init(
                title: "The shop makes an order",
                text:
                    "The merchant's server prices every line, rounds its tax, and issues application data that will tie a token to this order."
            ),
            .init(
                title: "The sheet asks, the server answers",
                text:
                    "Each change of address, delivery or coupon is one question and gets one answer with recomputed lines. The phone only mirrors them."
            ),
            .init(
                title: "The buyer authorises",
                text:
                    "The phone encrypts the payment data for the merchant's key and signs the result. The shop's app hands it on unchanged."
            ),
            .init(
                title: "The server opens the token",
                text:
                    "Signature, chain, signing time, key hash, replay and application data are checked one by one. Outside, every refusal looks the same."
            ),
            .init(
                title: "The deduct message leaves",
                text:
                    "The order number and its time are stored before anything is sent. The answer 00 means accepted. It does not mean paid."
            ),
            .init(
                title: "Evidence settles it",
                text:
                    "A signed notification or a status query decides. Until one of them has spoken the payment is unknown, and unknown is never shown as failed."
            ),
            .init(
                title: "The books agree",
                text: "Postings are double-entry. At the end of the day the gateway's file is held against them, line by line."),
        ],
        example: payment, families: ["shop", "order", "payment", "apple-pay", "unionpay"],
        names: ["shop.reference", "order.reference.", "order", "payment"],
        casePage: .init(id: "order", path: "/orders"))

    private static var payment: [Row] {
        [
            (
                "shop", "merchant", .request, "POST /v1/orders",
                [.init("lines", "label, unitAmount, quantity, taxRate", meaning: "Priced and rounded on the server, line by line.")]
            ),
            (
                "merchant", "shop", .response, "201 order",
                [.init("applicationData", "base64", meaning: "Its SHA-256 comes back inside the token and ties it to this order.")]
            ),
            (
                "shop", "phone", .request, "PKPaymentRequest",
                [.init("supportedNetworks", "chinaUnionPay", meaning: "Needs the capability emv beside 3DS.")]
            ),
            (
                "phone", "merchant", .request, "quote",
                [.init("shippingContact", "city, region, postcode, country", meaning: "Redacted until the buyer authorises.")]
            ),
            (
                "merchant", "phone", .response, "items and total",
                [.init("total", "the last item", meaning: "Equals the exact sum of all others.")]
            ),
            ("phone", "wallet", .note, "makes the token", []),
            (
                "phone", "merchant", .request, "payment token",
                [
                    .init("version", "RSA_v1 or EC_v1", meaning: "How the payment data’s key travels."),
                    .init("publicKeyHash", "SHA-256", meaning: "Chooses the key of the ring that opens it."),
                ]
            ),
            ("merchant", "merchant", .note, "checks and opens the token", []),
            (
                "merchant", "unionpay", .request, "consume",
                [
                    .init("orderId, txnTime", "stored before sending", meaning: "With merId, the payment’s identity at the gateway."),
                    .init("txnAmt", "minor units", meaning: "From the order, never from the token."),
                ]
            ),
            ("unionpay", "merchant", .response, "respCode 00", [.init("respCode", "00", meaning: "Accepted. Not yet paid.")]),
            (
                "unionpay", "merchant", .notification, "signed notification",
                [.init("signPubKeyCert", "certificate", meaning: "Must chain to the configured root before its signature counts.")]
            ),
            ("merchant", "phone", .response, "succeeded", [.init("sheet", "success", meaning: "The sheet shows success only now.")]),
        ]
    }
}
