extension Flip {
    /// The messages of the journey "pay through a payment sheet of many wallets" whose damage shows. Beside what ``Flip`` leaves out:
    /// - Pages and their texts for people.
    /// - What the merchant's app asks its server while it waits: it asks again.
    static let paymentSheet = [
        Flip(
            "acquirer:registration-key", .acquirerToPlus, .request, "POST", "/onboarding/v1/acquirers",
            .blob(after: #""publicKey":""#, distance: 120), "the key that the gateway verifies the acquirer with"),
        Flip(
            "alipay-plus:acquirer-registration", .acquirerToPlus, .answer, "POST", "/onboarding/v1/acquirers",
            .blob(after: #""publicKey":""#, distance: 160), "the key that the acquirer verifies the gateway with"),
        Flip(
            "mobile-wallet:registration-key", .walletsToPlus, .request, "POST", "/onboarding/v1/wallets",
            .blob(after: #""publicKey":""#, distance: 120), "the key that the gateway verifies a wallet with"),
        Flip(
            "alipay-plus:wallet-registration", .walletsToPlus, .answer, "POST", "/onboarding/v1/wallets",
            .blob(after: #""publicKey":""#, distance: 160), "the key that a wallet verifies the gateway with"),
        Flip(
            "guest:phone", .guestToShop, .request, "POST", "/plus-shop/phones", .value(after: #""model":""#), "which phone the guest takes"),
        Flip(
            "app:session", .guestToShop, .answer, "POST", "/plus-shop/phones", .value(after: #""session":""#),
            "the phone that is handed out"),
        Flip("guest:choice", .guestToShop, .request, "POST", "/taps", .value(after: #""value":""#), "what the guest buys"),
        Flip(
            "alipay-plus:option", .guestToSheet, .answer, "GET", "/alipayplus.json", .value(after: #""enabled":"#),
            "whether the payment option is published"),
        Flip(
            "app:placing", .everyoneToAcquirer, .request, "POST", "/acquirer/v1/orders", .value(after: #""offer":""#),
            "what the app orders at its server"),
        Flip(
            "acquirer:payment-data", .everyoneToAcquirer, .answer, "POST", "/payments", .value(after: #"\"merchantId\":\""#),
            "the merchant in the payment data on its way to the app"),
        Flip(
            "acquirer:pay", .acquirerToPlus, .request, "POST", "/payments/pay", .value(after: #""orderDescription":""#),
            "the signed request to pay"),
        Flip(
            "alipay-plus:paying", .acquirerToPlus, .answer, "POST", "/payments/pay", .value(after: #""paymentId":""#),
            "the signed answer to the acquirer"),
        Flip(
            "sheet:choice", .guestToShop, .request, "POST", "/sheet", .value(after: #"\"event\":\""#), "what the sheet says to the app"),
        Flip(
            "mobile-wallet:scan", .walletsToPlus, .request, "POST", "/payments/userInitiatedPay", .value(after: #""codeValue":""#),
            "the signed code that a wallet has scanned"),
        Flip(
            "alipay-plus:scanned", .walletsToPlus, .answer, "POST", "/payments/userInitiatedPay", .value(after: #""orderDescription":""#),
            "the signed order on its way to a wallet"),
        Flip(
            "alipay-plus:collect", .everyoneToFirstWallet, .request, "POST", "/payments/pay", .value(after: #""orderDescription":""#),
            "the signed request to collect"),
        Flip(
            "mobile-wallet:collecting", .everyoneToFirstWallet, .answer, "POST", "/payments/pay", .value(after: #""paymentId":""#),
            "a wallet’s signed answer"),
        Flip(
            "mobile-wallet:notification", .walletsToPlus, .request, "POST", "/payments/notifyPayment",
            .value(after: #""paymentId":""#), "a wallet’s signed word that it has collected"),
        Flip(
            "alipay-plus:heard", .walletsToPlus, .answer, "POST", "/payments/notifyPayment", .value(after: #""resultMessage":""#),
            "the signed acknowledgement to a wallet"),
        Flip(
            "alipay-plus:notification", .everyoneToAcquirer, .request, "POST", "/acquirer/notify", .value(after: #""paymentId":""#),
            "the signed notification to the acquirer"),
        Flip(
            "acquirer:acknowledgement", .everyoneToAcquirer, .answer, "POST", "/acquirer/notify", .value(after: #""resultMessage":""#),
            "the acquirer’s signed acknowledgement"),
        Flip(
            "mobile-wallet:code", .walletsToPlus, .request, "POST", "/codes/getPaymentCode", .value(after: #""customerId":""#),
            "for whom a wallet asks a code"),
        Flip(
            "alipay-plus:code", .walletsToPlus, .answer, "POST", "/codes/getPaymentCode", .value(after: #""paymentCode":""#),
            "the signed code on its way to a wallet"),
        Flip(
            "acquirer:cancel", .acquirerToPlus, .request, "POST", "/payments/cancelPayment", .value(after: #""paymentRequestId":""#),
            "the signed cancel"),
        Flip(
            "alipay-plus:cancel", .everyoneToFirstWallet, .request, "POST", "/payments/cancelPayment",
            .value(after: #""paymentRequestId":""#), "the signed cancel on its way to a wallet"),
        Flip(
            "acquirer:refund", .acquirerToPlus, .request, "POST", "/payments/refund", .value(after: #""refundRequestId":""#),
            "the signed refund"),
        Flip(
            "acquirer:books", .guestToShop, .answer, "GET", "/acquirer/v1/books", .value(after: #""walletNumber":""#),
            "a number in the acquirer’s books"),
        Flip(
            "mobile-wallet:books", .everyoneToFirstWallet, .answer, "GET", "/control/books", .value(after: #""number":""#),
            "a number in a wallet’s books"),
    ]
}
