extension CustomerTexts {
    static let english: [CustomerText: String] = [
        .paid: "Paid. Thank you.",
        .notPaid: "The payment did not go through. No money was taken, and you can try again.",
        .beingConfirmed: "Your payment is being confirmed. Please do not pay again: you will hear from us.",
        .paymentClosed: "You closed the payment. Nothing was paid.",
        .noSheet: "Apple Pay cannot be shown now. Please choose another way to pay.",
        .cardReady: "Your card ending in {suffix} is ready to pay.",
        .cardNeedsProof:
            "Your card ending in {suffix} is in the wallet and cannot pay yet. If the wallet asks for a proof, give it there; otherwise your bank is checking and will tell you.",
        .cardActivating:
            "Your card ending in {suffix} is in the wallet and is being activated. There is nothing that you have to do.",
        .cardUnusable: "Your card ending in {suffix} is in the wallet and cannot be used. Please contact your bank.",
        .cardNotAdded: "The card was not added.",
        .cardUncertain: "It is not certain yet whether your card was added. Please look in the wallet before you try again.",
        .screenClosed: "The card was not added, because its screen was closed.",
        .walletRefused: "The wallet did not take the card. Please look there before you try again.",
        .contactBank: "This card cannot be added now. Please contact your bank.",
        .deviceCannot: "This device cannot take this card.",
        .tryLater: "The card could not be added. Please try again later.",
    ]
}
