import Foundation
import Testing

@testable import WalletServer

/// Strangers pay as the played customers, whose passwords stand in the sandbox's page.
struct PlayedCustomersTests {
    @Test func everyPlayedCustomerStandsInTheSandboxsPage() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/sandbox.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
        #expect(DemoCustomer.all.count == 2)
        for customer in DemoCustomer.all {
            let row = try #require(rows.first { $0.contains("`\(customer.email)`") }, "\(customer.name)")
            #expect(row.contains("`\(customer.loginPassword)`") && row.contains("`\(customer.paymentPassword)`"))
        }
    }
}
