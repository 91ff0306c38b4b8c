import BillfoldTrace

extension Journey {
    /// How it goes when nothing goes wrong; drawn on the journey's page.
    var example: [TraceEntry] {
        let rows =
            switch slug {
            case Journey.acceptApplePay.slug: Self.payment
            case Journey.provisionCard.slug: Self.provisioning
            case Journey.expressOrder.slug: Self.express
            case Journey.paymentSheet.slug: Self.manyWallets
            case Journey.miniProgram.slug: Self.run
            default: [Row]()
            }
        return rows.enumerated().map { index, row in
            TraceEntry(id: "step-\(index + 1)", at: Int64(index), from: row.0, to: row.1, kind: row.2, title: row.3, fields: row.4)
        }
    }

    typealias Row = (Party, Party, TraceEntry.Kind, String, [TraceEntry.Field])

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
