import BillfoldTrace
package import BillfoldWeb

extension Journey {
    package static let miniProgram = Journey(
        slug: "mini-program", title: "Run a mini program in a super app",
        summary: "A super app runs somebody else's program, lends it an identity and a cashier, and keeps it in its place.",
        usedBy: "super app and mini-program author",
        roles: [
            .init(
                party: "mini-program", name: "Mini program", duty: "Somebody else’s code: pages, and calls of the interface it is lent.",
                isOurs: false),
            .init(
                party: "container", name: "App container", shortName: "Container",
                duty: "Runs the program in a process of its own, checks each call’s permission, and turns it into the Wallet API.",
                isOurs: true),
            .init(
                party: "super-app", name: "Super app",
                duty: "Implements the Wallet API: identity, payment, codes, scenes. Asks its user before it gives anything.",
                isOurs: false),
            .init(
                party: "author", name: "Author’s server", shortName: "Author",
                duty: "Publishes the program, exchanges codes for tokens, keeps the tokens.",
                isOurs: false),
            .init(
                party: "wallet", name: "Wallet’s server", shortName: "Wallet",
                duty: "The platform of mini programs, the OAuth server, consent, and the cashier.", isOurs: true),
            .init(
                party: "merchant", name: "Merchant’s server", shortName: "Merchant", duty: "Signs the order and answers for its state.",
                isOurs: false),
            .init(
                party: "gateway", name: "Order gateway", duty: "Verifies the order, books the payment, tells the merchant.",
                isOurs: true),
        ],
        steps: [
            .init(
                title: "The author publishes",
                text:
                    "A signed package is uploaded, reviewed and released. With it travel its appId, its authClientId, which is another number, and what it may reach."
            ),
            .init(
                title: "The super app opens it",
                text:
                    "The container fetches the release, checks hash and signature, and starts the program in a process that has no way out but calls."
            ),
            .init(
                title: "It asks who the user is",
                text:
                    "getAuthCode with scopes. What is silent or agreed already is answered at once; for the rest the super app shows a page, one line for each scope."
            ),
            .init(
                title: "The user agrees, or does not",
                text:
                    "Agreed scopes are kept, and the container asks a second time. A refusal comes back as an error, and is not asked again by itself."
            ),
            .init(
                title: "The author’s server takes the code",
                text: "Once, signed, for a token that never reaches the program. With it, it reads what was agreed to and nothing else."),
            .init(
                title: "It asks to be paid",
                text:
                    "The merchant’s server makes the order; tradePay leads to the wallet’s own cashier. Its result is a hint: the server is asked."
            ),
            .init(
                title: "It scans, and opens scenes",
                text:
                    "The super app reads the picture and hands over a text. A scene, a link or another program is opened only where the platform granted it."
            ),
        ],
        words: Words(
            example: "One run: an identity, then a payment", start: "Open the super app", latest: "Latest runs", none: "No run yet.",
            first: "Open a mini program in the super app."),
        example: run, families: ["mini-program", "oauth"], names: ["mini-program.run"])

    private static var run: [Row] {
        [
            (
                "super-app", "wallet", .request, "metadata",
                [.init("appId", "the program’s number", meaning: "Not what the OAuth server knows it by: that is authClientId.")]
            ),
            ("wallet", "super-app", .response, "release", [.init("package", "SHA-256", meaning: "Compared with what is downloaded.")]),
            ("super-app", "container", .note, "opens the program", []),
            ("mini-program", "container", .request, "my.getAuthCode", [.init("scopes", "USER_NAME")]),
            (
                "container", "super-app", .request, "OAuthService.getAuthCode",
                [.init("clientId", "authClientId", meaning: "From the metadata, never from the program.")]
            ),
            (
                "super-app", "container", .response, "2001 AUTH_PENDING_AGREEMENT",
                [.init("error", "2001", meaning: "The user has not agreed yet. The program never sees it.")]
            ),
            ("container", "super-app", .request, "OAuthService.showAuthPage", [.init("scopes", "one line for each")]),
            ("super-app", "container", .response, "agreed", []),
            (
                "container", "super-app", .request, "OAuthService.getAuthCode",
                [.init("round", "2", meaning: "There is no third: 2001 again is the super app’s fault.")]
            ),
            ("super-app", "wallet", .request, "applyAuthCode", []),
            ("wallet", "super-app", .response, "code", [.init("authCode", "hidden", meaning: "Good once, and for a short time.")]),
            ("container", "mini-program", .response, "success", [.init("authSuccessScopes", "USER_NAME")]),
            ("mini-program", "author", .request, "sessions", [.init("authCode", "hidden")]),
            (
                "author", "wallet", .request, "applyToken",
                [
                    .init("grantType", "AUTHORIZATION_CODE"),
                    .init("Signature", "RSA256", meaning: "Over POST, path, client, time and body."),
                ]
            ),
            (
                "wallet", "author", .response, "tokens",
                [.init("accessToken", "hidden", meaning: "Stays on the author’s server."), .init("customerId", "2088…")]
            ),
            ("mini-program", "author", .request, "orders", [.init("form", "orderStr")]),
            ("author", "merchant", .request, "make an order", []),
            ("mini-program", "container", .request, "my.tradePay", [.init("orderStr", "signed by the merchant")]),
            ("container", "super-app", .request, "PaymentService.pay", []),
            ("super-app", "wallet", .request, "cashier", [.init("order", "unchanged")]),
            ("wallet", "gateway", .request, "payments", [.init("requestId", "unique")]),
            ("gateway", "merchant", .notification, "TRADE_SUCCESS", []),
            (
                "container", "mini-program", .response, "success",
                [.init("resultCode", "9000", meaning: "A hint. 8000 and 6004 say that it is not known.")]
            ),
            ("mini-program", "author", .request, "order-state", []),
            ("author", "mini-program", .response, "paid", [.init("state", "paid", meaning: "Only now is the tea made.")]),
        ]
    }
}
