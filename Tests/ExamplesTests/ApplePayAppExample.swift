import ApplePayApp
import Foundation
import Testing

struct ApplePayAppExample {
    // Example
    /// What the Pay button of an order does, and which page comes next. `memory` is the keychain, or another protected store.
    @MainActor
    func pay(
        for access: OrderAccess, at server: any MerchantServer, memory: any CheckoutMemory, system: SystemVersion
    ) async throws -> String {
        let order = try await server.order(access)
        let names = try order.supportedNetworks.map { try NetworkName(exactly: $0) }
        let capabilities = try MerchantCapabilities.capabilities(named: order.merchantCapabilities, for: names)
        let availability = ApplePayAvailability.current(networks: names.map(\.network), capabilities: capabilities, system: system)
        guard availability == .pay else { return "other ways to pay" }

        let session = CheckoutSession(order: order, access: access, server: server, memory: memory) {
            IdempotencyKey(rawValue: UUID().uuidString)
        }
        switch try await session.start() {
        case .succeeded: return "receipt"
        case .undecided: return "being confirmed"
        case .failed, .cancelled, .notPresented: return "cart"
        }
    }
    // End

    @MainActor @Test func example() async throws {
        let memory = VolatileCheckoutMemory()
        let page = try await PayingCustomer().pays {
            try await pay(for: TeaShopServer.access, at: TeaShopServer.server, memory: memory, system: SystemVersion(.iOS, 18))
        }
        #expect(page == "receipt")
        #expect(await memory.load()?.key == nil)
        let old = try await PayingCustomer().pays {
            try await pay(for: TeaShopServer.access, at: TeaShopServer.server, memory: memory, system: SystemVersion(.iOS, 7))
        }
        #expect(old == "other ways to pay")
    }
}
