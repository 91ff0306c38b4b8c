import BillfoldSandbox
import BillfoldTrace
import Foundation
import PassKitSimulator
import Testing

@MainActor @Suite struct PhoneSessionTests {
    private let tea = [CartLine(product: "longjing", quantity: 2)]

    @Test(arguments: [(PhoneModel.withoutApplePay, "hidden"), (.withoutCard, "setUp"), (.ready, "pay")])
    func eachPhoneShowsItsButton(model: PhoneModel, button: String) {
        #expect(PhoneFixture().directory.open(model, lines: tea).screen.button == button)
    }

    @Test func settingUpAddsACardAndTheButtonBecomesPay() throws {
        let phone = PhoneFixture().directory.open(.withoutCard, lines: tea)
        try phone.perform(PhoneTap(.setUp))
        #expect(phone.screen.button == "pay")
        #expect(phone.device.paymentSetupOpenings == 1)
    }

    @Test func deliveredGoodsArePaidWithEveryChoice() async throws {
        let fixture = PhoneFixture()
        let phone = fixture.directory.open(.ready, lines: tea)
        let script = ShopperScript(
            lines: tea, card: "unionpay-credit", contact: "office", shippingMethod: "express", couponCode: "TEA10")
        let result = try await script.run(on: phone)
        #expect(result.screen.outcome == .init(kind: "succeeded", paymentID: "payment-1"))
        // 2 × 128.00, 13 % tax, a tenth off both, express.
        #expect(result.authorizedTotal == "288.35")
        #expect(result.screen.faults.isEmpty)
        #expect(fixture.wallet.authorized.map(\.card.id) == ["unionpay-credit"])
        #expect(fixture.wallet.authorized.map(\.amount.description) == ["288.35"])
        #expect(result.steps.first == "shop" && result.steps.last == "outcome")
        #expect(result.steps.contains("sheet-processing"))
        #expect(result.screen.order?.story?.hasPrefix("http://127.0.0.1:8081/orders/order-") == true)
    }

    @Test func electronicGoodsNeedNoAddress() async throws {
        let fixture = PhoneFixture()
        let lines = [CartLine(product: "field-guide", quantity: 1)]
        let phone = fixture.directory.open(.ready, lines: lines)
        let result = try await ShopperScript(lines: lines).run(on: phone)
        #expect(result.screen.outcome?.kind == "succeeded")
        #expect(result.authorizedTotal == "39.24")
        let paid = try #require(fixture.merchant.seen.last { $0.path.hasSuffix("/payments") })
        #expect(String(decoding: paid.body, as: UTF8.self).contains("locality") == false)
    }

    @Test func dearGoodsAndForeignCurrencyAskForThePIN() async throws {
        for product in ["walnut-tray", "letterpress-cards"] {
            let fixture = PhoneFixture()
            let lines = [CartLine(product: product, quantity: 1)]
            let phone = fixture.directory.open(.ready, lines: lines)
            let result = try await ShopperScript(lines: lines, pin: "135790").run(on: phone)
            #expect(result.screen.outcome?.kind == "succeeded")
            #expect(result.steps.contains("sheet-enteringPIN"))
            #expect(fixture.wallet.authorized.map { $0.pin?.reveal() } == ["135790"])
            let trace = fixture.trace.entries.map { "\($0)" }.joined()
            #expect(trace.contains("135790") == false)
        }
    }

    @Test func addressThatIsNotServedStopsTheScriptWithItsReason() async throws {
        let fixture = PhoneFixture()
        let phone = fixture.directory.open(.ready, lines: tea)
        let result = try await ShopperScript(lines: tea, contact: "abroad").run(on: phone)
        #expect(result.screen.outcome?.kind == "cancelled")
        #expect(result.authorizedTotal == nil)
        #expect(fixture.wallet.authorized.isEmpty)
    }

    @Test func expiredCouponStopsTheScript() async throws {
        let phone = PhoneFixture().directory.open(.ready, lines: tea)
        let result = try await ShopperScript(lines: tea, couponCode: "SPRING").run(on: phone)
        #expect(result.screen.outcome?.kind == "cancelled")
    }

    @Test func refusedTokenIsShownAsNotPaid() async throws {
        let phone = PhoneFixture(.refusesToken).directory.open(.ready, lines: tea)
        let result = try await ShopperScript(lines: tea).run(on: phone)
        #expect(result.screen.outcome == .init(kind: "failed", code: "token-refused", reason: "refused"))
    }

