extension Flip {
    /// Every message of the tour, in the order in which it first passes.
    static let all: [Flip] =
        certificates + registration + checkout + acquiring + afterwards + customer + reports + provisioning + expressOrder
        + paymentSheet + miniProgram

    private static let certificates = [
        Flip(
            "merchant:certificate-request", .merchantToCertificates, .request, "POST", "/certificates/processing",
            .blob(after: "-----BEGIN CERTIFICATE REQUEST-----", distance: 160), "the request for the certificate that tokens are sealed for"
        ),
        Flip(
            "certificates:certificate", .merchantToCertificates, .answer, "POST", "/certificates/processing",
            .blob(after: "-----BEGIN CERTIFICATE-----", distance: 100), "the certificate that the wallet's owner issued"),
        Flip(
            "merchant:intermediate-request", .merchantToCertificates, .request, "GET", "/certificates/intermediate",
            .target(after: "/certificates/"), "the request for the certificate of the office's signing key"),
        Flip(
            "certificates:intermediate", .merchantToCertificates, .answer, "GET", "/certificates/intermediate",
            .blob(after: "-----BEGIN CERTIFICATE-----", distance: 330), "the key that signs the office's certificates"),
        Flip(
            "merchant:root-request", .merchantToCertificates, .request, "GET", "/certificates/root", .target(after: "/certificates/"),
            "the request for the wallet's root"),
        Flip(
            "certificates:root", .merchantToCertificates, .answer, "GET", "/certificates/root",
            .blob(after: "-----BEGIN CERTIFICATE-----", distance: 330), "the key of the root that tokens must lead to"),
    ]

