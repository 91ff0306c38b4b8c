import Alipay
import BillfoldTestSupport
import Foundation
import Testing

@testable import AlipayApp

/// The documented integration, unchanged, on a phone in software.
@MainActor @Suite struct ShopAppSampleTests {
    private struct Backend: ShopBackend {
        let order: TestOrder

        func orderString(for goods: String) async throws -> String { order.text }
    }

    private let order: TestOrder

    init() async throws { order = try await TestOrder("S-1", .modern) }

    /// An app that has the order in front of the customer.
    private func app(on phone: TestPhone) async throws -> ShopAppDelegate {
        let app = ShopAppDelegate(backend: Backend(order: order))
        await AlipaySDK.$current.withValue(AlipaySDK(client: phone.client)) {
            await app.buy("tea")
        }
        await until { phone.surroundings.cashier != nil || !phone.surroundings.openedURLs.isEmpty }
        #expect(app.screen == .paying)
        return app
    }

    /// The system opens the app by both delegate methods, as some versions do.
    private func open(_ app: ShopAppDelegate, _ phone: TestPhone, _ result: PaymentResult) throws {
        let url = try #require(URL(string: SafepayURL(scheme: ShopAppDelegate.scheme, result: result).description))
        AlipaySDK.$current.withValue(AlipaySDK(client: phone.client)) {
            #expect(app.application(open: url) && app.application(open: url, sourceApplication: nil, annotation: []))
        }
    }

    @Test func customerPaysInTheWallet() async throws {
        let phone = try TestPhone()
        phone.server.answer("S-1", .unpaid, .paid)
        let app = try await app(on: phone)
        try open(app, phone, try await order.paid())
        await until { app.screen != .paying }
        #expect(app.screen == .paid && phone.client.faults == [PaymentFault(.returnRepeated, orderNumber: "S-1")])
    }

    @Test func customerPaysInTheCashier() async throws {
        let phone = try TestPhone(wallet: false)
        phone.server.answer("S-1", .paid)
        let app = try await app(on: phone)
        phone.surroundings.endCashier(try await order.paid())
        await until { app.screen != .paying }
        #expect(app.screen == .paid)
    }

    @Test func customerCancels() async throws {
        let phone = try TestPhone()
        let app = try await app(on: phone)
        try open(app, phone, cancelled)
        await until { app.screen != .paying }
        #expect(app.screen == .cancelled)
    }

    @Test func forgedResultIsBeingConfirmed() async throws {
        let phone = try TestPhone()
        phone.server.answer("S-1", .unpaid)
        let app = try await app(on: phone)
        try open(app, phone, try await order.paid(by: TestKeys.shared.get().stranger))
        await until { app.screen != .paying }
        #expect(app.screen == .beingConfirmed)
    }

    @Test func appThatWasKilledIsToldByItsURL() async throws {
        let phone = try TestPhone()
        phone.server.answer("S-1", .paid)
        _ = try await app(on: phone)
        phone.restart()
        let next = ShopAppDelegate(backend: Backend(order: order))
        try open(next, phone, try await order.paid())
        await until { next.screen != .goods }
        #expect(next.screen == .paid)
    }

    @Test func foreignURLIsNotTheWallets() throws {
        let app = ShopAppDelegate(backend: Backend(order: order))
        #expect(!app.application(open: try #require(URL(string: "shopapp://login/?x"))))
    }
}
