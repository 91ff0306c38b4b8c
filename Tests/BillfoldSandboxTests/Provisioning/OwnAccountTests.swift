import BillfoldSandbox
import PassKitSimulator
import Testing

/// Accounts that somebody calls after a demo account, for cards of their own.
@Suite struct OwnAccountTests {
    @Test func anAccountThatIsCalledAfterADemoAccountHasItsHistoryForEveryCard() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            func device(_ account: String) -> BrokerDevice {
                SimulatedDevice(
                    .init(
                        model: DemoDevice.productType(.phone), kind: .phone, name: "Own", appleAccount: account,
                        secureElementID: DemoDevice.secureElement(.phone, account))
                ).identity
            }
            // No demo account has a card of this number on file.
            let card = IssuerStub.Card(number: "4055519000000005", expiration: "12/33", network: "Visa")
            func colour(_ account: String) async throws -> (outcome: String?, reasons: [String]?) {
                let challenge = try await harness.device.challenge(for: device(account), scheme: .ECC_V2)
                let submission = try await harness.issuer.submission(card, challenge, activation: .right, at: harness.now)
                let accepted = try await harness.device.add(submission, to: device(account))
                _ = try? await harness.device.enable(card: accepted.cardID, on: device(account))
                let told = harness.issuer.with { $0.decisions.last }?["recommendation"] as? [String: Any]
                return (told?["outcome"] as? String, told?["reasons"] as? [String])
            }
            #expect(try await colour("trusted+own@example.com").reasons == [])
            #expect(try await colour("moved+own@example.com").reasons == ["0D", "0E"])
            #expect(try await colour("trusted@example.com").reasons == ["03"])
            #expect(try await colour("fresh+own@example.com").reasons?.contains("02") == true)
            #expect(try await colour("somebody+own@example.com").reasons?.contains("02") == true)
        }
    }
}
