extension Flip {
    /// The messages of the journey "pay through a payment sheet of many wallets" whose damage shows. Beside what ``Flip`` leaves out:
    /// - Pages and their texts for people.
    /// - What the merchant's app asks its server while it waits: it asks again.
    static let paymentSheet = [
        Flip(
            "acquirer:registration-key", on: .acquirerToPlus, in: .request, method: "POST", path: "/onboarding/v1/acquirers",
            at: .blob(after: #""publicKey":""#, distance: 120), what: "the key that the gateway verifies the acquirer with"),
        Flip(
            "alipay-plus:acquirer-registration", on: .acquirerToPlus, in: .answer, method: "POST", path: "/onboarding/v1/acquirers",
            at: .blob(after: #""publicKey":""#, distance: 160), what: "the key that the acquirer verifies the gateway with"),
        Flip(
            "mobile-wallet:registration-key", on: .walletsToPlus, in: .request, method: "POST", path: "/onboarding/v1/wallets",
            at: .blob(after: #""publicKey":""#, distance: 120), what: "the key that the gateway verifies a wallet with"),
        Flip(
            "alipay-plus:wallet-registration", on: .walletsToPlus, in: .answer, method: "POST", path: "/onboarding/v1/wallets",
            at: .blob(after: #""publicKey":""#, distance: 160), what: "the key that a wallet verifies the gateway with"),
        Flip(
            "guest:phone", on: .guestToShop, in: .request, method: "POST", path: "/plus-shop/phones", at: .value(after: #""model":""#),
            what: "which phone the guest takes"),
        Flip(
            "app:session", on: .guestToShop, in: .answer, method: "POST", path: "/plus-shop/phones", at: .value(after: #""session":""#),
            what: "the phone that is handed out"),
        Flip(
            "guest:choice", on: .guestToShop, in: .request, method: "POST", path: "/taps", at: .value(after: #""value":""#),
            what: "what the guest buys"),
        Flip(
            "alipay-plus:option", on: .guestToSheet, in: .answer, method: "GET", path: "/alipayplus.json",
            at: .value(after: #""enabled":"#), what: "whether the payment option is published"),
        Flip(
            "app:placing", on: .everyoneToAcquirer, in: .request, method: "POST", path: "/acquirer/v1/orders",
            at: .value(after: #""offer":""#), what: "what the app orders at its server"),
        Flip(
            "acquirer:payment-data", on: .everyoneToAcquirer, in: .answer, method: "POST", path: "/payments",
            at: .value(after: #"\"merchantId\":\""#), what: "the merchant in the payment data on its way to the app"),
        Flip(
            "acquirer:pay", on: .acquirerToPlus, in: .request, method: "POST", path: "/payments/pay",
            at: .value(after: #""orderDescription":""#), what: "the signed request to pay"),
        Flip(
            "alipay-plus:paying", on: .acquirerToPlus, in: .answer, method: "POST", path: "/payments/pay",
            at: .value(after: #""paymentId":""#), what: "the signed answer to the acquirer"),
        Flip(
            "sheet:choice", on: .guestToShop, in: .request, method: "POST", path: "/sheet", at: .value(after: #"\"event\":\""#),
            what: "what the sheet says to the app"),
        Flip(
            "mobile-wallet:scan", on: .walletsToPlus, in: .request, method: "POST", path: "/payments/userInitiatedPay",
            at: .value(after: #""codeValue":""#), what: "the signed code that a wallet has scanned"),
        Flip(
            "alipay-plus:scanned", on: .walletsToPlus, in: .answer, method: "POST", path: "/payments/userInitiatedPay",
            at: .value(after: #""orderDescription":""#), what: "the signed order on its way to a wallet"),
        Flip(
            "alipay-plus:collect", on: .everyoneToFirstWallet, in: .request, method: "POST", path: "/payments/pay",
            at: .value(after: #""orderDescription":""#), what: "the signed request to collect"),
        Flip(
            "mobile-wallet:collecting", on: .everyoneToFirstWallet, in: .answer, method: "POST", path: "/payments/pay",
            at: .value(after: #""paymentId":""#), what: "a wallet’s signed answer"),
        Flip(
            "mobile-wallet:notification", on: .walletsToPlus, in: .request, method: "POST", path: "/payments/notifyPayment",
            at: .value(after: #""paymentId":""#), what: "a wallet’s signed word that it has collected"),
        Flip(
            "alipay-plus:heard", on: .walletsToPlus, in: .answer, method: "POST", path: "/payments/notifyPayment",
            at: .value(after: #""resultMessage":""#), what: "the signed acknowledgement to a wallet"),
        Flip(
            "alipay-plus:notification", on: .everyoneToAcquirer, in: .request, method: "POST", path: "/acquirer/notify",
            at: .value(after: #""paymentId":""#), what: "the signed notification to the acquirer"),
        Flip(
            "acquirer:acknowledgement", on: .everyoneToAcquirer, in: .answer, method: "POST", path: "/acquirer/notify",
            at: .value(after: #""resultMessage":""#), what: "the acquirer’s signed acknowledgement"),
        Flip(
            "mobile-wallet:code", on: .walletsToPlus, in: .request, method: "POST", path: "/codes/getPaymentCode",
            at: .value(after: #""customerId":""#), what: "for whom a wallet asks a code"),
        Flip(
            "alipay-plus:code", on: .walletsToPlus, in: .answer, method: "POST", path: "/codes/getPaymentCode",
            at: .value(after: #""paymentCode":""#), what: "the signed code on its way to a wallet"),
        Flip(
            "acquirer:cancel", on: .acquirerToPlus, in: .request, method: "POST", path: "/payments/cancelPayment",
            at: .value(after: #""paymentRequestId":""#), what: "the signed cancel"),
        Flip(
            "alipay-plus:cancel", on: .everyoneToFirstWallet, in: .request, method: "POST", path: "/payments/cancelPayment",
            at: .value(after: #""paymentRequestId":""#), what: "the signed cancel on its way to a wallet"),
        Flip(
            "acquirer:refund", on: .acquirerToPlus, in: .request, method: "POST", path: "/payments/refund",
            at: .value(after: #""refundRequestId":""#), what: "the signed refund"),
        Flip(
            "acquirer:books", on: .guestToShop, in: .answer, method: "GET", path: "/acquirer/v1/books",
            at: .value(after: #""walletNumber":""#), what: "a number in the acquirer’s books"),
        Flip(
            "mobile-wallet:books", on: .everyoneToFirstWallet, in: .answer, method: "GET", path: "/control/books",
            at: .value(after: #""number":""#), what: "a number in a wallet’s books"),
    ]
}
