import BillfoldSandbox
import BillfoldServer

/// What can happen to a payment of the payment sheet: a guest of the tour's pays in the played acquirer's shop.
enum SheetTriggers {
    static let all: [Trigger] = [
        Trigger("payment-sheet.paid", "a payment of the sheet is made by one of the wallets", key: .acquirers) { place in
            try await with(place) { steps in
                guard place.isOwn else { return told(try await steps.paySheet("hk", for: "kaya-box", by: PlusTourSteps.yan)) }
                return try await OwnSheetPayment(place).pay(by: PlusTourSteps.yan, with: steps)
            }
        },
        Trigger("payment-sheet.code-paid", "a customer's code is scanned at the till, and pays", key: .acquirers) { place in
            try await with(place) { steps in
                guard place.isOwn else { return told(try await steps.payByShownCode()) }
                return try await OwnSheetPayment(place).payByShownCode(of: PlusTourSteps.yan, with: steps)
            }
        },
        Trigger("payment-sheet.cancelled", "a payment of the sheet is made, and cancelled as a whole") { place in
            try await with(place) { told(try await $0.cancel()) }
        },
        Trigger("payment-sheet.refunded", "a payment of the sheet is made, and goes back in two parts") { place in
            try await with(place) { steps in
                _ = try await steps.paySheet("ph", for: "night-tea", by: PlusTourSteps.luz)
                return told(try await steps.refund())
            }
        },
    ]

    private static func told(_ text: String) -> Trigger.Outcome { .init(text: text, facts: [("outcome", text)]) }

    private static func with(
        _ place: TriggerPlace, _ work: (PlusTourSteps) async throws -> Trigger.Outcome
    ) async throws -> Trigger.Outcome {
        let (shop, wallets) = (try place.addresses.origin(of: .acquirer), try place.addresses.origin(of: .mobileWallets))
        let steps = PlusTourSteps(
            addresses: .init(
                shop: shop, acquirer: shop, console: try place.addresses.origin(of: .console),
                wallets: Dictionary(PlusTourParties.wallets.map { ($0, wallets) }) { first, _ in first }),
            makeReports: { _ in [] })
        let result = await Result { try await work(steps) }
        try? await steps.end()
        return try result.get()
    }
}
