import AlipayPlusApp
import AlipayPlusValues
import BillfoldTestSupport
import Synchronization
import Testing

/// The documented integration, unchanged, on a phone in software.
@MainActor @Suite struct ShopAppSampleTests {
    private final class Backend: ShopBackend {
        struct Silence: Error {}

        private let data: String
        private let paid = Mutex<Bool?>(nil)

        init(data: String) { self.data = data }

        func settle(_ isPaid: Bool) { paid.withLock { $0 = isPaid } }

        func paymentData(forOrder order: String) async throws -> String { data }
        func isPaid(order: String) async throws -> Bool? {
            guard let isPaid = paid.withLock({ $0 }) else { throw Silence() }
            return isPaid
        }
    }

    private let phone = TestPhone(configured: false)

    private func run(_ body: (ShopCheckout, Backend) async -> Void) async {
        let backend = Backend(data: TestPhone.data().text)
        let shop = ShopCheckout(backend: backend)
        await AlipayPlusClient.$current.withValue(phone.client) {
            shop.start()
            await body(shop, backend)
        }
    }

    @Test func personSeesTheRowInTheirLanguage() async {
        phone.network.reply(
            .answer(200, PublishedOption(isEnabled: true, promotions: [.filipino: ["5% diskuwento"]]).text))
        await run { shop, _ in
            await shop.showMethods()
            #expect(shop.screen == .methods(row: "Alipay+", promotion: "5% diskuwento"))
            phone.network.reply(.answer(404, ""))
            await shop.showMethods()
            #expect(shop.screen == .methods(row: shop.reason, promotion: nil))
        }
    }

    @Test func personPaysAndComesBackBeforeAnybodyKnows() async {
        await run { shop, backend in
            let payment = Task { await shop.pay("S-1") }
            await until { phone.surroundings.sheet != nil }
            #expect(shop.screen == .paying)
            phone.say(.shown)
            phone.select()
            await payment.value
            #expect(shop.screen == .beingConfirmed && phone.openedURLs == ["https://pages.example.test/n"])
            backend.settle(true)
            await shop.ask("S-1")
            #expect(shop.screen == .paid)
        }
    }

    @Test func personClosesTheSheet() async {
        await run { shop, _ in
            let payment = Task { await shop.pay("S-1") }
            await until { phone.surroundings.sheet != nil }
            phone.say(.cancelled)
            await payment.value
            #expect(shop.screen == .notPaid)
        }
    }

    @Test func sheetOfAnotherMerchantIsSaidToBeOne() async {
        let shop = ShopCheckout(backend: Backend(data: TestPhone.data { $0.merchantID = "M-2" }.text))
        await AlipayPlusClient.$current.withValue(phone.client) {
            shop.start()
            await shop.pay("S-1")
        }
        #expect(
            shop.screen
                == .failed("1001 PARAM_ILLEGAL: the payment was made for another merchantId than the client is set up with"))
    }
}

extension ShopCheckout {
    /// What a method that is not offered says, where it says something.
    fileprivate var reason: String? {
        guard case .methods(let row, _) = screen, row?.contains("PHP") == true, row?.contains("gamit ang Alipay+") == true else {
            return nil
        }
        return row
    }
}
