import BillfoldTrace
package import BillfoldWeb

extension Journey {
    package static let provisionCard = Journey(
        slug: "provision-card", title: "Provision a card into a phone wallet",
        summary: "An issuing bank's app puts a card into the phone's wallet, with the network's and the wallet's checks between.",
        usedBy: "issuing bank",
        roles: [
            .init(
                party: "bank-app", name: "Bank’s app", duty: "Knows the customer, shows the button, hands messages on unopened.",
                isOurs: false),
            .init(
                party: "device", name: "Device", duty: "Phone, tablet or watch: the add sheet, the secure element, the passes.",
                isOurs: false),
            .init(
                party: "broker", name: "Wallet broker", shortName: "Broker",
                duty: "The wallet maker's servers: certificates and nonces, the outer layer, what is known of account and device.",
                isOurs: false),
            .init(
                party: "network", name: "Card network", shortName: "Network",
                duty: "Opens the inner layer, asks the bank, makes the device's number, keeps the tokens.",
                isOurs: false),
            .init(
                party: "issuer", name: "Issuer host", shortName: "Issuer",
                duty: "Checks the certificates, seals the card twice, decides, keeps its books.",
                isOurs: true),
            .init(
                party: "processor", name: "Card processor", shortName: "Processor",
                duty: "Knows the cards, and delivers codes and messages.", isOurs: false
            ),
        ],
        steps: [
            .init(
                title: "The app asks whether it may",
                text:
                    "Device, entitlement, the bank's remote switch, the card's status and the passes that are there already decide what the button says."
            ),
            .init(
                title: "The device fetches certificates",
                text: "The wallet's broker gives a chain, a nonce of four bytes and its signature. The app hands them to the bank unopened."
            ),
            .init(
                title: "The bank seals the card",
                text:
                    "The chain is checked rule by rule. The card's number is encrypted for the network, then once more for the broker; activation data proves that the bank knows its customer."
            ),
            .init(
                title: "The broker opens the outer layer",
                text: "It compares the nonce, adds scores and reasons from what it knows of account and device, and asks the network."),
            .init(
                title: "The network asks the bank",
                text: "Wallet, network and bank vote. One refusal is red; one doubt is yellow; high risk goes to the fraud team."),
            .init(
                title: "The customer is verified where there is doubt",
                text: "The network makes a code, the bank delivers it by a contact it has known for long. Until then the card cannot pay."),
            .init(
                title: "The token lives on",
                text:
                    "Suspended, resumed, deleted, moved to a new card: each change travels between bank and network, and shows on the device."
            ),
        ],
        words: Words(
            example: "One card, when nothing is doubtful", start: "Open the bank’s app", latest: "Latest attempts", none: "No attempt yet.",
            first: "Make one in the bank’s app."),
        example: provisioning, families: ["provisioning"], names: ["provisioning.attempt"], caseID: "provisioning.attempt")

    private static var provisioning: [Row] {
        [
            (
                "bank-app", "issuer", .request, "eligibility",
                [.init("enabled", "true or false", meaning: "The programme's switch, then the card's, then its status.")]
            ),
            ("issuer", "bank-app", .response, "enabled", []),
            (
                "device", "broker", .request, "certificates",
                [.init("encryptionVersion", "EV_ECC_v2", meaning: "Which certificate and which encryption.")]
            ),
            (
                "broker", "device", .response, "certificates and nonce",
                [.init("nonce", "4 bytes", meaning: "Good for one attempt."), .init("nonceSignature", "81 bytes")]
            ),
            (
                "bank-app", "issuer", .request, "pass-data",
                [.init("certificates", "leaf and sub-CA", meaning: "The root is pinned by the bank and never taken from outside.")]
            ),
            ("issuer", "issuer", .note, "checks the chain, seals the card", []),
            (
                "issuer", "bank-app", .response, "sealed pass data",
                [
                    .init("encryptedPassData", "ciphertext and tag"),
                    .init("activationData", "for the network", meaning: "Without it the customer has to be verified."),
                    .init("ephemeralPublicKey", "65 bytes"),
                ]
            ),
            ("device", "broker", .request, "cards", [.init("publicKeyHash", "SHA-256", meaning: "Says which key opens the data.")]),
            ("broker", "network", .request, "provisioning", [.init("deviceScore, accountScore", "1 to 5", meaning: "5 is best.")]),
            (
                "network", "issuer", .request, "decision",
                [.init("recommendation", "APPROVED", meaning: "What wallet and network think; the bank votes too.")]
            ),
            ("issuer", "network", .response, "green", [.init("decision", "APPROVED", meaning: "The token is active at once.")]),
            ("network", "broker", .response, "token", [.init("deviceAccountNumber", "masked")]),
            (
                "broker", "device", .response, "pass",
                [.init("activationState", "0", meaning: "0 is active; 1 still waits for the customer.")]
            ),
            ("network", "issuer", .notification, "token created", [.init("code", "3700")]),
        ]
    }
}
