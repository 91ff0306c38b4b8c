import BillfoldTrace

extension Journey {
    static let acceptApplePay = Journey(
        slug: acceptApplePaySlug, title: "Accept Apple Pay, settle by UnionPay",
        summary: "A shop takes Apple Pay. The token is opened on the merchant's server, and UnionPay moves the money.",
        usedBy: "merchant", isHere: true,
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
                party: "merchant", name: "Merchant server", duty: "Checks and opens the token, asks for the money, keeps the books.",
                isOurs: true),
            .init(
                party: "unionpay", name: "UnionPay gateway",
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
        ])
}