    private static let registration = [
        Flip(
            "merchant:registration", .merchantToUnionPay, .request, "POST", "/control/merchants",
            .blob(after: "-----BEGIN CERTIFICATE-----", distance: 600), "the merchant's signing certificate on its way to the gateway"),
        Flip(
            "unionpay:registration", .merchantToUnionPay, .answer, "POST", "/control/merchants", .value(after: #""certId":""#),
            "the gateway's word which certificate it took"),
        Flip(
            "merchant:trust-request", .merchantToUnionPay, .request, "GET", "/control/certificates", .target(after: "/control/"),
            "the request for the gateway's certificates"),
        Flip(
            "unionpay:trust", .merchantToUnionPay, .answer, "GET", "/control/certificates",
            .blob(after: "-----BEGIN CERTIFICATE-----", distance: 600), "the certificates that the gateway's signatures must lead to"),
    ]

    private static let checkout = [
        Flip(
            "phone:checkout", .phoneToShop, .request, "POST", "/shop/orders", .value(after: #""quantity":"#),
            "how much the customer puts into the cart"),
        Flip(
            "shop:order", .shopToMerchant, .request, "POST", "/v1/orders", .value(after: #""unitAmount":""#), "the price that the shop asks"
        ),
        Flip("merchant:order", .shopToMerchant, .answer, "POST", "/v1/orders", .value(after: #""id":""#), "the id of the new order"),
        Flip(
            "shop:checkout", .phoneToShop, .answer, "POST", "/shop/orders", .value(after: #""clientSecret":""#),
            "the secret that lets the phone at its order"),
        Flip(
            "phone:order-request", .phoneToMerchant, .request, "GET", "/v1/orders/*", .target(after: "/v1/orders/"),
            "which order the phone asks for"),
        Flip(
            "merchant:order-for-phone", .phoneToMerchant, .answer, "GET", "/v1/orders/*", .value(after: #""applicationData":""#),
            "what binds the token to its order"),
        Flip(
            "phone:quote", .phoneToMerchant, .request, "POST", "/quote", .value(after: #"{""#),
            "the name of what the customer chose"),
        Flip(
            "merchant:quote", .phoneToMerchant, .answer, "POST", "/quote", .value(after: #""total":""#), "the total that the sheet shows"),
        Flip(
            "phone:payment", .phoneToMerchant, .request, "POST", "/payments", .blob(after: #""paymentData":""#),
            "the sealed token on its way to the merchant's server"),
        Flip(
            "phone:payment-choice", .phoneToMerchant, .request, "POST", "/payments", .value(after: #""shippingMethod":""#),
            "the shipping method beside the token"),
        Flip(
            "merchant:payment", .phoneToMerchant, .answer, "POST", "/payments", .value(after: #""id":""#), "the id of the payment"),
    ]

    private static let acquiring = [
        Flip(
            "merchant:consume", .merchantToUnionPay, .request, "POST", "/backTransReq.do", form: "txnType=01", .blob(after: "signature="),
            "the signed deduct on its way to the gateway"),
        Flip(
            "unionpay:consume", .merchantToUnionPay, .answer, "POST", "/backTransReq.do", form: "txnType=01", .blob(after: "signature="),
            "the gateway's signed answer to the deduct"),
        Flip(
            "unionpay:notification", .unionPayToMerchant, .request, "POST", "/unionpay/notify", form: "txnType=01",
            .blob(after: "signature="), "the gateway's signed notification of the deduct"),
        Flip(
            "merchant:acknowledgement", .unionPayToMerchant, .answer, "POST", "/unionpay/notify", form: "txnType=01", .status,
            "the status that acknowledges the notification"),
        Flip(
            "merchant:query", .merchantToUnionPay, .request, "POST", "/queryTrans.do", .blob(after: "signature="),
            "the signed question what became of a deduct"),
        Flip(
            "unionpay:query", .merchantToUnionPay, .answer, "POST", "/queryTrans.do", .blob(after: "signature="),
            "the gateway's signed answer to it"),
        Flip(
            "merchant:refund", .merchantToUnionPay, .request, "POST", "/backTransReq.do", form: "txnType=04", .blob(after: "signature="),
            "the signed refund on its way to the gateway"),
        Flip(
            "unionpay:refund", .merchantToUnionPay, .answer, "POST", "/backTransReq.do", form: "txnType=04", .blob(after: "signature="),
            "the gateway's signed answer to the refund"),
        Flip(
            "unionpay:refund-notification", .unionPayToMerchant, .request, "POST", "/unionpay/notify", form: "txnType=04",
            .blob(after: "signature="), "the gateway's signed notification of the refund"),
        Flip(
            "merchant:refund-acknowledgement", .unionPayToMerchant, .answer, "POST", "/unionpay/notify", form: "txnType=04", .status,
            "the status that acknowledges it"),
        Flip(
            "merchant:file-request", .merchantToUnionPay, .request, "POST", "/file", form: "txnType=76", .blob(after: "signature="),
            "the signed request for the settlement file"),
        Flip(
            "unionpay:file", .merchantToUnionPay, .answer, "POST", "/file", form: "txnType=76", .blob(after: "fileContent="),
            "the settlement file"),
    ]

    private static let afterwards = [
        Flip(
            "operator:plan", .operatorToUnionPay, .request, "PUT", "/plans/next", .value(after: #""notification":""#),
            "the plan that keeps a notification back"),
        Flip("unionpay:plan", .operatorToUnionPay, .answer, "PUT", "/plans/next", .status, "the status that says it is kept"),
        Flip(
            "operator:payment-request", .operatorToMerchant, .request, "GET", "/v1/payments/*", .target(after: "/v1/payments/"),
            "which payment the shop asks for"),
        Flip(
            "merchant:payment-for-shop", .operatorToMerchant, .answer, "GET", "/v1/payments/*", .value(after: #""amount":""#),
            "how much was paid"),
        Flip(
            "operator:order-request", .operatorToMerchant, .request, "GET", "/v1/orders/*", .target(after: "/v1/orders/"),
            "which order the shop asks for"),
        Flip(
            "merchant:order-for-shop", .operatorToMerchant, .answer, "GET", "/v1/orders/*", .value(after: #""amount":""#),
            "what a line of the order costs"),
        Flip(
            "operator:refund", .operatorToMerchant, .request, "POST", "/refunds", .value(after: #""amount":""#),
            "how much the shop gives back"),
        Flip(
            "merchant:refund-answer", .operatorToMerchant, .answer, "POST", "/refunds", .value(after: #""amount":""#),
            "how much the server says it gives back"),
        Flip(
            "operator:refund-request", .operatorToMerchant, .request, "GET", "/v1/refunds/*", .target(after: "/v1/refunds/"),
            "which refund the shop asks for"),
        Flip(
            "merchant:refund-for-shop", .operatorToMerchant, .answer, "GET", "/v1/refunds/*", .value(after: #""amount":""#),
            "how much was given back"),
        Flip(
            "operator:reconciliation", .operatorToMerchant, .request, "POST", "/v1/reconciliations", .value(after: #""settleDate":""#),
            "the day to reconcile"),
        Flip(
            "merchant:reconciliation", .operatorToMerchant, .answer, "POST", "/v1/reconciliations", .value(after: #""matched":"#),
            "how many lines matched"),
        Flip(
            "operator:books-request", .operatorToMerchant, .request, "GET", "/v1/books", .target(after: "/v1/"),
            "the question for the merchant's books"),
        Flip(
            "merchant:books", .operatorToMerchant, .answer, "GET", "/v1/books", .value(after: #""settlementDay":""#),
            "the day on which a transaction settles, in the merchant's books"),
        Flip(
            "operator:acquirer-books-request", .operatorToUnionPay, .request, "GET", "/books", .target(after: "settleDate="),
            "the day of the acquirer's books"),
        Flip(
            "unionpay:books", .operatorToUnionPay, .answer, "GET", "/books", .value(after: #""amount":""#),
            "an amount in the acquirer's books"),
        Flip(
            "operator:notifications-request", .operatorToUnionPay, .request, "GET", "/control/orders", .target(after: "/control/"),
            "the question what became of the notifications"),
        Flip(
            "unionpay:notifications", .operatorToUnionPay, .answer, "GET", "/control/orders", .value(after: #""attempts":"#),
            "how often a notification was sent"),
    ]

    private static let customer = [
        Flip(
            "customer:wallet", .customerToPhone, .request, "PUT", "/phone/wallet", .value(after: #""version":""#),
            "which token the wallet is to make"),
        Flip("phone:wallet", .customerToPhone, .answer, "PUT", "/phone/wallet", .status, "the status that says it will"),
        Flip(
            "customer:session", .customerToPhone, .request, "POST", "/phone/sessions", .value(after: #""quantity":"#),
            "how much the customer wants"),
        Flip(
            "phone:session", .customerToPhone, .answer, "POST", "/phone/sessions", .value(after: #""session":""#),
            "the phone that is handed out"),
        Flip("customer:tap", .customerToPhone, .request, "POST", "/taps", .value(after: #""value":""#), "the card that is tapped"),
        Flip("phone:tap", .customerToPhone, .answer, "POST", "/taps", .value(after: #""place":""#), "the screen after a tap"),
        Flip(
            "customer:screen-request", .customerToPhone, .request, "GET", "/phone/sessions/*", .target(after: "/sessions/"),
            "whose screen is looked at"),
        Flip(
            "phone:screen", .customerToPhone, .answer, "GET", "/phone/sessions/*", .value(after: #""paymentID":""#),
            "the payment that the last screen shows"),
    ]

    private static let reports =
        [
            ("phone", Link.phoneToConsole), ("shop", .shopToConsole), ("merchant", .merchantToConsole), ("unionpay", .unionPayToConsole),
        ].flatMap { party, link in
            [
                Flip(
                    "\(party):report", link, .request, "POST", "/trace", .value(after: #""title":""#),
                    "the title of a message in a report to the console"),
                Flip(
                    "\(party):report-correlation", link, .request, "POST", "/trace", .value(after: #""correlation":{""#),
                    "which case a message belongs to, in a report"),
            ]
        } + [
            Flip(
                "operator:stories-request", .operatorToConsole, .request, "GET", "/api/stories", .target(after: "/api/"),
                "the question for the stories"),
            Flip(
                "console:stories", .operatorToConsole, .answer, "GET", "/api/stories", .value(after: #""problems":"#),
                "how many messages were refused"),
            Flip(
                "operator:story-request", .operatorToConsole, .request, "GET", "/api/stories/*", .target(after: "/stories/"),
                "which story is read"),
            Flip(
                "console:story", .operatorToConsole, .answer, "GET", "/api/stories/*", .value(after: #""title":""#),
                "a message of the story"),
        ]
}