    @Test func undecidedPaymentIsNeverShownAsFailedAndCanBeAskedAgain() async throws {
        let phone = PhoneFixture(.undecided).directory.open(.ready, lines: tea)
        let result = try await ShopperScript(lines: tea).run(on: phone)
        #expect(result.screen.outcome?.kind == "undecided")
        let before = phone.screen.revision
        try phone.perform(PhoneTap(.askAgain))
        var screen = try #require(await phone.nextScreen(after: before))
        while screen.place != .outcome { screen = try #require(await phone.nextScreen(after: screen.revision)) }
        #expect(screen.outcome?.kind == "undecided")
    }

    @Test(arguments: [
        PhoneTap(.authorize), PhoneTap(.enterPIN, "123456"), PhoneTap(.setUp), PhoneTap(.continue), PhoneTap(.askAgain),
    ])
    func tapThatTheScreenDoesNotOfferIsRefused(tap: PhoneTap) {
        let phone = PhoneFixture().directory.open(.ready, lines: tea)
        #expect { try phone.perform(tap) } throws: { ($0 as? SandboxRefusal)?.code == "not-on-screen" }
        #expect(phone.screen.place == .shop)
    }

    @Test func choiceThatIsNotListedIsRefused() async throws {
        let phone = PhoneFixture().directory.open(.ready, lines: tea)
        try phone.perform(PhoneTap(.pay))
        while phone.screen.sheet?.phase != .ready { _ = await phone.nextScreen(after: phone.screen.revision) }
        for tap in [PhoneTap(.selectCard, "stolen"), PhoneTap(.enterPIN, "135790"), PhoneTap(.pay), PhoneTap(.continue)] {
            #expect { try phone.perform(tap) } throws: { error in
                let refusal = error as? SandboxRefusal
                let offered = refusal?.offers?.map(\.action) ?? []
                return refusal?.code == "not-on-screen" && offered.contains("authorize") && !offered.contains("enterPIN")
            }
        }
        try phone.perform(PhoneTap(.cancel))
    }

    @Test(arguments: [
        ([CartLine](), "cart-empty"), ([CartLine(product: "gold", quantity: 1)], "product-unknown"),
        ([CartLine(product: "longjing", quantity: 0)], "quantity-refused"),
        ([CartLine(product: "longjing", quantity: 1), CartLine(product: "letterpress-cards", quantity: 1)], "currencies-mixed"),
    ])
    func orderThatTheShopRefusesIsNamed(lines: [CartLine], code: String) async throws {
        let phone = PhoneFixture().directory.open(.ready, lines: lines)
        let result = try await ShopperScript(lines: lines).run(on: phone)
        #expect(result.screen.problem?.code == code)
    }

    @Test func oldPhonesAreForgotten() throws {
        let directory = PhoneFixture(limit: 2).directory
        let phones = (0..<3).map { _ in directory.open(.ready, lines: tea) }
        #expect { try directory.session(phones[0].id) } throws: { ($0 as? SandboxRefusal)?.code == "session-unknown" }
        #expect(try directory.session(phones[2].id) === phones[2])
    }

    @Test func traceTellsTheStoryInOrderAndKeepsSecrets() async throws {
        let fixture = PhoneFixture()
        let phone = fixture.directory.open(.ready, lines: tea)
        _ = try await ShopperScript(lines: tea).run(on: phone)
        let entries = fixture.trace.entries
        let titles = entries.map { "\($0.from.rawValue)→\($0.to.rawValue) \($0.title)" }
        #expect(
            titles.prefix(6) == [
                "phone→shop checkout", "shop→merchant create order", "merchant→shop create order", "shop→phone checkout",
                "phone→merchant read order", "merchant→phone read order",
            ])
        #expect(
            titles.suffix(4) == [
                "phone→wallet authorize", "wallet→phone token", "phone→merchant pay", "merchant→phone pay",
            ])
        #expect(entries.last?.correlation["apple-pay.transaction"] == "abcd01")
        #expect(entries.allSatisfy { $0.correlation["shop.reference"] == entries.first?.correlation["shop.reference"] })
        #expect(entries.dropFirst(2).allSatisfy { $0.correlation["order"]?.hasPrefix("order-") == true })
        let text = entries.map { "\($0)" }.joined()
        #expect(!text.contains("api-key") && !text.contains("secret-of-order"))
        #expect(Set(entries.map(\.id)).count == entries.count)
        // Every request to the merchant's server is reported, and says so.
        #expect(fixture.merchant.exchanges == entries.filter { $0.to == "merchant" && $0.kind == .request }.map(\.id))
    }

    @Test func shopKeepsItsKeyFromThePhone() async throws {
        let fixture = PhoneFixture()
        let phone = fixture.directory.open(.ready, lines: tea)
        _ = try await ShopperScript(lines: tea).run(on: phone)
        let withKey = fixture.merchant.seen.filter { $0.headers["Authorization"] == "Bearer api-key" }
        #expect(withKey.map(\.path) == ["/v1/orders"])
        #expect(withKey.first?.headers["Idempotency-Key"] != nil)
        let screen = String(decoding: try JSONEncoder().encode(phone.screen), as: UTF8.self)
        #expect(!screen.contains("api-key") && !screen.contains("secret-of-order"))
    }
}
