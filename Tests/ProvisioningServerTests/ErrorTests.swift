import BillfoldServer
import HTTPTypes
import Testing

@testable import ProvisioningServer

@Suite struct ErrorTests {
    @Test func refusalsCarryTheirCodeAndStatus() throws {
        let mapping = ErrorMapping().withProvisioning()
        let refusal = try #require(mapping.refusal(for: ProvisioningError(code: .cardNotFound, reason: "no such card")))
        #expect(refusal.status.code == 404)
        #expect(refusal.code == "card-not-found")
    }
}
