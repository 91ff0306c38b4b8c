extension Flip {
    /// Every message of the tour, in the order in which it first passes.
    static let all: [Flip] =
        certificates + registration + checkout + acquiring + byClient + afterwards + customer + reports + provisioning + expressOrder
        + paymentSheet + miniProgram

    private static let certificates = [
        Flip(
            "merchant:certificate-request", on: .merchantToCertificates, in: .request, method: "POST", path: "/certificates/processing",
            at: .blob(after: "-----BEGIN CERTIFICATE REQUEST-----", distance: 160),
            what: "the request for the certificate that tokens are sealed for"
        ),
        Flip(
            "certificates:certificate", on: .merchantToCertificates, in: .answer, method: "POST", path: "/certificates/processing",
            at: .blob(after: "-----BEGIN CERTIFICATE-----", distance: 100), what: "the certificate that the wallet's owner issued"),
        Flip(
            "merchant:intermediate-request", on: .merchantToCertificates, in: .request, method: "GET", path: "/certificates/intermediate",
            at: .target(after: "/certificates/"), what: "the request for the certificate of the office's signing key"),
        Flip(
            "certificates:intermediate", on: .merchantToCertificates, in: .answer, method: "GET", path: "/certificates/intermediate",
            at: .blob(after: "-----BEGIN CERTIFICATE-----", distance: 330), what: "the key that signs the office's certificates"),
        Flip(
            "merchant:root-request", on: .merchantToCertificates, in: .request, method: "GET", path: "/certificates/root",
            at: .target(after: "/certificates/"), what: "the request for the wallet's root"),
        Flip(
            "certificates:root", on: .merchantToCertificates, in: .answer, method: "GET", path: "/certificates/root",
            at: .blob(after: "-----BEGIN CERTIFICATE-----", distance: 330), what: "the key of the root that tokens must lead to"),
    ]

    private static let registration = [
        Flip(
            "merchant:registration", on: .merchantToUnionPay, in: .request, method: "POST", path: "/control/merchants",
            at: .blob(after: "-----BEGIN CERTIFICATE-----", distance: 600),
            what: "the merchant's signing certificate on its way to the gateway"),
        Flip(
            "unionpay:registration", on: .merchantToUnionPay, in: .answer, method: "POST", path: "/control/merchants",
            at: .value(after: #""certId":""#), what: "the gateway's word which certificate it took"),
        Flip(
            "merchant:trust-request", on: .merchantToUnionPay, in: .request, method: "GET", path: "/control/certificates",
            at: .target(after: "/control/"), what: "the request for the gateway's certificates"),
        Flip(
            "unionpay:trust", on: .merchantToUnionPay, in: .answer, method: "GET", path: "/control/certificates",
            at: .blob(after: "-----BEGIN CERTIFICATE-----", distance: 600),
            what: "the certificates that the gateway's signatures must lead to"),
        Flip(
            "merchant:result-key-request", on: .merchantToUnionPay, in: .request, method: "GET", path: "/control/result-key",
            at: .target(after: "/control/"), what: "the request for the certificate of the client's results"),
        Flip(
            "unionpay:result-key", on: .merchantToUnionPay, in: .answer, method: "GET", path: "/control/result-key",
            at: .blob(after: "-----BEGIN CERTIFICATE-----", distance: 500), what: "the key that the client's results are checked with"),
    ]

    private static let checkout = [
        Flip(
            "phone:checkout", on: .phoneToShop, in: .request, method: "POST", path: "/shop/orders", at: .value(after: #""quantity":"#),
            what: "how much the customer puts into the cart"),
        Flip(
            "shop:order", on: .shopToMerchant, in: .request, method: "POST", path: "/v1/orders", at: .value(after: #""unitAmount":""#),
            what: "the price that the shop asks"
        ),
        Flip(
            "merchant:order", on: .shopToMerchant, in: .answer, method: "POST", path: "/v1/orders", at: .value(after: #""id":""#),
            what: "the id of the new order"),
        Flip(
            "shop:checkout", on: .phoneToShop, in: .answer, method: "POST", path: "/shop/orders", at: .value(after: #""clientSecret":""#),
            what: "the secret that lets the phone at its order"),
        Flip(
            "phone:order-request", on: .phoneToMerchant, in: .request, method: "GET", path: "/v1/orders/*",
            at: .target(after: "/v1/orders/"), what: "which order the phone asks for"),
        Flip(
            "merchant:order-for-phone", on: .phoneToMerchant, in: .answer, method: "GET", path: "/v1/orders/*",
            at: .value(after: #""applicationData":""#), what: "what binds the token to its order"),
        Flip(
            "phone:quote", on: .phoneToMerchant, in: .request, method: "POST", path: "/quote", at: .value(after: #"{""#),
            what: "the name of what the customer chose"),
        Flip(
            "merchant:quote", on: .phoneToMerchant, in: .answer, method: "POST", path: "/quote", at: .value(after: #""total":""#),
            what: "the total that the sheet shows"),
        Flip(
            "phone:payment", on: .phoneToMerchant, in: .request, method: "POST", path: "/payments", at: .blob(after: #""paymentData":""#),
            what: "the sealed token on its way to the merchant's server"),
        Flip(
            "phone:payment-choice", on: .phoneToMerchant, in: .request, method: "POST", path: "/payments",
            at: .value(after: #""shippingMethod":""#), what: "the shipping method beside the token"),
        Flip(
            "merchant:payment", on: .phoneToMerchant, in: .answer, method: "POST", path: "/payments", at: .value(after: #""id":""#),
            what: "the id of the payment"),
    ]

    private static let acquiring = [
        Flip(
            "merchant:consume", on: .merchantToUnionPay, in: .request, method: "POST", path: "/backTransReq.do", form: "txnType=01",
            at: .blob(after: "signature="), what: "the signed deduct on its way to the gateway"),
        Flip(
            "unionpay:consume", on: .merchantToUnionPay, in: .answer, method: "POST", path: "/backTransReq.do", form: "txnType=01",
            at: .blob(after: "signature="), what: "the gateway's signed answer to the deduct"),
        Flip(
            "unionpay:notification", on: .unionPayToMerchant, in: .request, method: "POST", path: "/unionpay/notify", form: "txnType=01",
            at: .blob(after: "signature="), what: "the gateway's signed notification of the deduct"),
        Flip(
            "merchant:acknowledgement", on: .unionPayToMerchant, in: .answer, method: "POST", path: "/unionpay/notify", form: "txnType=01",
            at: .status, what: "the status that acknowledges the notification"),
        Flip(
            "merchant:query", on: .merchantToUnionPay, in: .request, method: "POST", path: "/queryTrans.do", at: .blob(after: "signature="),
            what: "the signed question what became of a deduct"),
        Flip(
            "unionpay:query", on: .merchantToUnionPay, in: .answer, method: "POST", path: "/queryTrans.do", at: .blob(after: "signature="),
            what: "the gateway's signed answer to it"),
        Flip(
            "merchant:refund", on: .merchantToUnionPay, in: .request, method: "POST", path: "/backTransReq.do", form: "txnType=04",
            at: .blob(after: "signature="), what: "the signed refund on its way to the gateway"),
        Flip(
            "unionpay:refund", on: .merchantToUnionPay, in: .answer, method: "POST", path: "/backTransReq.do", form: "txnType=04",
            at: .blob(after: "signature="), what: "the gateway's signed answer to the refund"),
        Flip(
            "unionpay:refund-notification", on: .unionPayToMerchant, in: .request, method: "POST", path: "/unionpay/notify",
            form: "txnType=04", at: .blob(after: "signature="), what: "the gateway's signed notification of the refund"),
        Flip(
            "merchant:refund-acknowledgement", on: .unionPayToMerchant, in: .answer, method: "POST", path: "/unionpay/notify",
            form: "txnType=04", at: .status, what: "the status that acknowledges it"),
        Flip(
            "merchant:file-request", on: .merchantToUnionPay, in: .request, method: "POST", path: "/file", form: "txnType=76",
            at: .blob(after: "signature="), what: "the signed request for the settlement file"),
        Flip(
            "unionpay:file", on: .merchantToUnionPay, in: .answer, method: "POST", path: "/file", form: "txnType=76",
            at: .blob(after: "fileContent="), what: "the settlement file"),
    ]

    /// The shop's app is the tour itself, and so is the customer on the client's page.
    private static let byClient = [
        Flip(
            "app:number-request", on: .operatorToMerchant, in: .request, method: "POST", path: "/transaction-numbers",
            at: .target(after: "/v1/orders/"), what: "the order that the app wants a number for"),
        Flip(
            "merchant:push", on: .merchantToUnionPay, in: .request, method: "POST", path: "/appTransReq.do", at: .blob(after: "signature="),
            what: "the signed order on its way to the gateway"),
        Flip(
            "unionpay:push", on: .merchantToUnionPay, in: .answer, method: "POST", path: "/appTransReq.do", at: .blob(after: "signature="),
            what: "the gateway's signed answer with the number"),
        Flip(
            "merchant:number", on: .operatorToMerchant, in: .answer, method: "POST", path: "/transaction-numbers",
            at: .value(after: #""tn":""#), what: "the number on its way to the app"),
        Flip(
            "customer:client", on: .operatorToUnionPay, in: .request, method: "GET", path: "/unionpay/pay/*", at: .target(after: "/pay/"),
            what: "the number that UnionPay's client is opened with"),
        Flip(
            "unionpay:client", on: .operatorToUnionPay, in: .answer, method: "GET", path: "/unionpay/pay/*", at: .value(after: "<strong>"),
            what: "the amount that the client shows"),
        Flip(
            "customer:client-payment", on: .operatorToUnionPay, in: .request, method: "POST", path: "/pay", at: .value(after: "scheme="),
            what: "the app that the client is to lead back to"),
        Flip(
            "unionpay:client-payment", on: .operatorToUnionPay, in: .answer, method: "POST", path: "/pay", at: .status,
            what: "the status that leads back to the app"),
        Flip(
            "app:result", on: .operatorToMerchant, in: .request, method: "POST", path: "/app-results", at: .value(after: #""code":""#),
            what: "the client's word on its way to the shop's server"),
        Flip(
            "merchant:result", on: .operatorToMerchant, in: .answer, method: "POST", path: "/app-results", at: .value(after: #""id":""#),
            what: "the order that the server answers about"),
    ]

    private static let afterwards = [
        Flip(
            "operator:plan", on: .operatorToUnionPay, in: .request, method: "PUT", path: "/plans/next",
            at: .value(after: #""notification":""#), what: "the plan that keeps a notification back"),
        Flip(
            "unionpay:plan", on: .operatorToUnionPay, in: .answer, method: "PUT", path: "/plans/next", at: .status,
            what: "the status that says it is kept"),
        Flip(
            "operator:payment-request", on: .operatorToMerchant, in: .request, method: "GET", path: "/v1/payments/*",
            at: .target(after: "/v1/payments/"), what: "which payment the shop asks for"),
        Flip(
            "merchant:payment-for-shop", on: .operatorToMerchant, in: .answer, method: "GET", path: "/v1/payments/*",
            at: .value(after: #""amount":""#), what: "how much was paid"),
        Flip(
            "operator:order-request", on: .operatorToMerchant, in: .request, method: "GET", path: "/v1/orders/*",
            at: .target(after: "/v1/orders/"), what: "which order the shop asks for"),
        Flip(
            "merchant:order-for-shop", on: .operatorToMerchant, in: .answer, method: "GET", path: "/v1/orders/*",
            at: .value(after: #""amount":""#), what: "what a line of the order costs"),
        Flip(
            "operator:refund", on: .operatorToMerchant, in: .request, method: "POST", path: "/refunds", at: .value(after: #""amount":""#),
            what: "how much the shop gives back"),
        Flip(
            "merchant:refund-answer", on: .operatorToMerchant, in: .answer, method: "POST", path: "/refunds",
            at: .value(after: #""amount":""#), what: "how much the server says it gives back"),
        Flip(
            "operator:refund-request", on: .operatorToMerchant, in: .request, method: "GET", path: "/v1/refunds/*",
            at: .target(after: "/v1/refunds/"), what: "which refund the shop asks for"),
        Flip(
            "merchant:refund-for-shop", on: .operatorToMerchant, in: .answer, method: "GET", path: "/v1/refunds/*",
            at: .value(after: #""amount":""#), what: "how much was given back"),
        Flip(
            "operator:reconciliation", on: .operatorToMerchant, in: .request, method: "POST", path: "/v1/reconciliations",
            at: .value(after: #""settleDate":""#), what: "the day to reconcile"),
        Flip(
            "merchant:reconciliation", on: .operatorToMerchant, in: .answer, method: "POST", path: "/v1/reconciliations",
            at: .value(after: #""matched":"#), what: "how many lines matched"),
        Flip(
            "operator:books-request", on: .operatorToMerchant, in: .request, method: "GET", path: "/v1/books", at: .target(after: "/v1/"),
            what: "the question for the merchant's books"),
        Flip(
            "merchant:books", on: .operatorToMerchant, in: .answer, method: "GET", path: "/v1/books",
            at: .value(after: #""settlementDay":""#), what: "the day on which a transaction settles, in the merchant's books"),
        Flip(
            "operator:acquirer-books-request", on: .operatorToUnionPay, in: .request, method: "GET", path: "/books",
            at: .target(after: "settleDate="), what: "the day of the acquirer's books"),
        Flip(
            "unionpay:books", on: .operatorToUnionPay, in: .answer, method: "GET", path: "/books", at: .value(after: #""amount":""#),
            what: "an amount in the acquirer's books"),
        Flip(
            "operator:notifications-request", on: .operatorToUnionPay, in: .request, method: "GET", path: "/control/orders",
            at: .target(after: "/control/"), what: "the question what became of the notifications"),
        Flip(
            "unionpay:notifications", on: .operatorToUnionPay, in: .answer, method: "GET", path: "/control/orders",
            at: .value(after: #""attempts":"#), what: "how often a notification was sent"),
    ]

    private static let customer = [
        Flip(
            "customer:wallet", on: .customerToPhone, in: .request, method: "PUT", path: "/phone/wallet", at: .value(after: #""version":""#),
            what: "which token the wallet is to make"),
        Flip(
            "phone:wallet", on: .customerToPhone, in: .answer, method: "PUT", path: "/phone/wallet", at: .status,
            what: "the status that says it will"),
        Flip(
            "customer:session", on: .customerToPhone, in: .request, method: "POST", path: "/phone/sessions",
            at: .value(after: #""quantity":"#), what: "how much the customer wants"),
        Flip(
            "phone:session", on: .customerToPhone, in: .answer, method: "POST", path: "/phone/sessions", at: .value(after: #""session":""#),
            what: "the phone that is handed out"),
        Flip(
            "customer:tap", on: .customerToPhone, in: .request, method: "POST", path: "/taps", at: .value(after: #""value":""#),
            what: "the card that is tapped"),
        Flip(
            "phone:tap", on: .customerToPhone, in: .answer, method: "POST", path: "/taps", at: .value(after: #""place":""#),
            what: "the screen after a tap"),
        Flip(
            "customer:screen-request", on: .customerToPhone, in: .request, method: "GET", path: "/phone/sessions/*",
            at: .target(after: "/sessions/"), what: "whose screen is looked at"),
        Flip(
            "phone:screen", on: .customerToPhone, in: .answer, method: "GET", path: "/phone/sessions/*",
            at: .value(after: #""paymentID":""#), what: "the payment that the last screen shows"),
    ]

    private static let reports =
        [
            ("phone", Link.phoneToConsole), ("shop", .shopToConsole), ("merchant", .merchantToConsole), ("unionpay", .unionPayToConsole),
        ].flatMap { party, link in
            [
                Flip(
                    "\(party):report", on: link, in: .request, method: "POST", path: "/trace", at: .value(after: #""title":""#),
                    what: "the title of a message in a report to the console"),
                Flip(
                    "\(party):report-correlation", on: link, in: .request, method: "POST", path: "/trace",
                    at: .value(after: #""correlation":{""#), what: "which case a message belongs to, in a report"),
            ]
        } + [
            Flip(
                "operator:stories-request", on: .operatorToConsole, in: .request, method: "GET", path: "/api/stories",
                at: .target(after: "/api/"), what: "the question for the stories"),
            Flip(
                "console:stories", on: .operatorToConsole, in: .answer, method: "GET", path: "/api/stories",
                at: .value(after: #""problems":"#), what: "how many messages were refused"),
            Flip(
                "operator:story-request", on: .operatorToConsole, in: .request, method: "GET", path: "/api/stories/*",
                at: .target(after: "/stories/"), what: "which story is read"),
            Flip(
                "console:story", on: .operatorToConsole, in: .answer, method: "GET", path: "/api/stories/*",
                at: .value(after: #""title":""#), what: "a message of the story"),
        ]
}
